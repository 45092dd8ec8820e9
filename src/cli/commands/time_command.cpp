#include "cli/commands/time_command.h"

#include "cli/terminal/units.h"
#include "cli/views/session_view.h"

namespace skyline::cli {

Result<Answer> run_time(const Arguments& arguments, const Context& context) {
  SKYLINE_RETURN_IF_ERROR(refuse_standard_output(arguments));
  SKYLINE_TRY(const StandaloneProfile profile, profile_for_file(arguments, context, Models::kNone));
  const std::vector<report::TimeEntry> entries = report::time_entries(*profile.result, profile.project);
  SKYLINE_RETURN_IF_ERROR(
      report::write_time_report({arguments.text(kSqliteOutputArgument), arguments.has(kReplaceArgument)},
                                entries, report::report_context(*profile.result, profile.project)));
  const std::string file = describe_file(arguments.text(kSqliteOutputArgument),
                                         format_counted(entries.size(), "operator call", "operator calls"));
  return Answer{.text = render_time_profile(*profile.result, profile.project.project_root, context.console,
                                            kStandaloneRows) +
                        "\n" + file};
}

}  // namespace skyline::cli

#include "cli/commands/memory_command.h"

#include <fmt/format.h>

#include "cli/terminal/units.h"
#include "cli/views/session_view.h"

namespace skyline::cli {

Result<Answer> run_memory(const Arguments& arguments, const Context& context) {
  SKYLINE_RETURN_IF_ERROR(refuse_standard_output(arguments));
  SKYLINE_TRY(const StandaloneProfile profile, profile_for_file(arguments, context, Models::kNone));
  if (profile.result->memory == nullptr)
    return Error{"the recording tells nothing of memory; skyline doctor says what it needs"};
  const report::MemoryEntries entries = report::memory_entries(*profile.result, profile.project);
  SKYLINE_RETURN_IF_ERROR(
      report::write_memory_report({arguments.text(kSqliteOutputArgument), arguments.has(kReplaceArgument)},
                                  entries, report::report_context(*profile.result, profile.project)));
  const std::string contents =
      fmt::format("{}, {}", format_counted(entries.weights.size(), "weight", "weights"),
                  format_counted(entries.activations.size(), "activation", "activations"));
  return Answer{.text = render_memory_profile(*profile.result, profile.project.project_root, context.console,
                                              kStandaloneRows) +
                        "\n" + describe_file(arguments.text(kSqliteOutputArgument), contents)};
}

}  // namespace skyline::cli

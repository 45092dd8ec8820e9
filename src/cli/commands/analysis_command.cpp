#include "cli/commands/analysis_command.h"

#include <fmt/format.h>

#include "cli/views/session_view.h"

namespace skyline::cli {

Result<Answer> run_analysis(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(const StandaloneProfile profile, profile_for_file(arguments, context, Models::kAlso));
  std::string json = report::analysis_json(*profile.result, profile.project);
  if (arguments.text(kAnalysisOutputArgument) == "-") return Answer{.text = std::move(json)};
  SKYLINE_RETURN_IF_ERROR(
      report::write_text({arguments.text(kAnalysisOutputArgument), arguments.has(kReplaceArgument)}, json));
  const std::string contents = fmt::format("skyline.analysis version {}", report::kAnalysisVersion);
  return Answer{.text = render_profile(*profile.result, profile.project.project_root, context.console,
                                       kStandaloneRows) +
                        "\n" + describe_file(arguments.text(kAnalysisOutputArgument), contents)};
}

}  // namespace skyline::cli

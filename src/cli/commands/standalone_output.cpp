#include "cli/commands/standalone_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/setup/session_setup.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"

namespace skyline::cli {

Result<StandaloneProfile> profile_for_file(const Arguments& arguments, const Context& context,
                                           Models models) {
  if (arguments.text(kSqliteOutputArgument) != "-") {
    // A file that stands in the way is better told before a long run than behind it.
    SKYLINE_RETURN_IF_ERROR(
        report::check_target({arguments.text(kSqliteOutputArgument), arguments.has(kReplaceArgument)}));
  }
  SKYLINE_TRY(session::SessionOptions options, session_options(arguments, context));
  options.profile.models = models == Models::kAlso;
  StandaloneProfile profile;
  profile.project = {options.profile.entry_point, options.profile.project_root,
                     fmt::format("skyline {}", context.version)};
  SKYLINE_TRY(profile.result, profile_once(std::move(options), context));
  return profile;
}

Status refuse_standard_output(const Arguments& arguments) {
  if (arguments.text(kSqliteOutputArgument) != "-") return Done{};
  return Error{"a SQLite file cannot go to standard output; name a file with -o"};
}

std::string describe_file(const std::string& path, const std::string& contents) {
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  return fmt::format("{}: {}, {}\n", printable(path), contents,
                     format_bytes(unknown ? 0 : static_cast<int64_t>(bytes)));
}

}  // namespace skyline::cli

// What `time`, `memory` and `analysis` have in common: one profile, then a file.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/entry_point_arguments.h"
#include "report/report.h"
#include "session/session.h"

namespace skyline::cli {

inline constexpr Argument kReplaceArgument = {
    .name = "--force",
    .value = "",
    .doc = "replace FILE if it exists",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr Argument kSqliteOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the SQLite file to write",
    .required = true,
    .short_name = "-o",
};

// Of the commands that write a report in Skyline 0.5's format.
inline constexpr std::array<const Argument*, 10> kSqliteArguments = {
    &kEntryPointArgument,  &kSqliteOutputArgument, &kReplaceArgument,        &kSessionPythonArgument,
    &kProjectRootArgument, &kBudgetArgument,       &kMemoryCapacityArgument, &kBatchSizeArgument,
    &kPatienceArgument,    &kColorArgument,
};

inline constexpr size_t kStandaloneRows = 12;  // modules of the text, and half as many lines

// One profile of the entry point.
struct StandaloneProfile {
  std::shared_ptr<const session::ProfileResult> result;
  session::ProfiledProject project;
};

enum class Models : unsigned char { kNone, kAlso };  // kAlso: other batch sizes are run, too

// Refuses a file that could not be written before anything is run; `-` is none.
Result<StandaloneProfile> profile_for_file(const Arguments& arguments, const Context& context, Models models);

// For files that standard output is no place for.
Status refuse_standard_output(const Arguments& arguments);

// "report.sqlite: 42 operator calls, 12 KiB"
std::string describe_file(const std::string& path, const std::string& contents);

}  // namespace skyline::cli

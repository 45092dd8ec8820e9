// skyline time: where one iteration's time goes, as a report in Skyline 0.5's format.
#pragma once

#include <array>

#include "cli/standalone_output.h"

namespace skyline {

Result<Answer> run_time(const Arguments& arguments, const Context& context);

inline constexpr Argument kTimeOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the SQLite file to write",
    .target = &Arguments::output,
    .required = true,
    .short_name = "-o",
};

inline constexpr std::array<const Argument*, 10> kTimeArguments = {
    &kEntryPointArgument,  &kTimeOutputArgument, &kReplaceArgument,        &kSessionPythonArgument,
    &kProjectRootArgument, &kBudgetArgument,     &kMemoryCapacityArgument, &kBatchSizeArgument,
    &kPatienceArgument,    &kColorArgument,
};

inline constexpr Command kTimeCommand = {
    .name = "time",
    .summary = "How long each operator of an iteration takes, by line, as a SQLite file.",
    .example = "skyline time entry_point.py -o time.sqlite",
    .arguments = kTimeArguments,
    .run = run_time,
};

}  // namespace skyline

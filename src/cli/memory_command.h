// skyline memory: where the memory goes, as a report in Skyline 0.5's format.
#pragma once

#include <array>

#include "cli/standalone_output.h"

namespace skyline {

Result<Answer> run_memory(const Arguments& arguments, const Context& context);

inline constexpr Argument kMemoryOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the SQLite file to write",
    .target = &Arguments::output,
    .required = true,
    .short_name = "-o",
};

inline constexpr std::array<const Argument*, 10> kMemoryArguments = {
    &kEntryPointArgument,  &kMemoryOutputArgument, &kReplaceArgument,        &kSessionPythonArgument,
    &kProjectRootArgument, &kBudgetArgument,       &kMemoryCapacityArgument, &kBatchSizeArgument,
    &kPatienceArgument,    &kColorArgument,
};

inline constexpr Command kMemoryCommand = {
    .name = "memory",
    .summary = "What lives in memory at an iteration's peak, by line, as a SQLite file.",
    .example = "skyline memory entry_point.py -o memory.sqlite",
    .arguments = kMemoryArguments,
    .run = run_memory,
};

}  // namespace skyline

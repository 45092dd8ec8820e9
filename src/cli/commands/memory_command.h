// skyline memory: where the memory goes, as a report in Skyline 0.5's format.
#pragma once

#include "cli/commands/standalone_output.h"

namespace skyline::cli {

Result<Answer> run_memory(const Arguments& arguments, const Context& context);

inline constexpr Command kMemoryCommand = {
    .name = "memory",
    .summary = "What lives in memory at an iteration's peak, by line, as a SQLite file.",
    .example = "skyline memory entry_point.py -o memory.sqlite",
    .arguments = kSqliteArguments,
    .run = run_memory,
};

}  // namespace skyline::cli

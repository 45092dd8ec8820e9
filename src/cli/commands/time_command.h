// skyline time: where one iteration's time goes, as a report in Skyline 0.5's format.
#pragma once

#include "cli/commands/standalone_output.h"

namespace skyline::cli {

Result<Answer> run_time(const Arguments& arguments, const Context& context);

inline constexpr Command kTimeCommand = {
    .name = "time",
    .summary = "How long each operator of an iteration takes, by line, as a SQLite file.",
    .example = "skyline time entry_point.py -o time.sqlite",
    .arguments = kSqliteArguments,
    .run = run_time,
};

}  // namespace skyline::cli

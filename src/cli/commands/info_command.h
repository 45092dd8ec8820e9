// skyline info: what a trace is and holds.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_info(const Arguments& arguments, const Context& context);

inline constexpr std::array<const Argument*, 6> kInfoArguments = {
    &kTraceArgument,     &kFormatArgument,  &kThreadsArgument,
    &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kInfoCommand = {
    .name = "info",
    .summary = "What a trace is: producer, rank, devices, steps, event counts, time span, losses.",
    .example = "skyline info trace.json.gz",
    .arguments = kInfoArguments,
    .run = run_info,
};

}  // namespace skyline::cli

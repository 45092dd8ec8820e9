// skyline check: can the figures of a trace be trusted?
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_check(const Arguments& arguments, const Context& context);

inline constexpr std::array<const Argument*, 6> kCheckArguments = {
    &kTraceArgument,     &kFormatArgument,  &kThreadsArgument,
    &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kCheckCommand = {
    .name = "check",
    .summary = "Whether the figures of a trace can be trusted, and what to switch on next time.",
    .example = "skyline check trace.json.gz",
    .arguments = kCheckArguments,
    .run = run_check,
};

}  // namespace skyline::cli

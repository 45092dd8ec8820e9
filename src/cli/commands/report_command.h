// skyline report: one screen that answers what the step waits for.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_report(const Arguments& arguments, const Context& context);

inline constexpr std::array<const Argument*, 6> kReportArguments = {
    &kTraceArgument,     &kFormatArgument,  &kThreadsArgument,
    &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kReportCommand = {
    .name = "report",
    .summary = "One screen: what the step waits for, steps, device figures, top operators and kernels.",
    .example = "skyline report trace.json.gz",
    .arguments = kReportArguments,
    .run = run_report,
};

}  // namespace skyline::cli

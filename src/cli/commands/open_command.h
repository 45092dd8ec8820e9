// skyline open: traces in a browser.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"
#include "cli/setup/serve_arguments.h"

namespace skyline::cli {

Result<Answer> run_open(const Arguments& arguments, const Context& context);

inline constexpr Argument kSourceRootArgument = {
    .name = "--source-root",
    .value = "FOLDER",
    .doc = "show source files from here if a trace does not hold them itself",
};

inline constexpr std::array<const Argument*, 8> kOpenArguments = {
    &kTraceArgument,      &kPortArgument,    &kHostArgument,      &kNoOpenArgument,
    &kSourceRootArgument, &kThreadsArgument, &kMaxMemoryArgument, &kNoCacheArgument,
};

inline constexpr Command kOpenCommand = {
    .name = "open",
    .summary = "Traces in a browser: timeline, operators, kernels, flame graph, memory.",
    .example = "skyline open trace.json.gz",
    .arguments = kOpenArguments,
    .run = run_open,
};

}  // namespace skyline::cli

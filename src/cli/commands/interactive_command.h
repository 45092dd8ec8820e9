// skyline interactive: profiles an entry point, and again after every save, for a terminal and for pages.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/entry_point_arguments.h"
#include "cli/setup/serve_arguments.h"

namespace skyline::cli {

Result<Answer> run_interactive(const Arguments& arguments, const Context& context);

inline constexpr Argument kOnceArgument = {
    .name = "--once",
    .value = "",
    .doc = "print one profile and end, without a page",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr std::array<const Argument*, 13> kInteractiveArguments = {
    &kEntryPointArgument,     &kSessionPythonArgument, &kProjectRootArgument, &kBudgetArgument,
    &kMemoryCapacityArgument, &kBatchSizeArgument,     &kOnceArgument,        &kPatienceArgument,
    &kPollingArgument,        &kPortArgument,          &kHostArgument,        &kNoOpenArgument,
    &kColorArgument,
};

inline constexpr Command kInteractiveCommand = {
    .name = "interactive",
    .summary = "Throughput, memory and their lines for an entry point, again after every save.",
    .example = "skyline interactive examples/cnn/entry_point.py",
    .arguments = kInteractiveArguments,
    .run = run_interactive,
};

}  // namespace skyline::cli

// skyline interactive: profiles an entry point, and again after every save, for a terminal and for pages.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/entry_point_arguments.h"
#include "cli/setup/serve_arguments.h"
#include "cli/setup/session_setup.h"

namespace skyline::cli {

Result<Answer> run_interactive(const Arguments& arguments, const Context& context);

inline constexpr Argument kOnceArgument = {
    .name = "--once",
    .value = "",
    .doc = "print one profile and end, without a page",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr Argument kProgramArgument = {
    .name = "ENTRY_POINT",
    .value = "(train.py | -m MODULE | entry_point.py) [ARGS…]",
    .doc =
        "a training script, as one would say it to python, or a file with skyline_model_provider, "
        "skyline_input_provider and skyline_iteration_provider",
};

inline constexpr std::array<const Argument*, 16> kInteractiveArguments = {
    &kProgramArgument,    &kModuleArgument,       &kSessionPythonArgument, &kProjectRootArgument,
    &kTimedStepsArgument, &kUntimedStepsArgument, &kBudgetArgument,        &kMemoryCapacityArgument,
    &kBatchSizeArgument,  &kOnceArgument,         &kPatienceArgument,      &kPollingArgument,
    &kPortArgument,       &kHostArgument,         &kNoOpenArgument,        &kColorArgument,
};

inline constexpr Command kInteractiveCommand = {
    .name = "interactive",
    .summary = "Throughput, memory and their lines for a training script, again after every save.",
    .example = "skyline interactive train.py --epochs 1",
    .arguments = kInteractiveArguments,
    .run = run_interactive,
    .has_own_words = is_training_script,
};

}  // namespace skyline::cli

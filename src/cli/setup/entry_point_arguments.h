// Arguments of the commands that run an entry point.
#pragma once

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

inline constexpr Argument kEntryPointArgument = {
    .name = "ENTRY_POINT",
    .value = "ENTRY_POINT",
    .doc = "a Python file with skyline_model_provider, skyline_input_provider and skyline_iteration_provider",
    .required = true,
};
inline constexpr Argument kModuleArgument = {
    .name = "--module",
    .value = "MODULE",
    .doc = "a training script by its module's name, as in `python -m MODULE`",
    .short_name = "-m",
};
inline constexpr Argument kTimedStepsArgument = {
    .name = "--steps",
    .value = "N",
    .doc =
        "of a script: time so many steps at most (default: until the number is sure, or a third of the "
        "budget)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
};
inline constexpr Argument kUntimedStepsArgument = {
    .name = "--after-steps",
    .value = "N",
    .doc = "of a script: begin after so many steps (default: once steps are alike)",
    .kind = ArgumentKind::kNumber,
    .min = 0,
};
inline constexpr Argument kSessionPythonArgument = {
    .name = "--python",
    .value = "PYTHON",
    .doc = "the interpreter that has torch (default: the active environment's, else python3)",
};
inline constexpr Argument kProjectRootArgument = {
    .name = "--project-root",
    .value = "FOLDER",
    .doc = "where the project's own files lie (default: the folder of the entry point)",
};
inline constexpr Argument kBudgetArgument = {
    .name = "--budget",
    .value = "SECONDS",
    .doc = "how long iterations may run for one profile, compilation not counted (default: 10)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
    .max = 86'400,
};
inline constexpr Argument kMemoryCapacityArgument = {
    .name = "--memory-capacity",
    .value = "BYTES",
    .doc = "what may be used (default: the device's memory, or the RAM that is available)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
};
inline constexpr Argument kBatchSizeArgument = {
    .name = "--batch-size",
    .value = "N",
    .doc = "instead of the entry point's own",
    .kind = ArgumentKind::kNumber,
    .min = 1,
    .max = int64_t{1} << 32,
};
inline constexpr Argument kPatienceArgument = {
    .name = "--patience",
    .value = "SECONDS",
    .doc = "after which the user's code counts as stuck (default: 60)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
    .max = 86'400,
};
inline constexpr Argument kPollingArgument = {
    .name = "--polling",
    .value = "",
    .doc = "look at files again and again instead of waiting for the system to tell of a save",
    .kind = ArgumentKind::kSwitch,
};

}  // namespace skyline::cli

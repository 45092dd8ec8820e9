// skyline init: an entry point from a training script. The Python package does it (python/skyline/_init.py).
#pragma once

#include <array>

#include "cli/commands/run_command.h"
#include "cli/setup/command.h"

namespace skyline::cli {

Result<Answer> run_init(const Arguments& arguments, const Context& context);

inline constexpr Argument kInitScriptArgument = {
    .name = "SCRIPT",
    .value = "SCRIPT.py [-- ARGS…]",
    .doc = "the training script, which is run for a few steps, and its own arguments",
    .kind = ArgumentKind::kTexts,
    .required = true,
};
inline constexpr Argument kInitOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the entry point (default: entry_point.py beside the script)",
    .short_name = "-o",
};
inline constexpr Argument kInitForceArgument = {
    .name = "--force",
    .value = "",
    .doc = "replace an existing file",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr Argument kInitNoRunArgument = {
    .name = "--no-run",
    .value = "",
    .doc = "only read the script; what it does not say is to be filled in",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr std::array<const Argument*, 5> kInitArguments = {
    &kInitScriptArgument, &kPythonArgument, &kInitOutputArgument, &kInitForceArgument, &kInitNoRunArgument,
};

inline constexpr Command kInitCommand = {
    .name = "init",
    .summary = "Writes an entry point for a training script: its model, inputs and one iteration.",
    .example = "skyline init train.py",
    .arguments = kInitArguments,
    .run = run_init,
    .takes_words = true,
};

}  // namespace skyline::cli

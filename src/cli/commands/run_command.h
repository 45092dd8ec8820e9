// skyline run: records a training script. The words are read by the Python package (python/skyline/_run.py),
// which runs the script; they are listed here for --help, and a test keeps both lists equal.
#pragma once

#include <array>

#include "cli/setup/command.h"

namespace skyline::cli {

Result<Answer> run_run(const Arguments& arguments, const Context& context);

inline constexpr Argument kScriptArgument = {
    .name = "SCRIPT",
    .value = "(script.py | -m MODULE) [ARGS…]",
    .doc = "what to run, as one would say it to python",
    .kind = ArgumentKind::kTexts,
    .required = true,
};
inline constexpr Argument kPythonArgument = {
    .name = "--python",
    .value = "P",
    .doc = "the Python to run it with; comes first (default: the active environment's, else python3)",
};
inline constexpr Argument kRunOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the trace (default: SCRIPT.TIME.skyline)",
    .short_name = "-o",
};
inline constexpr Argument kStepsArgument = {
    .name = "--steps",
    .value = "N",
    .doc = "record so many steps at most, 0: no limit (default: 20)",
};
inline constexpr Argument kMaxSecondsArgument = {
    .name = "--max-seconds",
    .value = "S",
    .doc = "record so long at most, 0: no limit (default: 60)",
};
inline constexpr Argument kAfterStepsArgument = {
    .name = "--after-steps",
    .value = "N",
    .doc = "begin after so many steps, 0: at the start (default: once steps are alike, 3 at least)",
};
inline constexpr Argument kAfterSecondsArgument = {
    .name = "--after-seconds",
    .value = "S",
    .doc = "begin so long after the script's start at the earliest (default: 0)",
};
inline constexpr Argument kShapesArgument = {
    .name = "--no-shapes",
    .value = "",
    .doc = "without input shapes",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kStackArgument = {
    .name = "--no-stack",
    .value = "",
    .doc = "without Python stacks and modules",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kMemoryArgument = {
    .name = "--no-memory",
    .value = "",
    .doc = "without allocations",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kSamplesArgument = {
    .name = "--no-samples",
    .value = "",
    .doc = "without what Python does between operators",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kDirectArgument = {
    .name = "--direct",
    .value = "",
    .doc = "operators without torch's observers in between, in builds of torch that were tried",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kReportArgument = {
    .name = "--no-report",
    .value = "",
    .doc = "end without the report",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr std::array<const Argument*, 13> kRunArguments = {
    &kScriptArgument,     &kPythonArgument,       &kRunOutputArgument, &kStepsArgument, &kMaxSecondsArgument,
    &kAfterStepsArgument, &kAfterSecondsArgument, &kShapesArgument,    &kStackArgument, &kMemoryArgument,
    &kSamplesArgument,    &kDirectArgument,       &kReportArgument,
};

inline constexpr Command kRunCommand = {
    .name = "run",
    .summary = "Runs a training script and records some steps of it; ends with the report.",
    .example = "skyline run train.py --epochs 1",
    .arguments = kRunArguments,
    .run = run_run,
    .takes_words = true,
};

}  // namespace skyline::cli

// skyline evaluate: how good the predictions for other batch sizes are, tested on the user's own model.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/entry_point_arguments.h"

namespace skyline::cli {

Result<Answer> run_evaluate(const Arguments& arguments, const Context& context);

inline constexpr Argument kStartArgument = {
    .name = "--start",
    .value = "N,N,…",
    .doc = "batch sizes to start profiles at (default: the entry point's own, half of it and twice)",
};
inline constexpr Argument kTargetsArgument = {
    .name = "--targets",
    .value = "N,N,…",
    .doc = "batch sizes to predict and to measure (default: some between those that the profiles ran)",
};
inline constexpr Argument kTrialsArgument = {
    .name = "--trials",
    .value = "N",
    .doc = "how often each size is visited, in turns (default: 5)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
    .max = 1000,
};

inline constexpr std::array<const Argument*, 11> kEvaluateArguments = {
    &kEntryPointArgument,    &kStartArgument,       &kTargetsArgument, &kTrialsArgument,
    &kSessionPythonArgument, &kProjectRootArgument, &kBudgetArgument,  &kMemoryCapacityArgument,
    &kPatienceArgument,      &kFormatArgument,      &kColorArgument,
};

inline constexpr Command kEvaluateCommand = {
    .name = "evaluate",
    .summary = "How far off predictions for other batch sizes are, by measuring these.",
    .example = "skyline evaluate entry_point.py --start 8,16,32 --targets 10,20,30 --trials 5",
    .arguments = kEvaluateArguments,
    .run = run_evaluate,
};

}  // namespace skyline::cli

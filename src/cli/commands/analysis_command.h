// skyline analysis: everything that one profile finds out, as JSON (docs/analysis_json.md).
#pragma once

#include <array>

#include "cli/commands/standalone_output.h"

namespace skyline::cli {

Result<Answer> run_analysis(const Arguments& arguments, const Context& context);

inline constexpr Argument kAnalysisOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "the JSON file to write, or - for standard output",
    .required = true,
    .short_name = "-o",
};

inline constexpr std::array<const Argument*, 10> kAnalysisArguments = {
    &kEntryPointArgument,  &kAnalysisOutputArgument, &kReplaceArgument,        &kSessionPythonArgument,
    &kProjectRootArgument, &kBudgetArgument,         &kMemoryCapacityArgument, &kBatchSizeArgument,
    &kPatienceArgument,    &kColorArgument,
};

inline constexpr Command kAnalysisCommand = {
    .name = "analysis",
    .summary = "Everything that one profile of an entry point finds out, as JSON.",
    .example = "skyline analysis entry_point.py -o analysis.json",
    .arguments = kAnalysisArguments,
    .run = run_analysis,
};

}  // namespace skyline::cli

// Made by tools/gen_marks.py from src/trace/marks.schema; change that.
// clang-format off
#pragma once

#include <string_view>

namespace skyline {

// Moments that `skyline run` marks, as ranges without length; all their names begin so.
inline constexpr std::string_view kMarkPrefix = "Skyline.";

// The optimizer with the number that follows has finished a step(); numbers tell them apart.
inline constexpr std::string_view kOptimizerMark = "Skyline.optimizer#";

// A DataLoader has handed over a batch of as many samples.
inline constexpr std::string_view kSamplesMark = "Skyline.samples#";

// The model is called with as many samples; only where no DataLoader was seen.
inline constexpr std::string_view kModelSamplesMark = "Skyline.model_samples#";

// The program evaluates from now on.
inline constexpr std::string_view kEvaluationBeginMark = "Skyline.evaluation_begin";

// The program trains again.
inline constexpr std::string_view kEvaluationEndMark = "Skyline.evaluation_end";

// A step with the number that follows, as torch.profiler marks it.
inline constexpr std::string_view kProfilerStep = "ProfilerStep#";

}  // namespace skyline

// Moments of a training run that `skyline run` marks in its recording, as ranges without length:
//
//   Skyline.optimizer#K             the K-th optimizer has finished a step() (numbers tell optimizers apart)
//   Skyline.samples#N               a DataLoader has handed over a batch of N samples
//   Skyline.evaluation_begin, _end  the program evaluates in between
#pragma once

#include <string_view>

namespace skyline {

inline constexpr std::string_view kMarkPrefix = "Skyline.";
inline constexpr std::string_view kOptimizerMark = "Skyline.optimizer#";
inline constexpr std::string_view kSamplesMark = "Skyline.samples#";
inline constexpr std::string_view kEvaluationBegin = "Skyline.evaluation_begin";
inline constexpr std::string_view kEvaluationEnd = "Skyline.evaluation_end";

}  // namespace skyline

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline {

// Finds the training steps: ProfilerStep ranges on the host; without them, the stretches that end
// with an optimizer's step. Device-side copies of the ranges do not count.
//
// Where our recorder has marked the optimizers (trace/marks.h), a step is a round in which all of them have
// stepped, and an evaluation before it is not part of it.
void find_steps(Trace& draft);

struct Evaluation {
  int64_t start_ns;
  int64_t end_ns;
};

// The stretches in which the program evaluates, by the recorder's marks and in order of time. One in which an
// optimizer steps was none.
std::vector<Evaluation> find_evaluations(const Trace& trace);

// The N of "prefixN"; none if the name is another.
std::optional<int64_t> number_after(std::string_view prefix, std::string_view name);

}  // namespace skyline

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline {

// Finds the training steps, as docs/glossary.md defines them under "step". Device-side copies of ProfilerStep
// ranges do not count.
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

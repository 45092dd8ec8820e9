// Whether the short way (direct_calls.h) tells of operators what an observer is told: compared on the first
// operators of the user's own, as they come. While that is done torch calls the observer, and the steps that
// it takes anyway say what they would have recorded.
#pragma once

#include <ATen/record_function.h>

#include <string_view>

namespace skyline::collect::direct_trial {

// As many that agree are enough, from beginning to end.
inline constexpr uint32_t kEnough = 64;

// What a step knows of an operator, before torch calls its observers.
struct Seen {
  const at::RecordFunction* guard;
  std::string_view name;
  int64_t sequence;
  c10::ArrayRef<const c10::IValue> inputs;
};
void step_saw(const Seen& seen) noexcept;

// The observer is told of its beginning; then the step that ends it comes by.
void observer_was_told(const at::RecordFunction& guard) noexcept;
void step_ended(const at::RecordFunction* guard) noexcept;

// For this process: it has told the same often enough, or something else once.
bool has_agreed();
bool has_differed();

}  // namespace skyline::collect::direct_trial

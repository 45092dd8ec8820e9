// The steps that torch takes around an observed operator, and their replacement; of a torch that is known
// (known_torch.h).
#pragma once

#include <ATen/record_function.h>
#include <c10/core/DispatchKeySet.h>

#include <optional>

namespace skyline::collect {

struct TorchSteps {
  using Guard = at::RecordFunction;
  using Function = Guard::FunctionDescriptor;
  using Schema = Guard::schema_ref_t;
  using Inputs = c10::ArrayRef<const c10::IValue>;

  // What guards go through, in the order in which they are replaced: the one that makes new ones possible is
  // the last.
  void (*destroy)(Guard*);
  void (*before)(Guard*, Function, int64_t sequence);
  void (*run)(Guard&, Schema, c10::DispatchKey, c10::DispatchKeySet);
  void (*run_with_inputs)(Guard&, Schema, c10::DispatchKey, c10::DispatchKeySet, Inputs);
  void (*construct)(Guard*, at::StepCallbacks&&);
  std::optional<at::StepCallbacks> (*step_callbacks)(at::RecordScope);
  static constexpr size_t kOfGuards = 6;
  static constexpr size_t kThatFollow = 5;      // from here on: what guards that exist do not need
  static constexpr size_t kThatMakeGuards = 0;  // from here on: all

  // What not every library calls.
  void (*construct_of_scope)(Guard*, at::RecordScope);
  void (*set_observers_of_thread)(const at::RecordFunctionTLS&);
  at::CallbackHandle (*add_global_callback)(at::RecordFunctionCallback);
  void (*reenable_callback)(at::CallbackHandle);

  // Only called.
  int64_t (*sequence_number)(c10::DispatchKey, c10::DispatchKeySet);
};

// torch's own; after replace_torch_steps().
extern TorchSteps torch_steps;

// From now on torch takes these steps instead of its own; a step that is nullptr stays. False where that can
// not be done: in a build of torch whose libraries call these in another way. They are the same at every
// call.
bool replace_torch_steps(const TorchSteps& replacements);

// Torch takes its own again, from the step with this number on. Replacements that a thread is in stay where
// they are.
void restore_torch_steps(size_t first);

}  // namespace skyline::collect

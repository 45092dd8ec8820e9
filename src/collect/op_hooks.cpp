// Operators and ranges, as torch tells its observers of them: on all threads, mostly without the GIL.
#include "collect/op_hooks.h"

#include <ATen/record_function.h>

#include <unordered_set>

#include "collect/direct_calls.h"
#include "collect/op_records.h"

namespace skyline::collect {
namespace {

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  const bool is_recorded = begin_range(function.name(), {.owner = &function,
                                                         .sequence = function.seqNr(),
                                                         .forward_thread = function.forwardThreadId(),
                                                         .scope = function.scope(),
                                                         .inputs = function.inputs()});
  if (is_recorded) direct_calls::learn(function);
  return nullptr;
}

void end(const at::RecordFunction& function, at::ObserverContext*) { end_range(&function); }

}  // namespace

void install_op_hooks(const Options& options) {
  remove_op_hooks();  // those of the process that this one is a copy of
  note_collective_name();
  at::RecordFunctionCallback callback(begin, end);
  callback.needsInputs(options.shapes);
  std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> scopes;
  if (options.ops) scopes = {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION};
  if (options.ranges) scopes.insert(at::RecordScope::USER_SCOPE);
  if (scopes.empty()) return;
  callback.scopes(scopes);
  const bool alone = !at::hasGlobalCallbacks();
  handle = at::addGlobalCallback(callback);
  if (options.ops && options.direct && alone) direct_calls::begin({begin, end});
}

bool remove_op_hooks() {
  const bool direct = direct_calls::end();
  if (handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
  return direct;
}

void leave_op_hooks() { direct_calls::leave(); }

}  // namespace skyline::collect

// Where in the user's program a backward op belongs.
//
// While the backward pass runs, Python stands in the line that called backward(), if it stands anywhere
// on that thread. So a backward op takes the stack and the module of its forward op, and so do the ops
// inside it, unless they were called from elsewhere: a hook or a custom Function has lines of its own.
#include "trace/inherit_stacks.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "trace/autograd_ranges.h"

namespace skyline {
namespace {

class StackHeir {
 public:
  explicit StackHeir(Trace& draft) : draft_(draft), inherits_(draft.ops.size(), false) {
    recorded_.assign(draft.ops.stack.begin(), draft.ops.stack.end());
  }

  // By start: what an op inherits from, its forward op or the op around it, has begun before it. Rows of
  // one start stand in the table with the enclosing before the enclosed.
  void run() {
    find_evaluated_functions();
    std::vector<uint32_t> rows(draft_.ops.size());
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(),
                     [this](uint32_t a, uint32_t b) { return start_ns(a) < start_ns(b); });
    for (const uint32_t row : rows) inherit(row);
  }

 private:
  int64_t start_ns(uint32_t row) const { return draft_.slices.start_ns[draft_.ops.slice[row].value]; }

  uint32_t row_of(SliceId slice) const { return draft_.slices.detail[slice.value]; }

  // The engine's range around a backward op may not know the forward op (with hooks it does not); the op
  // inside does.
  void find_evaluated_functions() {
    evaluated_.assign(draft_.ops.forward.begin(), draft_.ops.forward.end());
    for (uint32_t row = 0; row < evaluated_.size(); ++row) {
      const uint32_t around = draft_.ops.forward[row].exists() ? op_around(row) : kNoRow;
      if (around == kNoRow || evaluated_[around].exists()) continue;
      const std::string_view range = draft_.slice_name(draft_.ops.slice[around]);
      const std::string_view function = draft_.slice_name(draft_.ops.slice[row]);
      if (is_engine_range_of(range, function)) evaluated_[around] = draft_.ops.forward[row];
    }
  }

  void inherit(uint32_t row) {
    const SliceId forward = evaluated_[row];
    if (forward.exists()) return take(row, row_of(forward));
    const uint32_t around = op_around(row);
    if (around != kNoRow && inherits_[around] && recorded_[around] == recorded_[row]) take(row, around);
  }

  uint32_t op_around(uint32_t row) const {
    SliceId slice = draft_.slices.parent[draft_.ops.slice[row].value];
    while (slice.exists() && !is_op_or_range(draft_.category(slice)))
      slice = draft_.slices.parent[slice.value];
    return slice.exists() ? row_of(slice) : kNoRow;
  }

  void take(uint32_t row, uint32_t from) {
    draft_.ops.stack[row] = draft_.ops.stack[from];
    draft_.ops.module[row] = draft_.ops.module[from];
    inherits_[row] = true;
  }

  Trace& draft_;
  std::vector<bool> inherits_;
  std::vector<StackId> recorded_;
  std::vector<SliceId> evaluated_;  // by row: the forward op
};

}  // namespace

void inherit_stacks(Trace& draft) {
  if (draft.ops.stack.empty()) return;
  if (draft.ops.module.empty()) draft.ops.module.assign(draft.ops.size(), ModuleId());
  StackHeir(draft).run();
}

}  // namespace skyline

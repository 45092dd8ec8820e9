#include "trace/sums.h"

namespace skyline {
namespace {

// Numbers that are added as long as they fit.
class Total {
 public:
  bool takes(int64_t number) {
    // Frees count like allocations: a sum of either may be asked for.
    const uint64_t size =
        number < 0 ? uint64_t{0} - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    if (size > uint64_t{INT64_MAX} - sum_) return false;
    sum_ += size;
    return true;
  }

 private:
  uint64_t sum_ = 0;
};

}  // namespace

void count_too_large_sums(Trace& draft) {
  Total time, allocated, copied;
  for (size_t i = 0; i < draft.slices.size(); ++i) {
    if (!time.takes(draft.slices.dur_ns[i]))
      draft.losses.add(Loss::kSumTooLarge, draft.slices.source_place[i]);
  }
  // Neither of these tables knows where its rows stood.
  for (const int64_t bytes : draft.memory.bytes) {
    if (!allocated.takes(bytes)) draft.losses.add(Loss::kSumTooLarge, 0);
  }
  for (const int64_t bytes : draft.activities.bytes) {
    if (bytes > 0 && !copied.takes(bytes)) draft.losses.add(Loss::kSumTooLarge, 0);
  }
}

}  // namespace skyline

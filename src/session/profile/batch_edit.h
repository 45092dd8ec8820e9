// From what somebody wants to the edit of the source that gives it: a batch size, a throughput or a memory
// budget, as the models of a profile see them.
#pragma once

#include <cstdint>
#include <variant>

#include "base/result.h"
#include "session/profile/profile_result.h"
#include "session/project/source_edit.h"

namespace skyline::session {

struct BatchSizeTarget {
  int64_t batch_size;
};
struct ThroughputTarget {
  double samples_per_second;  // at least this many
};
struct MemoryTarget {
  int64_t peak_bytes;  // at most this much in torch's allocator
};
using BatchTarget = std::variant<BatchSizeTarget, ThroughputTarget, MemoryTarget>;

// The batch size that meets the target; or why none is known to.
Result<int64_t> batch_size_for(const ProfileResult& result, const BatchTarget& target);

// The edit that makes it the source's; or why it cannot be edited.
Result<Edit> edit_for(const ProfileResult& result, const BatchTarget& target);

}  // namespace skyline::session

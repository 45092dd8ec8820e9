#include "session/profile/batch_edit.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyline::session {
namespace {

Status check_trust(const BatchModel& model, const char* what) {
  if (model.doubt() == BatchDoubt::kNone) return Done{};
  return Error{fmt::format("{} cannot be predicted: {}", what, sentence_of(model.doubt()))};
}

Result<int64_t> for_throughput(const BatchModels& models, double per_second) {
  const Status trusted = check_trust(models.time_ns, "throughput");
  if (!trusted.ok()) return trusted.error();
  const std::optional<int64_t> found =
      smallest_batch_for(models.time_ns, per_second, std::max<int64_t>(models.largest.batch_size, 1));
  if (found) return *found;
  return Error{
      fmt::format("no batch size that fits is predicted to reach {:.0f} samples/s; the most is {:.0f}, at {}",
                  per_second, models.peak.per_second, models.peak.batch_size)};
}

Result<int64_t> for_memory(const BatchModels& models, int64_t bytes) {
  const Status trusted = check_trust(models.peak_bytes, "memory");
  if (!trusted.ok()) return trusted.error();
  const BatchLimit limit = largest_batch_within(models.peak_bytes, bytes);
  if (limit.batch_size >= 1) return limit.batch_size;
  return Error{fmt::format("not even batch size 1 is predicted to stay within {} bytes", bytes)};
}

}  // namespace

Result<int64_t> batch_size_for(const ProfileResult& result, const BatchTarget& target) {
  if (const auto* wanted = std::get_if<BatchSizeTarget>(&target)) {
    if (wanted->batch_size >= 1) return wanted->batch_size;
    return Error{"a batch size is at least 1"};
  }
  if (!result.models) return Error{"other batch sizes have not been run yet"};
  if (const auto* wanted = std::get_if<ThroughputTarget>(&target)) {
    return for_throughput(*result.models, wanted->samples_per_second);
  }
  return for_memory(*result.models, std::get<MemoryTarget>(target).peak_bytes);
}

Result<Edit> edit_for(const ProfileResult& result, const BatchTarget& target) {
  SKYLINE_TRY(const int64_t batch_size, batch_size_for(result, target));
  if (!result.loaded.literal) return Error{result.loaded.no_literal};
  return make_edit(*result.loaded.literal, batch_size);
}

}  // namespace skyline::session

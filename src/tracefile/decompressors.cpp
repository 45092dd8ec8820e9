#include "tracefile/decompressors.h"

#include <zstd.h>

#include <utility>

#include "base/out_of_memory.h"

namespace skyline::tracefile {

void Decompressors::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

size_t Decompressors::unpack(void* to, size_t to_bytes, const void* from, size_t from_bytes) {
  Context context = take();
  const size_t n = ZSTD_decompressDCtx(context.get(), to, to_bytes, from, from_bytes);
  give_back(std::move(context));
  return n;
}

Decompressors::Context Decompressors::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(made_ + 1);
    Context made(allocated(ZSTD_createDCtx()));
    ++made_;
    return made;
  }
  Context context = std::move(idle_.back());
  idle_.pop_back();
  return context;
}

void Decompressors::give_back(Context context) noexcept {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(context));
}

}  // namespace skyline::tracefile

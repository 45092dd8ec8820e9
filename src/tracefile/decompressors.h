// Contexts of zstd for unpacking, used again and again: making one costs as much as unpacking a small column.
// Not thread_local: where memory is short, registering a destructor for a thread aborts the program.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

struct ZSTD_DCtx_s;

namespace skyline::tracefile {

class Decompressors {
 public:
  // What zstd's ZSTD_decompressDCtx gives, with an idle context. From any thread.
  size_t unpack(void* to, size_t to_bytes, const void* from, size_t from_bytes);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  using Context = std::unique_ptr<ZSTD_DCtx_s, Free>;

  Context take();
  void give_back(Context context) noexcept;

  std::mutex mutex_;
  size_t made_ = 0;
  std::vector<Context> idle_;  // has room for all that were made
};

}  // namespace skyline::tracefile

#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace skyline {
namespace {

// The first exception of several threads.
class FirstException {
 public:
  void keep_current() noexcept {
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr) first_ = std::current_exception();
  }

  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace

unsigned thread_count(unsigned wanted) {
  return wanted > 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

void run_on_threads(unsigned threads, const std::function<void()>& work) {
  FirstException thrown;
  const auto guarded = [&]() noexcept {
    try {
      work();
    } catch (...) {
      thrown.keep_current();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      others.reserve(std::max(1u, threads) - 1);
      while (others.size() + 1 < threads) others.emplace_back(guarded);
    } catch (const std::system_error&) {
      // Those that run share the work.
    } catch (const std::bad_alloc&) {
    }
    guarded();
  }  // joins
  thrown.rethrow();
}

void parallel_for(size_t count, unsigned threads, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  run_on_threads(static_cast<unsigned>(std::min<size_t>(threads, count)), [&] {
    try {
      for (size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      throw;
    }
  });
}

}  // namespace skyline

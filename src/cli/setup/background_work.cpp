#include "cli/setup/background_work.h"

#include <new>
#include <system_error>
#include <utility>

namespace skyline::cli {

BackgroundWork::BackgroundWork() {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return;
  }
}

BackgroundWork::~BackgroundWork() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BackgroundWork::add(Work work) {
  if (!thread_.joinable()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.notify_all();
}

void BackgroundWork::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::list<Work> next;  // with what the work holds, it goes before we wait again
    next.splice(next.begin(), waiting_, waiting_.begin());
    lock.unlock();
    try {
      next.front()();
    } catch (const std::bad_alloc&) {
      // It would only have saved time.
    }
    next.clear();
    lock.lock();
  }
}

}  // namespace skyline::cli

#include "serve/http/worker_pool.h"

#include <exception>
#include <utility>

namespace skyline::serve {

WorkerPool::WorkerPool(size_t threads, size_t most_each) : most_each_(most_each) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
    if (threads_.empty()) throw;
  }
}

void WorkerPool::end() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  clients_.clear();
}

void WorkerPool::run(uint64_t client, Work work) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    clients_[client].waiting.push_back(std::move(work));
  }
  changed_.notify_one();
}

void WorkerPool::forget(uint64_t client) {
  std::list<Work> dropped;  // and whatever it holds goes without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  dropped.swap(found->second.waiting);
  if (found->second.running == 0) clients_.erase(found);
}

// The next one in turn that may run something.
bool WorkerPool::take(uint64_t& client, Work& work) {
  auto next = clients_.upper_bound(last_);
  for (size_t i = 0; i < clients_.size(); ++i, ++next) {
    if (next == clients_.end()) next = clients_.begin();
    Client& candidate = next->second;
    if (candidate.waiting.empty() || candidate.running >= most_each_) continue;
    work = std::move(candidate.waiting.front());
    candidate.waiting.pop_front();
    ++candidate.running;
    last_ = client = next->first;
    return true;
  }
  return false;
}

void WorkerPool::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    uint64_t client = 0;
    Work work;
    changed_.wait(lock, [&] { return is_ending_ || take(client, work); });
    if (is_ending_) return;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    const auto found = clients_.find(client);
    --found->second.running;
    if (found->second.running == 0 && found->second.waiting.empty()) clients_.erase(found);
    changed_.notify_one();  // the client may have reached its limit before
  }
}

}  // namespace skyline::serve

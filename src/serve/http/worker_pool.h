// Threads that answer requests. Clients take turns, and none can hold all threads: whoever asks for something
// slow lets others pass.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace skyline::serve {

class WorkerPool {
 public:
  using Work = std::function<void()>;

  // `most_each`: how many threads work for one client at a time. Where the system refuses threads, there are
  // fewer; without any, std::system_error is thrown.
  WorkerPool(size_t threads, size_t most_each);
  ~WorkerPool() { end(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void run(uint64_t client, Work work);
  void forget(uint64_t client);  // what waits for it
  void end();                    // when what runs is over; what waits is dropped

 private:
  struct Client {
    std::list<Work> waiting;  // an empty one needs no memory
    size_t running = 0;
  };

  void work();
  bool take(uint64_t& client, Work& work);

  const size_t most_each_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, Client> clients_;  // those with something to do
  uint64_t last_ = 0;                   // whose turn it was
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace skyline::serve

// BackgroundWork: what can be done while the user looks, one thing after another, on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace skyline::cli {

class BackgroundWork {
 public:
  using Work = std::function<void()>;

  // Where the system has no thread for us, nothing is done, nor is what needs more memory than there is: all
  // of this is work that only saves time.
  BackgroundWork();
  ~BackgroundWork();  // once all that was added is done
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  void add(Work work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Work> waiting_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace skyline::cli

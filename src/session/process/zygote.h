// Zygote: a Python process that has imported torch and is copied for every profile
// (python/skyline/_zygote.py).
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/process/messages.h"
#include "session/process/output_tail.h"
#include "session/process/process.h"
#include "session/process/python_launch.h"

namespace skyline::session {

class Zygote {
 public:
  // `preload`: modules to import besides torch, which are known to be no trouble or not known yet.
  static Result<std::unique_ptr<Zygote>> start(const PythonLaunch& python,
                                               const std::vector<std::string>& preload);

  // It ends all its copies, and what they have started, before it goes.
  ~Zygote();

  // Readable when receive() has something to do.
  int descriptor() const { return control_.get(); }
  // What it has sent; returns at once.
  void receive();

  bool is_ready() const { return ready_.has_value(); }
  bool is_gone() const { return gone_; }
  // How it went; with SIGSTOP it was stopped and then ended.
  const ProcessEnd& end() const { return end_; }
  // What keeps it from being ready, of what it was told to preload, and since when; empty: something else.
  const std::string& importing() const { return importing_; }
  std::chrono::steady_clock::duration importing_for() const {
    return std::chrono::steady_clock::now() - importing_since_;
  }
  const std::optional<ZygoteReady>& ready() const { return ready_; }
  // The module because of which it ended.
  const std::optional<ZygoteTainted>& taint() const { return taint_; }
  // What it printed last, for the case that it went without a word.
  std::string last_words();

  // Runs "module:function" in a copy of it; `descriptors`: standard output, error, and more for the function.
  Result<std::unique_ptr<Task>> start_task(std::string_view function, const std::vector<int>& descriptors);

 private:
  class Copy;

  Zygote(std::unique_ptr<Task> process, Descriptor control, OutputTail errors)
      : process_(std::move(process)), control_(std::move(control)), errors_(std::move(errors)) {}

  bool send(const std::string& message, const std::vector<int>& descriptors);
  void take(const ZygoteMessage& message);
  // It is of no use any more.
  void give_up(const ProcessEnd& end);

  std::unique_ptr<Task> process_;
  Descriptor control_;
  OutputTail errors_;
  std::optional<ZygoteReady> ready_;
  std::optional<ZygoteTainted> taint_;
  bool gone_ = false;
  ProcessEnd end_;
  bool is_end_known_ = false;
  std::string importing_;
  std::chrono::steady_clock::time_point importing_since_;
  int64_t last_number_ = 0;
  std::map<int64_t, int64_t> started_;   // process by number of the task
  std::map<int64_t, ProcessEnd> ended_;  // by number of the task; taken by who asks
};

}  // namespace skyline::session

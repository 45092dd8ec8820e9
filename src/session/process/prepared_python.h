// PreparedPython: a zygote that is ready, or on its way; modules that would spoil it are found out and left
// out. One that is gone, whoever did it, is replaced.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/process/preload_list.h"
#include "session/process/zygote.h"

namespace skyline::session {

class PreparedPython {
 public:
  PreparedPython(PythonLaunch python, const std::string& cache_folder, const std::string& project_root)
      : python_(std::move(python)), preload_(cache_folder, project_root) {}

  // Whether it is ready now; starts what there is to start. Fails when Python has no torch.
  Result<bool> is_ready();
  // The same, but waits until it is; `wait` is called in between, and gives up when it returns false.
  template <typename Wait>
  Result<bool> make_ready(Wait wait) {
    while (true) {
      SKYLINE_TRY(const bool ready, is_ready());
      if (ready) return true;
      if (!wait()) return false;
    }
  }

  // Readable when is_ready() is worth asking; -1: nothing has been started.
  int descriptor() const { return zygote_ != nullptr && !zygote_->is_gone() ? zygote_->descriptor() : -1; }
  // What it printed last: that the collector is being compiled, say.
  std::string last_words() { return zygote_ != nullptr ? zygote_->last_words() : ""; }

  Zygote* zygote() { return zygote_.get(); }
  const Zygote* zygote() const { return zygote_.get(); }
  // Whether there was one and it has gone, or was stopped, after it had been ready; is_ready() replaces it.
  bool is_lost() const { return zygote_ != nullptr && zygote_->is_gone() && zygote_->is_ready(); }
  const PythonLaunch& launch() const { return python_; }

  // What the project has imported will be there the next time: if it is news, the next zygote is begun.
  void learn(const std::vector<std::string>& modules);
  // The same without a zygote that would have them.
  void remember(const std::vector<std::string>& modules) { preload_.add(modules); }
  // Ends it and all that it has started.
  void end() { zygote_.reset(); }

 private:
  PythonLaunch python_;
  PreloadList preload_;
  std::unique_ptr<Zygote> zygote_;
  int failed_starts_ = 0;  // in a row, by signals
};

}  // namespace skyline::session

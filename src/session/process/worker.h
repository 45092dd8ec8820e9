// Worker: a process that runs the user's entry point as we tell it (python/skyline/worker.py). Every call
// waits for the answer, and ends early when the process ends, hangs, or nobody wants the answer any more.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/process/messages.h"
#include "session/process/output_tail.h"
#include "session/process/zygote.h"

namespace skyline::session {

// What may end a wait.
struct Interruption {
  std::vector<int> descriptors = {};     // worth a look when one of them is readable
  std::function<bool()> is_due = {};     // whether to give up
  int64_t patience_ns = 60'000'000'000;  // without an answer; compilation by torch has ten times that
  int64_t stall_ns = 10'000'000'000;     // without any work of the process
  std::function<void()> on_wait = {};    // called a few times a second meanwhile
};

class Worker {
 public:
  // In a copy of the zygote, or, when that is null, in a fresh process. `doings`: where the user's code is to
  // tell what it does (RunDoings); -1: nowhere.
  // What it prints goes to `log` as well, up to a limit; empty: nowhere.
  static Attempt<std::unique_ptr<Worker>> start(const PythonLaunch& python, Zygote* zygote, int doings = -1,
                                                const std::string& log = {});
  // Waits for its end, but not for ever.
  ~Worker();

  // `what` is to be loaded but for the endings of files, which are known here.
  Attempt<Loaded> load(Load what, const Interruption& interruption);
  Attempt<Iterated> iterate(int64_t batch_size, int64_t count, int64_t limit_ns,
                            const Interruption& interruption);
  // Freed memory stays with the process from now on, so that it need not be fetched again page by page.
  Attempt<MemoryKept> keep_memory(const Interruption& interruption);
  // The name of the file gets the ending that its recorder gives it.
  Attempt<Recording> record(const std::string& recording, RecordedKind what,
                            const Interruption& interruption);
  Attempt<Recorded> stop_recording(const Interruption& interruption);

  bool is_fresh_process() const { return is_fresh_; }
  const OutputTail& output() const { return output_; }

 private:
  Worker(Descriptor control, Descriptor dump, OutputTail output) noexcept;

  // `what` is for the user: "the model provider".
  Attempt<std::string> call(const std::string& command, std::string_view what,
                            const Interruption& interruption);
  bool send(const std::string& command);
  bool take_answer(std::string& answer);
  bool has_memory_run_out(const ProcessEnd& end) const;
  Trouble tell_end(const ProcessEnd& end, std::string_view what);
  Trouble tell_stuck(std::string_view what, int64_t waited_ns);
  std::string stack_now();

  std::unique_ptr<Task> task_;
  Descriptor control_, dump_;
  OutputTail output_;
  std::string received_;
  std::string project_root_;
  bool is_fresh_ = false;
  std::optional<int64_t> killed_before_ = processes_killed_for_memory();
};

// The user's innermost line in a stack as Python's faulthandler writes it; path empty: none. A file is the
// user's if it is below the root and not in an installed package.
struct StackPlace {
  std::string path;
  int64_t line = 0;
};
StackPlace place_in_stack(std::string_view dump, std::string_view project_root);

}  // namespace skyline::session

// Processes that run Python for us.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "session/process/process_end.h"
#include "session/process/python_launch.h"

namespace skyline::session {

// A process that runs a task, whoever has started it.
class Task {
 public:
  virtual ~Task() = default;
  virtual pid_t pid() const = 0;
  // Readable when ended() is worth asking.
  virtual int descriptor() const = 0;
  virtual std::optional<ProcessEnd> ended() = 0;
  // Kills it and all that it has started.
  virtual void kill() = 0;
};

// A child of ours, in a session of its own. It is killed when this object goes.
Result<std::unique_ptr<Task>> launch(const Launch& what);

struct Pipe {
  Descriptor read, write;  // reading does not block
};

Result<Pipe> make_pipe();

// Two connected sockets; `type` as in socket(2).
Result<std::pair<Descriptor, Descriptor>> make_socket_pair(int type);

// "not enough descriptors: …": why the system refused.
Error system_error(const std::string& what);

// The whole file; empty if it cannot be read. Streams would throw where the system refuses only the reading:
// of a folder, or of a process that is gone.
std::string read_file(const std::string& path);

// Whether it has been stopped, with SIGSTOP for one, and waits to be told to go on.
bool is_stopped(pid_t pid);

// How long the process has used the processor, by the system's clock; none: it is gone.
std::optional<int64_t> processor_time_ns(pid_t pid);

// How many processes the system has killed for want of memory since it was started; none: it does not say.
std::optional<int64_t> processes_killed_for_memory();

}  // namespace skyline::session

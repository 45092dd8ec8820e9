// What the session and its Python processes say to each other (python/skyline/worker.py, _zygote.py): JSON,
// one object per message. What comes from there is checked field by field; anything else is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "session/process/process.h"
#include "session/process/trouble.h"
#include "session/project/source_edit.h"

namespace skyline {

// ---- From the zygote. -------------------------------------------------------------------------

struct ZygoteReady {
  std::string python, torch;
};
struct ZygoteTainted {
  std::string module, why;
};
struct TaskStarted {
  int64_t number, pid;
};
struct TaskEnded {
  int64_t number;
  ProcessEnd end;
};
struct ZygoteImporting {
  std::string module;
};
struct ZygoteGone {
  ProcessEnd end;
};
using ZygoteMessage =
    std::variant<ZygoteReady, ZygoteTainted, ZygoteImporting, TaskStarted, TaskEnded, ZygoteGone>;

Result<ZygoteMessage> parse_zygote_message(std::string_view text);

// ---- From the user's code, as it runs (python/skyline/_doings.py). ------------------------------

struct WritesFile {
  std::string path;  // about to be written, renamed or removed
};
struct StartsPrograms {};
struct KillsParent {
  std::string signal;
  std::string path = {};  // the user's line; empty: not known
  int64_t line = 0;
};
using Doing = std::variant<WritesFile, StartsPrograms, KillsParent>;

Result<Doing> parse_doing(std::string_view text);

// ---- To and from a worker. --------------------------------------------------------------------

struct SourceFileHash {
  std::string path, sha256;
};

struct Loaded {
  int64_t batch_size = 0;
  std::optional<BatchLiteral> literal;
  std::string no_literal;           // why there is none
  std::string device;               // "cpu", "cuda:0"
  int64_t device_memory_bytes = 0;  // of the device, less what others and its context use; 0 on the CPU
  std::vector<SourceFileHash> files;
  std::vector<std::string> modules;  // packages that the project imports and that are not its own
};

struct InputTensor {
  std::string dtype;  // empty: not a tensor
  std::vector<int64_t> shape;
};

struct Iterated {
  std::vector<int64_t> durations_ns;
  std::vector<int64_t> compile_ns;  // of these, by torch.compile
  std::vector<InputTensor> inputs;
  int64_t resident_peak_bytes = 0;
  int64_t page_faults = 0;  // in all of them
};

struct MemoryKept {
  bool is_kept = false;  // freed memory stays with the process from now on
};

struct Recorded {
  std::string path;
};

// `endings`: of files of which the worker tells when the code writes them.
std::string load_command(const std::string& entry_point, const std::string& project_root,
                         const std::string& recording, std::span<const std::string_view> endings);
std::string iterate_command(int64_t batch_size, int64_t count, int64_t limit_ns);
std::string keep_memory_command();
std::string record_command(const std::string& recording, std::string_view what);
std::string stop_recording_command();

Attempt<Loaded> parse_loaded(std::string_view answer);
Attempt<Iterated> parse_iterated(std::string_view answer);
Attempt<MemoryKept> parse_kept(std::string_view answer);
Attempt<Recorded> parse_recording(std::string_view answer);
Attempt<Recorded> parse_recorded(std::string_view answer);

}  // namespace skyline

// Made by tools/gen_worker_messages.py from protocol/worker.protocol; change that.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skyline {
class JsonFields;  // base/json_fields.h
}

namespace skyline::session {

struct Load {
  std::string entry_point;  // or a training script
  std::string project_root;
  std::optional<std::string> recording;  // where to; recording begins before the user's first line runs
  std::vector<std::string> endings;  // of files of which the worker tells when the code writes them
  std::vector<std::string> arguments;  // of a script
  std::string module;  // the script's name, if it is run as `python -m` does; empty: as a file
  std::string edit_path;  // a file that is taken as if other text stood in one place of it; empty: none
  int64_t edit_begin = 0;  // from the file's start
  int64_t edit_end = 0;
  std::string edit_text;
  int64_t loaders_from = 0;  // DataLoaders of this batch size get another one; 0: none
  int64_t loaders_to = 0;
};

// Where the batch size stands in the source, as python/skyline/_batch_literal.py finds it.
struct BatchLiteral {
  std::string path;
  int64_t value = 0;
  int64_t begin_byte = 0;  // from the file's start
  int64_t end_byte = 0;
  int64_t line = 0;  // from 1
  int64_t begin_column = 0;  // from 0, in UTF-16 units, as editors count
  int64_t end_column = 0;
  std::string file_hash;  // SHA-256 of the whole file
};

struct SourceFileHash {
  std::string path;
  std::string sha256;
};

struct Loaded {
  int64_t batch_size = 0;
  std::optional<BatchLiteral> literal;
  std::string no_literal;  // why there is none
  std::string device;  // "cpu", "cuda:0"
  int64_t device_memory_bytes = 0;  // of the device, less what others and its context use; 0 on the CPU
  std::vector<SourceFileHash> files;
  std::vector<std::string> modules;  // packages that the project imports and that are not its own
  bool is_script = false;  // no entry point
  int64_t script_workers = 0;  // of its DataLoader, which take turns; -1: it has none
  int64_t samples = 0;  // of an iteration: those of several batches, where gradients are accumulated
  std::string other_sizes;  // how a script is given another batch size: "edit", "argument", "loaders"; empty: not at all
  int64_t argument = 0;  // with "argument": which, from 0,
  std::string argument_prefix;  // and what stands before the number in it
};

struct Iterate {
  int64_t batch_size = 0;
  int64_t count = 0;
  int64_t limit_ns = 0;
};

struct InputTensor {
  std::string dtype;  // empty: not a tensor
  std::vector<int64_t> shape;
};

struct Iterated {
  std::vector<int64_t> durations_ns;
  std::vector<int64_t> compile_ns;  // of these, by torch.compile
  std::vector<int64_t> data_ns;  // of these, waiting for DataLoaders; empty: not known
  std::vector<int64_t> samples;  // of each; empty: the same in all
  bool is_over = false;  // the script has ended: there may be fewer than were asked for, or none
  std::vector<InputTensor> inputs;
  int64_t resident_peak_bytes = 0;
  int64_t page_faults = 0;  // in all of them
};

struct MemoryKept {
  bool is_kept = false;
};

enum class RecordedKind : uint8_t { kAll, kMemory };

struct Record {
  std::string recording;
  RecordedKind what{};
};

// The file that is written from now on; which kind of file depends on the recorder.
struct Recording {
  std::string path;
};

// The file that is complete.
struct Recorded {
  std::string path;
};

struct WorkerError {
  std::string path;  // of the user's line; empty: not known
  int64_t line = 0;
  std::string sentence;
};

// Tasks are numbered by who starts them.
struct StartTask {
  int64_t number = 0;
  std::string task;  // "package.module:function"
  std::optional<std::string> arguments;  // by name, as JSON
  std::optional<int64_t> threads;  // of torch
};

struct StopTask {
  int64_t number = 0;
};

struct ZygoteReady {
  std::string python;  // version
  std::string torch;  // version; empty: there is none
};

struct ZygoteImporting {
  std::string module;
};

struct ZygoteTainted {
  std::string module;
  std::string why;
};

struct TaskStarted {
  int64_t number = 0;
  int64_t pid = 0;
};

struct TaskEnded {
  int64_t number = 0;
  std::optional<int64_t> code;
  std::optional<std::string> signal;  // "SIGSEGV"; else it ended by itself, with `code`
};

struct ZygoteGone {
  std::optional<int64_t> code;
  std::optional<std::string> signal;
};

struct WritesFile {
  std::string path;  // about to be written, renamed or removed
};

struct StartsPrograms {
};

struct KillsParent {
  std::string signal;
  std::string path;  // the user's line; empty: not known
  int64_t line = 0;
};

// ---- Commands, each an object of JSON. ----

// Imports the entry point and makes the model; a training script runs until it has done its first steps, and stands still after a step whenever no more are asked for.
std::string load_command(const Load& message);

// Runs up to `count` iterations, none after `limit_ns` have gone by.
std::string iterate_command(const Iterate& message);

// Freed memory stays with the process from now on.
std::string keep_memory_command();

std::string record_command(const Record& message);

std::string stop_recording_command();

// Runs a function in a copy of the zygote. The first two descriptors that come with it are the task's standard output and error; the numbers of the others are its first arguments.
std::string start_task_command(const StartTask& message);

std::string stop_task_command(const StopTask& message);

// ---- Answers and events: the key of each and its fields. A wrong one makes everything wrong; see JsonFields. ----

constexpr std::string_view key_of(const Loaded&) { return "loaded"; }
constexpr std::string_view key_of(const Iterated&) { return "iterated"; }
constexpr std::string_view key_of(const MemoryKept&) { return "memory_kept"; }
constexpr std::string_view key_of(const Recording&) { return "recording"; }
constexpr std::string_view key_of(const Recorded&) { return "recorded"; }
constexpr std::string_view key_of(const WorkerError&) { return "error"; }
constexpr std::string_view key_of(const ZygoteReady&) { return "ready"; }
constexpr std::string_view key_of(const ZygoteImporting&) { return "importing"; }
constexpr std::string_view key_of(const ZygoteTainted&) { return "tainted"; }
constexpr std::string_view key_of(const TaskStarted&) { return "started"; }
constexpr std::string_view key_of(const TaskEnded&) { return "ended"; }
constexpr std::string_view key_of(const ZygoteGone&) { return "gone"; }
constexpr std::string_view key_of(const WritesFile&) { return "writes"; }
constexpr std::string_view key_of(const StartsPrograms&) { return "starts"; }
constexpr std::string_view key_of(const KillsParent&) { return "kills"; }

void read(const JsonFields& fields, BatchLiteral& message);
void read(const JsonFields& fields, SourceFileHash& message);
void read(const JsonFields& fields, Loaded& message);
void read(const JsonFields& fields, InputTensor& message);
void read(const JsonFields& fields, Iterated& message);
void read(const JsonFields& fields, MemoryKept& message);
void read(const JsonFields& fields, Recording& message);
void read(const JsonFields& fields, Recorded& message);
void read(const JsonFields& fields, WorkerError& message);
void read(const JsonFields& fields, ZygoteReady& message);
void read(const JsonFields& fields, ZygoteImporting& message);
void read(const JsonFields& fields, ZygoteTainted& message);
void read(const JsonFields& fields, TaskStarted& message);
void read(const JsonFields& fields, TaskEnded& message);
void read(const JsonFields& fields, ZygoteGone& message);
void read(const JsonFields& fields, WritesFile& message);
void read(const JsonFields& fields, StartsPrograms& message);
void read(const JsonFields& fields, KillsParent& message);

}  // namespace skyline::session

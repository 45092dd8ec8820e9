// A recording written by hand, for the unit tests of this folder. One tick is one nanosecond behind
// 2023-11-14 22:13:20 UTC, unless the test sets the clock itself.
//
//   TestRecording r;
//   const uint32_t main = r.thread(100, "main");
//   r.event(EventKind::kOp, "aten::mm", main, 10, 20);
//   const auto trace = r.read();
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ingest/ingest.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

class TestRecording {
 public:
  static constexpr int64_t kStartNs = 1'700'000'000'000'000'000;

  struct Event {
    tracefile::EventKind kind = tracefile::EventKind::kOp;
    uint32_t thread = 0;
    uint64_t start = 0;
    uint64_t dur = 0;
    uint32_t name = 0;
    int64_t sequence = -1;
    uint32_t fwd_thread = 0;
    uint32_t shapes = tracefile::kNoId;
    uint32_t stack = tracefile::kNoId;
    uint8_t flags = 0;
    uint32_t collective = tracefile::kNoId;
  };

  std::vector<std::pair<uint64_t, int64_t>> clock = {{0, kStartNs},
                                                     {1'000'000'000, kStartNs + 1'000'000'000}};
  std::map<std::string, std::string> meta = {{"process.id", "77"}, {"torch.version", "2.13.0"}};
  std::vector<Event> events;
  std::vector<std::pair<std::string, uint64_t>> losses;
  std::vector<std::string> device_text;  // blocks
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> parts;  // bytes by name
  bool finished = true;

  uint32_t string(const std::string& text) {
    const auto [entry, is_new] = strings_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return entry->second;
  }
  uint32_t thread(int64_t os_tid, const std::string& name = "") {
    threads_.push_back({os_tid, name});
    return static_cast<uint32_t>(threads_.size() - 1);
  }
  Event& event(tracefile::EventKind kind, const std::string& name, uint32_t thread, uint64_t start,
               uint64_t dur) {
    events.push_back({.kind = kind, .thread = thread, .start = start, .dur = dur, .name = string(name)});
    return events.back();
  }
  uint32_t shape(const std::string& dims, const std::string& types, const std::string& strides) {
    shapes_.push_back({dims, types, strides});
    return static_cast<uint32_t>(shapes_.size() - 1);
  }
  uint32_t module(const std::string& name, const std::string& class_name) {
    modules_.push_back({string(name), string(class_name)});
    return static_cast<uint32_t>(modules_.size() - 1);
  }
  // A line of code below `parent`, running in `module`.
  uint32_t stack(uint32_t parent, const std::string& file, const std::string& function, int32_t line,
                 uint32_t module = tracefile::kNoId) {
    frames_.push_back({string(file), string(function), line});
    stacks_.push_back({parent, static_cast<uint32_t>(frames_.size() - 1), module});
    return static_cast<uint32_t>(stacks_.size() - 1);
  }
  void memory(uint32_t thread, uint64_t ticks, uint64_t address, int64_t bytes, int64_t total) {
    memory_.push_back({thread, ticks, address, bytes, total});
  }
  void sample(uint32_t thread, uint64_t ticks, uint32_t stack) { samples_.push_back({thread, ticks, stack}); }
  void pause(uint32_t thread, uint64_t start, uint64_t dur) { pauses_.push_back({thread, start, dur}); }
  void count(uint64_t ticks, const std::string& name, double value) {
    counters_.push_back({ticks, string(name), value});
  }
  // One that was alive before.
  void live_block(uint64_t address, int64_t bytes) { live_blocks_.push_back({0, 0, address, bytes, 0}); }
  void tensor(uint8_t role, const std::string& name, const std::string& module, uint64_t address,
              int64_t bytes, uint64_t ticks) {
    tensors_.push_back({role, string(name), string(module), string("[2,3]"), address, bytes, ticks});
  }
  uint32_t collective(const std::string& name, int64_t in_elements) {
    collectives_.push_back({string(name), in_elements});
    return static_cast<uint32_t>(collectives_.size() - 1);
  }

  // The file's bytes. Definitions come behind what uses them, as a recorder may write them.
  std::string bytes() {
    std::string path = "/tmp/skyline_test_XXXXXX";
    const int fd = ::mkstemp(path.data());
    CHECK(fd >= 0);
    ::close(fd);
    write(path);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    std::string bytes;
    for (int c = std::getc(file); c != EOF; c = std::getc(file)) bytes += static_cast<char>(c);
    std::fclose(file);
    std::remove(path.c_str());
    return bytes;
  }

  void write(const std::string& path) {
    Result<tracefile::Writer> writer = tracefile::Writer::create(path, {.creator = "skyline test"});
    CHECK(writer.ok());
    writer_ = &writer.value();
    write_meta();
    write_events();
    write_memory();
    write_tensors();
    write_sampling();
    write_definitions();
    write_device_text();
    if (finished) CHECK(writer_->finish().ok());
  }

  std::unique_ptr<const Trace> read() {
    Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(bytes(), "test.skyline", {.threads = 2});
    CHECK(trace.ok());
    return std::move(trace).value();
  }

 private:
  struct Shape {
    std::string dims, types, strides;
  };
  struct Frame {
    uint32_t file, function;
    int32_t line;
  };
  struct Stack {
    uint32_t parent, frame, module;
  };
  struct Allocation {
    uint32_t thread;
    uint64_t ticks, address;
    int64_t bytes, total;
  };
  struct Sample {
    uint32_t thread;
    uint64_t ticks;
    uint32_t stack;
  };
  struct Pause {
    uint32_t thread;
    uint64_t start, dur;
  };
  struct Counter {
    uint64_t ticks;
    uint32_t name;
    double value;
  };
  struct Tensor {
    uint8_t role;
    uint32_t name, module, dims;
    uint64_t address;
    int64_t bytes;
    uint64_t ticks;
  };

  // One column: `get` of every row.
  template <typename T, typename Rows, typename Get>
  static void add(tracefile::ChunkBuilder& chunk, const tracefile::NumberColumn<T>& column, const Rows& rows,
                  Get get) {
    Column<T> values;
    uint32_t index = 0;
    for (const auto& row : rows) values.push_back(static_cast<T>(get(row, index++)));
    chunk.add(column, values);
  }
  template <typename Rows, typename Get>
  static void add(tracefile::ChunkBuilder& chunk, const tracefile::TextColumn& column, const Rows& rows,
                  Get get) {
    std::vector<std::string_view> texts;
    for (const auto& row : rows) texts.push_back(get(row));
    chunk.add(column, texts);
  }
  void append(const tracefile::ChunkBuilder& chunk) {
    if (chunk.rows() > 0) CHECK(writer_->append(chunk).ok());
  }

  void write_meta() {
    namespace s = tracefile;
    s::ChunkBuilder chunk(s::TableId::kMeta);
    add(chunk, s::meta::kKey, meta, [](const auto& row) { return std::string_view(row.first); });
    add(chunk, s::meta::kValue, meta, [](const auto& row) { return std::string_view(row.second); });
    append(chunk);
    chunk.restart(s::TableId::kClock);
    add(chunk, s::clock::kTicks, clock, [](const auto& row, uint32_t) { return row.first; });
    add(chunk, s::clock::kUnixNs, clock, [](const auto& row, uint32_t) { return row.second; });
    append(chunk);
  }

  void write_events() {
    namespace e = tracefile::events;
    tracefile::ChunkBuilder chunk(e::kT);
    add(chunk, e::kThread, events, [](const Event& row, uint32_t) { return row.thread; });
    add(chunk, e::kStartTicks, events, [](const Event& row, uint32_t) { return row.start; });
    add(chunk, e::kDurTicks, events, [](const Event& row, uint32_t) { return row.dur; });
    add(chunk, e::kName, events, [](const Event& row, uint32_t) { return row.name; });
    add(chunk, e::kKind, events, [](const Event& row, uint32_t) { return static_cast<uint8_t>(row.kind); });
    add(chunk, e::kSequence, events, [](const Event& row, uint32_t) { return row.sequence; });
    add(chunk, e::kFwdThread, events, [](const Event& row, uint32_t) { return row.fwd_thread; });
    add(chunk, e::kShapes, events, [](const Event& row, uint32_t) { return row.shapes; });
    add(chunk, e::kStack, events, [](const Event& row, uint32_t) { return row.stack; });
    add(chunk, e::kFlags, events, [](const Event& row, uint32_t) { return row.flags; });
    add(chunk, e::kCollective, events, [](const Event& row, uint32_t) { return row.collective; });
    append(chunk);
  }

  void write_memory() {
    namespace m = tracefile::memory;
    tracefile::ChunkBuilder chunk(m::kT);
    add(chunk, m::kThread, memory_, [](const Allocation& row, uint32_t) { return row.thread; });
    add(chunk, m::kTicks, memory_, [](const Allocation& row, uint32_t) { return row.ticks; });
    add(chunk, m::kAddress, memory_, [](const Allocation& row, uint32_t) { return row.address; });
    add(chunk, m::kBytes, memory_, [](const Allocation& row, uint32_t) { return row.bytes; });
    add(chunk, m::kTotalAllocated, memory_, [](const Allocation& row, uint32_t) { return row.total; });
    append(chunk);
    namespace l = tracefile::live_blocks;
    tracefile::ChunkBuilder alive(l::kT);
    add(alive, l::kAddress, live_blocks_, [](const Allocation& row, uint32_t) { return row.address; });
    add(alive, l::kBytes, live_blocks_, [](const Allocation& row, uint32_t) { return row.bytes; });
    append(alive);
  }

  void write_tensors() {
    namespace t = tracefile::tensors;
    tracefile::ChunkBuilder chunk(t::kT);
    add(chunk, t::kRole, tensors_, [](const Tensor& row, uint32_t) { return row.role; });
    add(chunk, t::kName, tensors_, [](const Tensor& row, uint32_t) { return row.name; });
    add(chunk, t::kModule, tensors_, [](const Tensor& row, uint32_t) { return row.module; });
    add(chunk, t::kDims, tensors_, [](const Tensor& row, uint32_t) { return row.dims; });
    add(chunk, t::kAddress, tensors_, [](const Tensor& row, uint32_t) { return row.address; });
    add(chunk, t::kBytes, tensors_, [](const Tensor& row, uint32_t) { return row.bytes; });
    add(chunk, t::kTicks, tensors_, [](const Tensor& row, uint32_t) { return row.ticks; });
    append(chunk);
  }

  void write_device_text() {
    namespace d = tracefile::device_text;
    uint64_t offset = 0;
    for (const std::string& block : device_text) {
      tracefile::ChunkBuilder chunk(d::kT);
      add(chunk, d::kOffset, std::vector{offset}, [](uint64_t row, uint32_t) { return row; });
      add(chunk, d::kText, std::vector{block}, [](const std::string& row) { return std::string_view(row); });
      append(chunk);
      offset += block.size();
    }
  }

  void write_sampling() {
    namespace f = tracefile;
    f::ChunkBuilder samples(f::TableId::kSamples), pauses(f::TableId::kGcPauses),
        counters(f::TableId::kCounters);
    add<uint32_t>(samples, f::samples::kThread, samples_, [](const Sample& s, uint32_t) { return s.thread; });
    add<uint64_t>(samples, f::samples::kTicks, samples_, [](const Sample& s, uint32_t) { return s.ticks; });
    add<uint32_t>(samples, f::samples::kStack, samples_, [](const Sample& s, uint32_t) { return s.stack; });
    append(samples);
    add<uint32_t>(pauses, f::gc_pauses::kThread, pauses_, [](const Pause& p, uint32_t) { return p.thread; });
    add<uint64_t>(pauses, f::gc_pauses::kStartTicks, pauses_,
                  [](const Pause& p, uint32_t) { return p.start; });
    add<uint64_t>(pauses, f::gc_pauses::kDurTicks, pauses_, [](const Pause& p, uint32_t) { return p.dur; });
    append(pauses);
    add<uint64_t>(counters, f::counters::kTicks, counters_,
                  [](const Counter& c, uint32_t) { return c.ticks; });
    add<uint32_t>(counters, f::counters::kName, counters_, [](const Counter& c, uint32_t) { return c.name; });
    add<double>(counters, f::counters::kValue, counters_, [](const Counter& c, uint32_t) { return c.value; });
    append(counters);
    for (const auto& [key, value] : settings) {
      f::ChunkBuilder chunk(f::TableId::kSettings);
      chunk.add(f::settings::kKey, std::vector<std::string_view>{key});
      chunk.add(f::settings::kValue, std::vector<std::string_view>{value});
      append(chunk);
    }
    for (const auto& [name, bytes] : parts) {
      f::ChunkBuilder chunk(f::TableId::kParts);
      chunk.add(f::parts::kName, std::vector<std::string_view>{name});
      chunk.add(f::parts::kBytes, std::vector<std::string_view>{bytes});
      append(chunk);
    }
  }

  void write_definitions() {
    namespace s = tracefile;
    const auto number = [](const auto&, uint32_t index) { return index; };
    s::ChunkBuilder chunk(s::TableId::kStrings);
    add(chunk, s::strings::kId, texts_, number);
    add(chunk, s::strings::kText, texts_, [](const std::string& row) { return std::string_view(row); });
    append(chunk);
    chunk.restart(s::TableId::kThreads);
    add(chunk, s::threads::kId, threads_, number);
    add(chunk, s::threads::kOsTid, threads_, [](const auto& row, uint32_t) { return row.first; });
    add(chunk, s::threads::kName, threads_, [](const auto& row) { return std::string_view(row.second); });
    append(chunk);
    chunk.restart(s::TableId::kShapes);
    add(chunk, s::shapes::kId, shapes_, number);
    add(chunk, s::shapes::kDims, shapes_, [](const Shape& row) { return std::string_view(row.dims); });
    add(chunk, s::shapes::kTypes, shapes_, [](const Shape& row) { return std::string_view(row.types); });
    add(chunk, s::shapes::kStrides, shapes_, [](const Shape& row) { return std::string_view(row.strides); });
    append(chunk);
    chunk.restart(s::TableId::kFrames);
    add(chunk, s::frames::kId, frames_, number);
    add(chunk, s::frames::kFile, frames_, [](const Frame& row, uint32_t) { return row.file; });
    add(chunk, s::frames::kFunction, frames_, [](const Frame& row, uint32_t) { return row.function; });
    add(chunk, s::frames::kLine, frames_, [](const Frame& row, uint32_t) { return row.line; });
    append(chunk);
    chunk.restart(s::TableId::kModules);
    add(chunk, s::modules::kId, modules_, number);
    add(chunk, s::modules::kName, modules_, [](const auto& row, uint32_t) { return row.first; });
    add(chunk, s::modules::kClass, modules_, [](const auto& row, uint32_t) { return row.second; });
    append(chunk);
    chunk.restart(s::TableId::kStacks);
    add(chunk, s::stacks::kId, stacks_, number);
    add(chunk, s::stacks::kParent, stacks_, [](const Stack& row, uint32_t) { return row.parent; });
    add(chunk, s::stacks::kFrame, stacks_, [](const Stack& row, uint32_t) { return row.frame; });
    add(chunk, s::stacks::kModule, stacks_, [](const Stack& row, uint32_t) { return row.module; });
    append(chunk);
    chunk.restart(s::TableId::kCollectives);
    add(chunk, s::collectives::kId, collectives_, number);
    add(chunk, s::collectives::kName, collectives_, [](const auto& row, uint32_t) { return row.first; });
    add(chunk, s::collectives::kInElements, collectives_,
        [](const auto& row, uint32_t) { return row.second; });
    append(chunk);
    chunk.restart(s::TableId::kLosses);
    add(chunk, s::losses::kName, losses, [](const auto& row) { return std::string_view(row.first); });
    add(chunk, s::losses::kCount, losses, [](const auto& row, uint32_t) { return row.second; });
    append(chunk);
  }

  std::vector<Sample> samples_;
  std::vector<Pause> pauses_;
  std::vector<Counter> counters_;
  tracefile::Writer* writer_ = nullptr;
  std::map<std::string, uint32_t> strings_;
  std::vector<std::string> texts_;
  std::vector<std::pair<int64_t, std::string>> threads_;
  std::vector<Shape> shapes_;
  std::vector<std::pair<uint32_t, uint32_t>> modules_;
  std::vector<Frame> frames_;
  std::vector<Stack> stacks_;
  std::vector<Allocation> memory_, live_blocks_;
  std::vector<Tensor> tensors_;
  std::vector<std::pair<uint32_t, int64_t>> collectives_;
};

}  // namespace skyline::ingest::native

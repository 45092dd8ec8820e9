#include "collect/log/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <sstream>
#include <utility>

#include "collect/log/thread_log.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

constexpr size_t kRowsPerChunk = 64 * 1024;
constexpr int64_t kMostPatienceMs = 100;
constexpr int64_t kBytesPerMs = 2'500'000;  // more than sixty threads record
constexpr auto kFlushEvery = std::chrono::seconds(1);

bool test_and_set(std::vector<uint8_t>& set, uint32_t id) {
  if (id < set.size() && set[id] != 0) [[likely]] {
    return true;
  }
  if (id >= set.size()) set.resize(id + 1 + id / 2);
  set[id] = 1;
  return false;
}

// A column that says nothing is left out; a reader takes its rows for `missing`.
template <typename T>
void add_if_said(table::ChunkBuilder& chunk, const table::NumberColumn<T>& column, const Column<T>& values) {
  const bool says_something =
      std::any_of(values.begin(), values.end(), [&](T value) { return value != column.missing; });
  if (says_something) chunk.add(column, values.span());
}

std::string name_of_thread(int64_t os_id) {
  const std::string path = "/proc/self/task/" + std::to_string(os_id) + "/comm";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};  // the thread has ended
  char name[64];
  const ssize_t size = ::read(file, name, sizeof name);
  ::close(file);
  return std::string(name, size > 0 ? static_cast<size_t>(size - 1) : 0);  // without the newline
}

std::vector<EndedThread> take_ended_threads() {
  const std::lock_guard lock(thread_registry().mutex);
  return std::exchange(thread_registry().ended, {});
}

RecordKind kind_of(const Record& record) { return static_cast<RecordKind>(record.kind); }

table::EventKind event_kind(const Record& record) {
  const RecordKind kind = kind_of(record);
  if (kind == RecordKind::kUserRange || kind == RecordKind::kForeignRange)
    return table::EventKind::kUserRange;
  return record.fwd_thread != 0 ? table::EventKind::kBackward : table::EventKind::kOp;
}

}  // namespace

Result<std::unique_ptr<FileWriter>> FileWriter::open(Recorder& recorder, const Options& options) {
  SKYLINE_TRY(table::Writer file, table::Writer::create(options.path));
  std::unique_ptr<FileWriter> writer(new FileWriter(recorder, std::move(file)));
  writer->write_meta(options);
  writer->write_clock();
  if (writer->failed_) return Error{"cannot write " + options.path};
  writer->thread_ = std::thread([pointer = writer.get()] { pointer->run(); });
  return writer;
}

template <typename Work>
void FileWriter::guarded(Work work) noexcept {
  try {
    work();
  } catch (const std::bad_alloc&) {
    failed_ = true;
    recorder_.give_up("there is no memory left for writing the recording");
  } catch (const std::exception& error) {
    failed_ = true;
    recorder_.give_up(error.what());
  }
}

void FileWriter::run() noexcept {
  pthread_setname_np(pthread_self(), "skyline-writer");
  // A thread's first exception needs memory, which may be gone by then.
  [[maybe_unused]] const volatile int none = std::uncaught_exceptions();
  // Waking up is not free for training that has no core to spare.
  const auto most = static_cast<int64_t>(recorder_.pool_.capacity_blocks() * Block::kBytes) / kBytesPerMs;
  const std::chrono::milliseconds patience(std::clamp<int64_t>(most, 1, kMostPatienceMs));
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, patience, [this] { return stopping_; });
    guarded([this] { drain(); });
  }
}

Outcome FileWriter::finish() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  guarded([this] { write_rest(); });
  outcome_.file_bytes = file_.bytes_written();
  return std::move(outcome_);
}

void FileWriter::write_rest() {
  drain();
  flush();
  write_threads();
  sum_up_threads();
  write_stacks();
  write_sources();
  write_tensors();
  write_losses();
  write_cost();
  write_clock();
  if (!failed_) {
    const Status status = file_.finish();
    if (!status.ok()) recorder_.give_up(status.error().sentence);
  }
}

void FileWriter::drain() {
  if (wants_live_blocks_.exchange(false) && memory_.write_live_blocks(first_clock_.ticks, chunk_)) append();
  for (Block* block = recorder_.pool_.drain(); block != nullptr;) {
    Block* const next = recorder_.pool_.next_of(block);
    guarded([&] { take(*block); });
    recorder_.pool_.give(block);
    block = next;
  }
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushEvery) flush_on_time();
  if (file_.bytes_written() > recorder_.options().max_file_bytes) {
    recorder_.give_up("the recording has reached its limit of " +
                      std::to_string(recorder_.options().max_file_bytes >> 20) + " MiB");
  }
}

// Takes what the block holds and was not taken before: a thread may still be filling it.
void FileWriter::take(Block& block) {
  const uint32_t used = block.used.load(std::memory_order_acquire);
  const std::span<const Record> records(block.records + block.taken, used - block.taken);
  block.taken = used;
  outcome_.records += records.size();
  const size_t first = events_.start.size();
  take_events(records, block.thread);
  note_definitions(first);
  memory_.take(records, block.thread);
  if (events_.start.size() >= kRowsPerChunk || memory_.size() >= kRowsPerChunk) flush();
}

// Whatever ends the process, at most this much time is missing from the file. Blocks under way stay
// with their threads: only we give blocks back, so they cannot vanish while we look.
void FileWriter::flush_on_time() {
  last_flush_ = std::chrono::steady_clock::now();
  const uint64_t now = read_ticks();
  std::vector<Block*> blocks;  // taken without the registry's lock, as the disk may be slow
  for_each_log([&](ThreadLog& log) {
    if (Block* block = log.block.load(std::memory_order_acquire)) blocks.push_back(block);
  });
  for (Block* const block : blocks) take(*block);
  flush();
  write_threads();
  write_stacks();
  write_sources();
  write_tensors();
  memory_.forget_released(last_flush_ticks_);
  last_flush_ticks_ = now;
}

// Rows into columns, one pass.
void FileWriter::take_events(std::span<const Record> records, uint32_t thread) {
  const size_t first = events_.start.size();
  events_.resize(first + records.size());
  size_t row = first;
  for (const Record& record : records) {
    const RecordKind kind = kind_of(record);
    if (kind == RecordKind::kMemory) continue;
    const bool is_collective = kind == RecordKind::kCollective;
    const bool is_foreign = kind == RecordKind::kForeignRange;
    events_.thread[row] = is_foreign ? record.shapes : thread;
    events_.start[row] = record.start;
    events_.duration[row] = std::max(record.end, record.start) - record.start;
    events_.sequence[row] = record.sequence;
    events_.name[row] = record.name;
    events_.shapes[row] = is_foreign ? kNoId : record.shapes;
    events_.stack[row] = is_collective ? kNoStack : record.stack;
    events_.collective[row] = is_collective ? record.stack : kNoId;
    events_.fwd_thread[row] = record.fwd_thread;
    events_.kind[row] = static_cast<uint8_t>(event_kind(record));
    ++row;
  }
  events_.resize(row);
}

// What the rows from `first` on name for the first time in this file.
void FileWriter::note_definitions(size_t first) {
  for (size_t row = first; row < events_.name.size(); ++row) want_string(events_.name[row]);
  for (size_t row = first; row < events_.shapes.size(); ++row) {
    if (events_.shapes[row] != kNoId) want_shapes(events_.shapes[row]);
  }
  for (size_t row = first; row < events_.stack.size(); ++row) {
    if (events_.stack[row] != kNoStack) want_stack(events_.stack[row]);
  }
  for (size_t row = first; row < events_.collective.size(); ++row) {
    const uint32_t id = events_.collective[row];
    if (id != kNoId && !test_and_set(written_collectives_, id)) new_collectives_.push_back(id);
  }
}

void FileWriter::want_string(uint32_t id) {
  if (!test_and_set(written_strings_, id)) new_strings_.push_back(id);
}

void FileWriter::want_shapes(uint32_t id) {
  if (!test_and_set(written_shapes_, id)) new_shapes_.push_back(id);
}

uint32_t FileWriter::string_id(const std::string& text) {
  const uint32_t id = recorder_.names().intern(text).id;
  want_string(id);
  return id;
}

// Definitions first: what a chunk names stands before it.
void FileWriter::flush() {
  write_collectives();
  write_strings();
  write_shapes();
  flush_events();
  if (memory_.move_to(chunk_)) append();
  if (read_ticks() - last_clock_ticks_ > 1'000'000'000) write_clock();
}

void FileWriter::flush_events() {
  if (events_.start.empty()) return;
  chunk_.restart(TableId::kEvents);
  chunk_.add(table::events::kThread, events_.thread.span());
  chunk_.add(table::events::kStartTicks, events_.start.span());
  chunk_.add(table::events::kDurTicks, events_.duration.span());
  chunk_.add(table::events::kName, events_.name.span());
  chunk_.add(table::events::kKind, events_.kind.span());
  add_if_said(chunk_, table::events::kSequence, events_.sequence);
  add_if_said(chunk_, table::events::kFwdThread, events_.fwd_thread);
  add_if_said(chunk_, table::events::kShapes, events_.shapes);
  add_if_said(chunk_, table::events::kStack, events_.stack);
  add_if_said(chunk_, table::events::kCollective, events_.collective);
  append();
  events_.resize(0);
}

void FileWriter::write_meta(const Options& options) {
  std::vector<std::string_view> keys, values;
  for (const auto& [key, value] : options.meta) {
    keys.push_back(key);
    values.push_back(value);
  }
  const auto add_switch = [&](std::string_view key, bool on) {
    keys.push_back(key);
    values.push_back(on ? "1" : "0");
  };
  add_switch("record.ops", options.ops);
  add_switch("record.ranges", options.ranges);
  add_switch("record.shapes", options.shapes);
  add_switch("record.stacks", options.stacks);
  add_switch("record.modules", options.modules);
  add_switch("record.memory", options.memory);
  chunk_.restart(TableId::kMeta);
  chunk_.add(table::meta::kKey, keys);
  chunk_.add(table::meta::kValue, values);
  append();
}

void FileWriter::write_clock() {
  const ClockPoint now = read_clock(unix_clock_);
  if (first_clock_.ticks == 0) first_clock_ = now;
  last_clock_ticks_ = now.ticks;
  chunk_.restart(TableId::kClock);
  chunk_.add(table::clock::kTicks, {&now.ticks, 1});
  chunk_.add(table::clock::kUnixNs, {&now.unix_ns, 1});
  append();
}

void FileWriter::write_strings() {
  if (new_strings_.empty()) return;
  std::vector<std::string> texts;
  for (const uint32_t id : new_strings_) texts.push_back(recorder_.names().text(id));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  chunk_.restart(TableId::kStrings);
  chunk_.add(table::strings::kId, new_strings_);
  chunk_.add(table::strings::kText, views);
  append();
  new_strings_.clear();
}

void FileWriter::write_shapes() {
  if (new_shapes_.empty()) return;
  std::vector<std::string> texts;
  for (const uint32_t id : new_shapes_) texts.push_back(recorder_.shapes().text(id));
  std::vector<std::string_view> dims, types, strides;
  for (const std::string_view text : texts) {
    const size_t first = text.find('\t'), second = text.find('\t', first + 1);
    dims.push_back(text.substr(0, first));
    types.push_back(text.substr(first + 1, second - first - 1));
    strides.push_back(text.substr(second + 1));
  }
  chunk_.restart(TableId::kShapes);
  chunk_.add(table::shapes::kId, new_shapes_);
  chunk_.add(table::shapes::kDims, dims);
  chunk_.add(table::shapes::kTypes, types);
  chunk_.add(table::shapes::kStrides, strides);
  append();
  new_shapes_.clear();
}

void FileWriter::write_collectives() {
  if (new_collectives_.empty()) return;
  std::vector<uint32_t> columns[4];  // name, dtype, group name, group ranks
  std::vector<int64_t> numbers[3];   // elements in, elements out, group size
  for (const uint32_t id : new_collectives_) {
    std::istringstream fields(recorder_.collectives().text(id));
    std::string field;
    for (std::vector<uint32_t>& column : columns) {
      std::getline(fields, field, '\t');
      column.push_back(string_id(field));
    }
    for (std::vector<int64_t>& column : numbers) {
      std::getline(fields, field, '\t');
      column.push_back(std::strtoll(field.c_str(), nullptr, 10));
    }
  }
  write_strings();
  chunk_.restart(TableId::kCollectives);
  chunk_.add(table::collectives::kId, new_collectives_);
  chunk_.add(table::collectives::kName, columns[0]);
  chunk_.add(table::collectives::kDtype, columns[1]);
  chunk_.add(table::collectives::kGroupName, columns[2]);
  chunk_.add(table::collectives::kGroupRanks, columns[3]);
  chunk_.add(table::collectives::kInElements, numbers[0]);
  chunk_.add(table::collectives::kOutElements, numbers[1]);
  chunk_.add(table::collectives::kGroupSize, numbers[2]);
  append();
  new_collectives_.clear();
}

// Threads that have joined since the last time.
void FileWriter::write_threads() {
  std::vector<uint32_t> ids;
  std::vector<int64_t> os_ids;
  std::vector<std::string> names;
  const auto add = [&](uint64_t session, uint32_t id, int64_t os_id, const std::string& name) {
    if (session != recorder_.session() || test_and_set(written_threads_, id)) return;
    ids.push_back(id);
    os_ids.push_back(os_id);
    names.push_back(name.empty() ? name_of_thread(os_id) : name);
  };
  for (const EndedThread& thread : take_ended_threads()) {
    add(thread.session, thread.id, thread.os_id, thread.name);
    if (thread.session == recorder_.session())
      sum_up(thread.dropped, thread.calls, thread.sampled_ticks, thread.sampled_calls);
  }
  for_each_log([&](ThreadLog& log) { add(log.session, log.id, log.os_id, log.alive ? "" : log.name); });
  if (ids.empty()) return;
  outcome_.threads += ids.size();
  const std::vector<std::string_view> views(names.begin(), names.end());
  chunk_.restart(TableId::kThreads);
  chunk_.add(table::threads::kId, ids);
  chunk_.add(table::threads::kOsTid, os_ids);
  chunk_.add(table::threads::kName, views);
  append();
}

void FileWriter::sum_up(uint64_t dropped, uint64_t calls, uint64_t sampled_ticks, uint64_t sampled_calls) {
  outcome_.dropped += dropped;
  outcome_.calls += calls;
  sampled_ticks_ += sampled_ticks;
  sampled_calls_ += sampled_calls;
}

void FileWriter::sum_up_threads() {
  for_each_log([this](ThreadLog& log) {
    if (log.session == recorder_.session())
      sum_up(log.dropped.load(), log.calls.load(), log.sampled_ticks.load(), log.sampled_calls.load());
  });
  if (sampled_calls_ == 0) return;
  const ClockPoint now = read_clock(unix_clock_);
  const double ns_per_tick = static_cast<double>(std::max<int64_t>(0, now.unix_ns - first_clock_.unix_ns)) /
                             static_cast<double>(now.ticks - first_clock_.ticks);
  outcome_.cost_ns =
      static_cast<uint64_t>(static_cast<double>(sampled_ticks_) * ns_per_tick *
                            static_cast<double>(outcome_.calls) / static_cast<double>(sampled_calls_));
}

void FileWriter::want_stack(uint32_t id) {
  if (!test_and_set(wanted_stacks_, id)) new_stacks_.push_back(id);
}

// The stacks that events have named, as far as they have their names by now; the others stay wanted.
void FileWriter::write_stacks() {
  const uint32_t resolved = python_stacks::resolved_count();
  const auto later =
      std::partition(new_stacks_.begin(), new_stacks_.end(), [&](uint32_t id) { return id < resolved; });
  std::vector<uint32_t> ids;
  for (auto wanted = new_stacks_.begin(); wanted != later; ++wanted) {
    for (uint32_t id = *wanted; id != kNoStack; id = python_stacks::node(id).parent) {
      if (test_and_set(written_stacks_, id)) break;
      ids.push_back(id);
    }
  }
  new_stacks_.erase(new_stacks_.begin(), later);
  if (ids.empty()) return;
  std::sort(ids.begin(), ids.end());  // parents first
  std::vector<StackNode> nodes;
  for (const uint32_t id : ids) nodes.push_back(python_stacks::node(id));
  write_modules(nodes);
  write_frames(nodes);
  std::vector<uint32_t> parents, frames, modules;
  for (const StackNode& node : nodes) {
    parents.push_back(node.parent);
    frames.push_back(frame_ids_.at({node.code, node.line}));
    modules.push_back(node.module);
  }
  chunk_.restart(TableId::kStacks);
  chunk_.add(table::stacks::kId, ids);
  chunk_.add(table::stacks::kParent, parents);
  chunk_.add(table::stacks::kFrame, frames);
  chunk_.add(table::stacks::kModule, modules);
  append();
}

// A frame is a line of code: stacks through the same line share it.
void FileWriter::write_frames(const std::vector<StackNode>& nodes) {
  std::vector<uint32_t> ids, files, functions;
  std::vector<int32_t> lines;
  for (const StackNode& node : nodes) {
    const auto [found, is_new] =
        frame_ids_.try_emplace({node.code, node.line}, static_cast<uint32_t>(frame_ids_.size()));
    if (!is_new) continue;
    const CodeInfo code = python_stacks::code(node.code);
    ids.push_back(found->second);
    files.push_back(string_id(code.file));
    functions.push_back(string_id(code.function));
    lines.push_back(node.line);
  }
  if (ids.empty()) return;
  write_strings();
  chunk_.restart(TableId::kFrames);
  chunk_.add(table::frames::kId, ids);
  chunk_.add(table::frames::kFile, files);
  chunk_.add(table::frames::kFunction, functions);
  chunk_.add(table::frames::kLine, lines);
  append();
}

void FileWriter::write_modules(const std::vector<StackNode>& nodes) {
  std::vector<uint32_t> ids, names, classes;
  for (const StackNode& node : nodes) {
    if (node.module == kNoStack || test_and_set(written_modules_, node.module)) continue;
    const ModuleInfo module = python_stacks::module(node.module);
    ids.push_back(node.module);
    names.push_back(string_id(module.name));
    classes.push_back(string_id(module.type.empty() ? "?" : module.type));
  }
  if (ids.empty()) return;
  write_strings();
  chunk_.restart(TableId::kModules);
  chunk_.add(table::modules::kId, ids);
  chunk_.add(table::modules::kName, names);
  chunk_.add(table::modules::kClass, classes);
  append();
}

void FileWriter::add_source(SourceFile source) {
  const std::lock_guard lock(notes_mutex_);
  sources_.push_back(std::move(source));
}

// One chunk per file: a reader that wants one need not unpack the others.
void FileWriter::write_sources() {
  std::vector<SourceFile> sources;
  {
    const std::lock_guard lock(notes_mutex_);
    sources.swap(sources_);
  }
  for (const SourceFile& source : sources) {
    const std::string_view path = source.path, hash = source.hash, text = source.text;
    chunk_.restart(TableId::kSources);
    chunk_.add(table::sources::kPath, {&path, 1});
    chunk_.add(table::sources::kHash, {&hash, 1});
    chunk_.add(table::sources::kText, {&text, 1});
    append();
  }
}

void FileWriter::note_tensors(std::vector<TensorNote> tensors) {
  const std::lock_guard lock(notes_mutex_);
  tensors_.insert(tensors_.end(), std::move_iterator(tensors.begin()), std::move_iterator(tensors.end()));
}

void FileWriter::write_tensors() {
  std::vector<TensorNote> tensors;
  {
    const std::lock_guard lock(notes_mutex_);
    tensors.swap(tensors_);
  }
  if (tensors.empty()) return;
  Column<uint8_t> roles;
  Column<uint32_t> names, modules, dims;
  Column<uint64_t> addresses, ticks;
  Column<int64_t> sizes;
  for (const TensorNote& tensor : tensors) {
    roles.push_back(tensor.role);
    names.push_back(string_id(tensor.name));
    modules.push_back(string_id(tensor.module));
    dims.push_back(string_id(tensor.dims));
    addresses.push_back(tensor.address);
    sizes.push_back(tensor.bytes);
    ticks.push_back(tensor.ticks);
  }
  write_strings();
  chunk_.restart(TableId::kTensors);
  chunk_.add(table::tensors::kRole, roles.span());
  chunk_.add(table::tensors::kName, names.span());
  chunk_.add(table::tensors::kModule, modules.span());
  chunk_.add(table::tensors::kDims, dims.span());
  chunk_.add(table::tensors::kAddress, addresses.span());
  chunk_.add(table::tensors::kBytes, sizes.span());
  chunk_.add(table::tensors::kTicks, ticks.span());
  append();
}

void FileWriter::write_losses() {
  std::vector<std::string_view> names, sentences;
  std::vector<uint64_t> counts;
  const auto add = [&](std::string_view name, uint64_t count, std::string_view sentence) {
    if (count == 0) return;
    names.push_back(name);
    counts.push_back(count);
    sentences.push_back(sentence);
  };
  add("recorder.dropped", outcome_.dropped,
      "records that found no room in the buffers, because the disk was too slow, or in the memory, or were "
      "nested more than 4096 deep; totals of memory may be off");
  add("recorder.too_many", recorder_.refused() - refused_before_,
      "names, input shapes or Python stacks beyond the recorder's memory: these have a common name, no "
      "shapes or a shorter stack");
  const std::lock_guard lock(recorder_.trouble_mutex_);
  add("recorder.stopped", recorder_.trouble_.empty() ? 0 : 1, recorder_.trouble_);
  if (names.empty()) return;
  chunk_.restart(TableId::kLosses);
  chunk_.add(table::losses::kName, names);
  chunk_.add(table::losses::kCount, counts);
  chunk_.add(table::losses::kSentence, sentences);
  if (!failed_) failed_ = !file_.append(chunk_).ok();
}

// Known at the end only, so it comes as a second chunk of metadata.
void FileWriter::write_cost() {
  const std::string calls = std::to_string(outcome_.calls), cost = std::to_string(outcome_.cost_ns);
  std::vector<std::string_view> keys = {"collector.calls"}, values = {calls};
  if (outcome_.cost_ns > 0) {  // short recordings have no sample
    keys.push_back("collector.cost_ns");
    values.push_back(cost);
  }
  chunk_.restart(TableId::kMeta);
  chunk_.add(table::meta::kKey, keys);
  chunk_.add(table::meta::kValue, values);
  append();
}

void FileWriter::append() {
  if (failed_) return;
  const Status status = file_.append(chunk_);
  if (status.ok()) return;
  failed_ = true;
  recorder_.give_up(status.error().sentence);
}

}  // namespace skyline::collect

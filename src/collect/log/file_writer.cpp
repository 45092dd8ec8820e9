#include "collect/log/file_writer.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>

#include "collect/log/file_facts.h"
#include "collect/log/note_rows.h"
#include "collect/log/thread_log.h"

namespace skyline::collect {
namespace {

constexpr size_t kRowsPerChunk = 64 * 1024;
constexpr int64_t kMostPatienceMs = 100;
constexpr int64_t kBytesPerMs = 2'500'000;  // more than sixty threads record
constexpr auto kFlushEvery = std::chrono::seconds(1);

}  // namespace

FileWriter::FileWriter(Recorder& recorder, tracefile::Writer file)
    : recorder_(recorder),
      sink_(std::move(file), [&recorder](std::string_view sentence) { recorder.give_up(sentence); }),
      memory_(recorder.live_blocks(), recorder.options().memory),
      definitions_(recorder.names(), recorder.shapes(), recorder.collectives()) {}

Result<std::unique_ptr<FileWriter>> FileWriter::open(Recorder& recorder, const Options& options) {
  SKYLINE_TRY(tracefile::Writer file, tracefile::Writer::create(options.path));
  std::unique_ptr<FileWriter> writer(new FileWriter(recorder, std::move(file)));
  write_settings(options, writer->sink_);
  writer->clock_.write_to(writer->sink_);
  if (writer->sink_.has_failed()) return Error{"cannot write " + options.path};
  writer->thread_ = std::thread([pointer = writer.get()] { pointer->run(); });
  return writer;
}

template <typename Work>
void FileWriter::guarded(Work work) noexcept {
  try {
    work();
  } catch (const std::bad_alloc&) {
    sink_.fail("there is no memory left for writing the recording");
  } catch (const std::exception& error) {
    sink_.fail(error.what());
  }
}

// The writer's thread.

void FileWriter::run() noexcept {
  pthread_setname_np(pthread_self(), "skyline-writer");
  // A thread's first exception needs memory, which may be gone by then.
  [[maybe_unused]] const volatile int none = std::uncaught_exceptions();
  // Waking up is not free for training that has no core to spare.
  const auto most = static_cast<int64_t>(recorder_.pool().capacity_blocks() * Block::kBytes) / kBytesPerMs;
  const std::chrono::milliseconds patience(std::clamp<int64_t>(most, 1, kMostPatienceMs));
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, patience, [this] { return stopping_; });
    guarded([this] { drain(); });
  }
}

void FileWriter::drain() {
  if (wants_live_blocks_.exchange(false)) memory_.write_live_blocks(clock_.first_ticks(), sink_);
  BlockPool& pool = recorder_.pool();
  for (Block* block = pool.drain(); block != nullptr;) {
    Block* const next = pool.next_of(block);
    guarded([&] { take(*block); });
    pool.give(block);
    block = next;
  }
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushEvery) flush_on_time();
  const uint64_t limit = recorder_.options().max_file_bytes;
  if (sink_.bytes_written() > limit) {
    recorder_.give_up("the recording has reached its limit of " + std::to_string(limit >> 20) + " MiB");
  }
}

// Takes what the block holds and was not taken before: a thread may still be filling it.
void FileWriter::take(Block& block) {
  const uint32_t used = block.used.load(std::memory_order_acquire);
  const std::span<const Record> records(block.records + block.taken, used - block.taken);
  block.taken = used;
  outcome_.records += records.size();
  const size_t first_row = events_.size();
  events_.take(records, block.thread);
  note_definitions(first_row);
  memory_.take(records, block.thread);
  if (events_.size() >= kRowsPerChunk || memory_.size() >= kRowsPerChunk) flush();
}

void FileWriter::note_definitions(size_t first_row) {
  for (const uint32_t id : events_.names(first_row)) definitions_.want_name(id);
  for (const uint32_t id : events_.shapes(first_row)) definitions_.want_shapes(id);
  for (const uint32_t id : events_.stacks(first_row)) stacks_.want(id);
  for (const uint32_t id : events_.collectives(first_row)) definitions_.want_collective(id);
}

// Definitions first: what a chunk names stands before it.
void FileWriter::flush() {
  definitions_.write_to(sink_);
  events_.write_to(sink_);
  memory_.write_to(sink_);
  clock_.write_if_due(sink_);
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
  threads_.write_to(sink_, recorder_.session());
  stacks_.write_to(sink_, definitions_);
  write_notes();
  memory_.forget_released(last_flush_ticks_);
  last_flush_ticks_ = now;
}

void FileWriter::write_notes() {
  write_sources(sources_.take(), sink_);
  write_tensors(tensors_.take(), definitions_, sink_);
}

// The end, on the thread that stops the recording.

Outcome FileWriter::finish(WayTaken way) noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  outcome_.way = std::move(way);
  guarded([this] { write_rest(); });
  outcome_.file_bytes = sink_.bytes_written();
  return std::move(outcome_);
}

void FileWriter::write_rest() {
  drain();
  flush();
  threads_.write_to(sink_, recorder_.session());
  sum_up();
  stacks_.write_to(sink_, definitions_);
  write_notes();
  write_parts(parts_.take(), sink_);
  bool has_device_text = true;
  for (const std::string& path : device_texts_.take()) has_device_text &= write_device_text(path, sink_);
  const std::string trouble = recorder_.trouble();
  write_losses(
      std::array{
          Loss{"recorder.dropped", outcome_.dropped,
               "records that found no room in the buffers, because the disk was too slow, or in the memory, "
               "or were nested more than 4096 deep; totals of memory may be off"},
          Loss{"recorder.too_many", recorder_.refused() - refused_before_,
               "names, input shapes or Python stacks beyond the recorder's memory: these have a common name, "
               "no shapes or a shorter stack"},
          Loss{"recorder.device_part", has_device_text ? 0u : 1u,
               "what was recorded of the devices could not be copied into the file"},
          Loss{"recorder.stopped", trouble.empty() ? 0u : 1u, trouble},
      },
      sink_);
  write_cost({outcome_.calls, outcome_.cost_ns, outcome_.way}, sink_);
  clock_.write_to(sink_);
  sink_.finish();
}

void FileWriter::sum_up() {
  const ThreadRows::Totals totals = threads_.sum_up(recorder_.session());
  outcome_.threads = totals.threads;
  outcome_.dropped = totals.dropped;
  outcome_.calls = totals.calls;
  if (totals.sampled_calls == 0) return;
  const double ns_per_sample = static_cast<double>(totals.sampled_ticks) * clock_.ns_per_tick() /
                               static_cast<double>(totals.sampled_calls);
  outcome_.cost_ns = static_cast<uint64_t>(ns_per_sample * static_cast<double>(totals.calls));
}

}  // namespace skyline::collect

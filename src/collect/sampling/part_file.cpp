#include "collect/sampling/part_file.h"
#include "collect/tables/thread_name.h"

#include <fcntl.h>
#include <unistd.h>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

template <typename T, typename Row, typename Get>
std::vector<T> column_of(const std::vector<Row>& rows, Get get) {
  std::vector<T> column;
  column.reserve(rows.size());
  for (const Row& row : rows) column.push_back(get(row));
  return column;
}

}  // namespace

Result<PartFile> PartFile::create(const std::string& path, const Pairs& meta) {
  SKYLINE_TRY(table::Writer file, table::Writer::create(path, {.permissions = 0600}));
  PartFile part(std::move(file));
  SKYLINE_RETURN_IF_ERROR(part.write_meta(meta));
  SKYLINE_RETURN_IF_ERROR(part.write_clock());
  return part;
}

Status PartFile::flush(const PartRows& rows, SampleTree& tree) {
  // Threads and texts that rows name for the first time are found while their chunks are made, and chunks are
  // written in the order of the calls: so the rows' own numbers are taken first.
  for (const SampleRow& row : rows.samples) thread_id(row.os_thread);
  for (const PauseRow& row : rows.pauses) thread_id(row.os_thread);
  for (const RangeRow& row : rows.ranges) {
    thread_id(row.os_thread);
    tree.text(row.name);
  }
  for (const CounterRow& row : rows.counters) tree.text(row.name);
  SKYLINE_RETURN_IF_ERROR(write_meta(rows.meta));
  SKYLINE_RETURN_IF_ERROR(write_settings(rows.settings));
  SKYLINE_RETURN_IF_ERROR(write_threads());
  SKYLINE_RETURN_IF_ERROR(write_definitions(tree));
  SKYLINE_RETURN_IF_ERROR(write_samples(rows.samples));
  SKYLINE_RETURN_IF_ERROR(write_pauses(rows.pauses));
  SKYLINE_RETURN_IF_ERROR(write_ranges(rows.ranges, tree));
  SKYLINE_RETURN_IF_ERROR(write_counters(rows.counters, tree));
  return write_clock();
}

Status PartFile::write_clock() {
  const ClockPoint now = read_clock(clock_);
  chunk_.restart(TableId::kClock);
  chunk_.add(table::clock::kTicks, {&now.ticks, 1});
  chunk_.add(table::clock::kUnixNs, {&now.unix_ns, 1});
  return file_.append(chunk_);
}

Status PartFile::write_meta(const Pairs& pairs) {
  if (pairs.empty()) return Done{};
  chunk_.restart(TableId::kMeta);
  chunk_.add(table::meta::kKey, column_of<std::string_view>(
                                    pairs, [](const auto& pair) { return std::string_view(pair.first); }));
  chunk_.add(table::meta::kValue, column_of<std::string_view>(
                                      pairs, [](const auto& pair) { return std::string_view(pair.second); }));
  return file_.append(chunk_);
}

Status PartFile::write_settings(const Pairs& pairs) {
  if (pairs.empty()) return Done{};
  chunk_.restart(TableId::kSettings);
  chunk_.add(table::settings::kKey, column_of<std::string_view>(pairs, [](const auto& pair) {
               return std::string_view(pair.first);
             }));
  chunk_.add(table::settings::kValue, column_of<std::string_view>(pairs, [](const auto& pair) {
               return std::string_view(pair.second);
             }));
  return file_.append(chunk_);
}

uint32_t PartFile::thread_id(int64_t os_thread) {
  const auto [found, is_new] = threads_.try_emplace(os_thread, static_cast<uint32_t>(threads_.size()));
  if (is_new) new_threads_.push_back(os_thread);
  return found->second;
}

Status PartFile::write_threads() {
  if (new_threads_.empty()) return Done{};
  std::vector<uint32_t> ids;
  std::vector<std::string> names;
  for (const int64_t thread : new_threads_) {
    ids.push_back(threads_.at(thread));
    names.push_back(name_of_thread(thread));
  }
  chunk_.restart(TableId::kThreads);
  chunk_.add(table::threads::kId, ids);
  chunk_.add(table::threads::kOsTid, new_threads_);
  chunk_.add(table::threads::kName, std::vector<std::string_view>(names.begin(), names.end()));
  new_threads_.clear();
  return file_.append(chunk_);
}

Status PartFile::write_definitions(SampleTree& tree) {
  if (const size_t count = tree.texts().size(); texts_ < count) {
    std::vector<uint32_t> ids;
    std::vector<std::string_view> texts;
    for (; texts_ < count; ++texts_) {
      ids.push_back(static_cast<uint32_t>(texts_));
      texts.push_back(tree.text_of(static_cast<uint32_t>(texts_)));
    }
    chunk_.restart(TableId::kStrings);
    chunk_.add(table::strings::kId, ids);
    chunk_.add(table::strings::kText, texts);
    SKYLINE_RETURN_IF_ERROR(file_.append(chunk_));
  }
  if (const std::vector<SampleTree::Frame>& frames = tree.frames(); frames_ < frames.size()) {
    std::vector<uint32_t> ids, files, functions;
    std::vector<int32_t> lines;
    for (; frames_ < frames.size(); ++frames_) {
      ids.push_back(static_cast<uint32_t>(frames_));
      files.push_back(frames[frames_].file);
      functions.push_back(frames[frames_].function);
      lines.push_back(frames[frames_].line);
    }
    chunk_.restart(TableId::kFrames);
    chunk_.add(table::frames::kId, ids);
    chunk_.add(table::frames::kFile, files);
    chunk_.add(table::frames::kFunction, functions);
    chunk_.add(table::frames::kLine, lines);
    SKYLINE_RETURN_IF_ERROR(file_.append(chunk_));
  }
  if (const std::vector<SampleTree::Stack>& stacks = tree.stacks(); stacks_ < stacks.size()) {
    std::vector<uint32_t> ids, parents, frames;
    for (; stacks_ < stacks.size(); ++stacks_) {
      ids.push_back(static_cast<uint32_t>(stacks_));
      parents.push_back(stacks[stacks_].parent);
      frames.push_back(stacks[stacks_].frame);
    }
    chunk_.restart(TableId::kStacks);
    chunk_.add(table::stacks::kId, ids);
    chunk_.add(table::stacks::kParent, parents);
    chunk_.add(table::stacks::kFrame, frames);
    SKYLINE_RETURN_IF_ERROR(file_.append(chunk_));
  }
  return Done{};
}

Status PartFile::write_samples(const std::vector<SampleRow>& rows) {
  if (rows.empty()) return Done{};
  chunk_.restart(TableId::kSamples);
  chunk_.add(table::samples::kThread,
             column_of<uint32_t>(rows, [this](const SampleRow& row) { return thread_id(row.os_thread); }));
  chunk_.add(table::samples::kTicks,
             column_of<uint64_t>(rows, [](const SampleRow& row) { return row.ticks; }));
  chunk_.add(table::samples::kStack,
             column_of<uint32_t>(rows, [](const SampleRow& row) { return row.stack; }));
  return file_.append(chunk_);
}

Status PartFile::write_pauses(const std::vector<PauseRow>& rows) {
  if (rows.empty()) return Done{};
  namespace t = table::gc_pauses;
  chunk_.restart(TableId::kGcPauses);
  chunk_.add(t::kThread,
             column_of<uint32_t>(rows, [this](const PauseRow& row) { return thread_id(row.os_thread); }));
  chunk_.add(t::kStartTicks, column_of<uint64_t>(rows, [](const PauseRow& row) { return row.start; }));
  chunk_.add(t::kDurTicks,
             column_of<uint64_t>(rows, [](const PauseRow& row) { return row.end - row.start; }));
  chunk_.add(t::kGeneration, column_of<int32_t>(rows, [](const PauseRow& row) { return row.generation; }));
  chunk_.add(t::kCollected, column_of<int64_t>(rows, [](const PauseRow& row) { return row.collected; }));
  return file_.append(chunk_);
}

Status PartFile::write_ranges(const std::vector<RangeRow>& rows, SampleTree& tree) {
  if (rows.empty()) return Done{};
  namespace t = table::events;
  const auto kind = static_cast<uint8_t>(table::EventKind::kUserRange);
  chunk_.restart(TableId::kEvents);
  chunk_.add(t::kThread,
             column_of<uint32_t>(rows, [this](const RangeRow& row) { return thread_id(row.os_thread); }));
  chunk_.add(t::kStartTicks, column_of<uint64_t>(rows, [](const RangeRow& row) { return row.start; }));
  chunk_.add(t::kDurTicks,
             column_of<uint64_t>(rows, [](const RangeRow& row) { return row.end - row.start; }));
  chunk_.add(t::kName, column_of<uint32_t>(rows, [&](const RangeRow& row) { return tree.text(row.name); }));
  chunk_.add(t::kKind, column_of<uint8_t>(rows, [&](const RangeRow&) { return kind; }));
  return file_.append(chunk_);
}

Status PartFile::write_counters(const std::vector<CounterRow>& rows, SampleTree& tree) {
  if (rows.empty()) return Done{};
  namespace t = table::counters;
  chunk_.restart(TableId::kCounters);
  chunk_.add(t::kTicks, column_of<uint64_t>(rows, [](const CounterRow& row) { return row.ticks; }));
  chunk_.add(t::kName, column_of<uint32_t>(rows, [&](const CounterRow& row) { return tree.text(row.name); }));
  chunk_.add(t::kValue, column_of<double>(rows, [](const CounterRow& row) { return row.value; }));
  return file_.append(chunk_);
}

Status PartFile::add_loss(std::string_view name, uint64_t count, std::string_view sentence) {
  chunk_.restart(TableId::kLosses);
  chunk_.add(table::losses::kName, {&name, 1});
  chunk_.add(table::losses::kCount, {&count, 1});
  chunk_.add(table::losses::kSentence, {&sentence, 1});
  return file_.append(chunk_);
}

}  // namespace skyline::collect

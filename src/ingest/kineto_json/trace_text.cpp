#include "ingest/kineto_json/trace_text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "ingest/kineto_json/envelope.h"
#include "ingest/kineto_json/event_text.h"
#include "ingest/kineto_json/json_validator.h"
#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {
namespace {

constexpr size_t kTextPiece = 4 << 20;  // gzip files can be entered about that often

enum class Copied { kAll, kNotJson };

// What the text does not show by itself: how it was packed, and what became of its file.
constexpr Loss kLossesBesideText[] = {Loss::kTruncated, Loss::kCorruptStream, Loss::kChanged};

// The losses that a copy of the text would not have.
LossCounts losses_beside_text(const Trace& trace) {
  LossCounts beside;
  for (const Loss loss : kLossesBesideText) beside.add(loss, 0, trace.losses[loss].count);
  return beside;
}

// Puts them in as the first key. False if there is no place for a key, as in a list.
bool tell_losses(const Trace& trace, std::string& text) {
  const LossCounts losses = losses_beside_text(trace);
  if (losses.total(Severity::kDataLoss) == 0) return true;
  const size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace == std::string::npos || text[brace] != '{') return false;
  std::string key = "\"" + std::string(kLossesKey) + "\": ";
  if (text.compare(brace + 1, key.size(), key) == 0) return true;  // it was told before
  text.insert(brace + 1, key + losses_text(losses) + ",");
  return true;
}

// The text as it is, as long as it is JSON to the letter.
Result<Copied> copy_text(const Trace& trace, TextSink& sink) {
  JsonValidator validator;
  for (uint64_t offset = 0; offset < trace.info.text_bytes;) {
    SKYLINE_TRY(std::string piece, trace.args->text_at(offset, kTextPiece));
    if (piece.empty() || !validator.take(piece)) return Copied::kNotJson;
    const bool is_first = offset == 0;
    offset += piece.size();
    if (is_first && !tell_losses(trace, piece)) return Copied::kNotJson;
    SKYLINE_RETURN_IF_ERROR(sink.write(piece));
  }
  return validator.is_complete() ? Copied::kAll : Copied::kNotJson;
}

// Today's words; the trace does not keep which of a category's words was written.
constexpr std::string_view kCategoryTexts[kCategories.size()] = {
    "cpu_op",    "user_annotation", "python_function", "cuda_runtime",    "cuda_driver",
    "kernel",    "gpu_memcpy",      "gpu_memset",      "mtia_ccp_events", "gpu_user_annotation",
    "cuda_sync", "cuda_event",      "overhead",        "Trace",           "cuda_profiler_range",
    "",
};

// The texts of events, in the order of the file.
class EventTexts {
 public:
  explicit EventTexts(const Trace& trace) : trace_(trace) {}

  // Empty if there is no text for it, or none that is JSON.
  std::string_view at(uint64_t offset) {
    if (trace_.args == nullptr) return {};
    if (trace_.info.text_bytes == 0) {
      Result<std::string> made = trace_.args->event_text(offset);
      text_ = made.ok() ? std::move(made).value() : std::string();
      return text_;
    }
    const std::string_view event = cut_out(offset);
    return is_json(event) ? event : std::string_view();
  }

 private:
  std::string_view cut_out(uint64_t offset) {
    if (offset < begin_ || offset + kTextPiece / 4 > begin_ + text_.size()) {
      Result<std::string> piece = trace_.args->text_at(offset, kTextPiece);
      text_ = piece.ok() ? std::move(piece).value() : std::string();
      begin_ = offset;
      text_size_ = text_.size();
      text_.append(kPadding, '\0');
    }
    if (offset - begin_ >= text_size_) return {};
    const char* event = text_.data() + (offset - begin_);
    const char* behind = *event == '{' ? skip_container(event, text_.data() + text_size_) : nullptr;
    return behind == nullptr ? std::string_view()
                             : std::string_view(event, static_cast<size_t>(behind - event));
  }

  const Trace& trace_;
  std::string text_;
  size_t text_size_ = 0;
  uint64_t begin_ = 0;
};

class TraceText {
 public:
  TraceText(const Trace& trace, TextSink& sink) : trace_(trace), sink_(sink), texts_(trace) {}

  Status write() {
    add_envelope();
    add_names();
    SKYLINE_RETURN_IF_ERROR(add_slices());
    SKYLINE_RETURN_IF_ERROR(add_memory());
    SKYLINE_RETURN_IF_ERROR(add_counters());
    SKYLINE_RETURN_IF_ERROR(add_arrows());
    out_ += "\n  ],\"traceName\": ";
    append_quoted(trace_.info.trace_name, out_);
    out_ += " }\n";
    return sink_.write(out_);
  }

 private:
  std::string_view text(StringId id) const { return trace_.strings[id]; }
  const Track& track(TrackId id) const { return trace_.tracks[id.value]; }

  void add_member(std::string_view key, std::string_view json) {
    out_ += "  ";
    append_quoted(key, out_);
    out_ += ": ";
    out_ += json;
    out_ += ",\n  ";
  }
  void add_text_member(std::string_view key, std::string_view value) {
    std::string quoted;
    append_quoted(value, quoted);
    add_member(key, quoted);
  }

  void add_envelope() {
    const TraceInfo& info = trace_.info;
    out_ += " {";
    const std::string losses = losses_text(trace_.losses);
    if (losses != "{}") out_.append("\"").append(kLossesKey).append("\": ").append(losses).append(",");
    out_ += "\n  ";
    add_member("schemaVersion", std::to_string(info.schema_version < 0 ? 1 : info.schema_version));
    add_member("deviceProperties", devices());
    std::set<std::string_view> written;
    for (const auto& [key, flag] : {std::pair{"record_shapes", info.record_shapes},
                                    {"profile_memory", info.profile_memory},
                                    {"with_stack", info.with_stack},
                                    {"with_modules", info.with_modules},
                                    {"with_flops", info.with_flops}}) {
      written.insert(key);
      if (flag >= 0) add_member(key, flag != 0 ? "1" : "0");
    }
    if (info.rank >= 0) {
      ArgsText distributed;
      distributed.add_text("backend", info.backend);
      distributed.add("rank", info.rank);
      distributed.add("world_size", info.world_size);
      if (!info.nccl_version.empty()) distributed.add_text("nccl_version", info.nccl_version);
      add_member("distributedInfo", "{" + std::string(distributed.members()) + "}");
    }
    if (!info.host_name.empty()) add_text_member("host_name", info.host_name);
    for (const char* own : {"displayTimeUnit", "baseTimeNanoseconds", "traceEvents", "traceName"})
      written.insert(own);
    for (const auto& [key, value] : info.metadata) {
      if (written.insert(key).second) add_scalar(key, value);
    }
    add_member("displayTimeUnit", "\"ms\"");
    if (info.base_ns != 0) add_member("baseTimeNanoseconds", std::to_string(info.base_ns));
    out_ += "  \"traceEvents\": [";
  }

  // Metadata is kept as text; what was a number is one again.
  void add_scalar(std::string_view key, std::string_view value) {
    int64_t number = 0;
    const char* end = value.data() + value.size();
    const std::from_chars_result read = std::from_chars(value.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && std::to_string(number) == value) {
      add_member(key, value);
    } else {
      add_text_member(key, value);
    }
  }

  std::string devices() const {
    std::string list = "[";
    for (const Device& device : trace_.info.devices) {
      ArgsText members;
      const auto add = [&](std::string_view key, int64_t value) {
        if (value >= 0) members.add(key, value);
      };
      add("id", device.id);
      members.add_text("name", device.name);
      add("totalGlobalMem", device.memory_bytes);
      add("computeMajor", device.compute_major);
      add("computeMinor", device.compute_minor);
      add("maxThreadsPerMultiprocessor", device.max_threads_per_multiprocessor);
      add("warpSize", device.warp_size);
      add("numSms", device.multiprocessors);
      list.append(list.size() > 1 ? ", {" : "{").append(members.members()).append("}");
    }
    return list + "]";
  }

  void begin_event() {
    out_ += is_first_ ? "\n  " : ",\n  ";
    is_first_ = false;
  }

  void add_name(const Track& track, std::string_view thread, std::string_view name, std::string_view key,
                std::string_view value) {
    ArgsText args;
    args.add_text(key, value);
    begin_event();
    append_event({.phase = 'M',
                  .name = name,
                  .process = text(track.process),
                  .thread = thread,
                  .time_ns = std::max<int64_t>(0, trace_.first_ns)},
                 args.members(), out_);
  }

  void add_names() {
    std::set<StringId> named;
    for (const Track& track : trace_.tracks) {
      if (named.insert(track.process).second) {
        if (track.process_name.exists())
          add_name(track, "0", "process_name", "name", text(track.process_name));
        if (track.process_label.exists())
          add_name(track, "0", "process_labels", "labels", text(track.process_label));
      }
      if (track.thread_name.exists())
        add_name(track, text(track.thread), "thread_name", "name", text(track.thread_name));
    }
  }

  Status flush() {
    constexpr size_t kEnough = 1 << 20;
    if (out_.size() < kEnough) return Done{};
    const Status written = sink_.write(out_);
    out_.clear();
    return written;
  }

  Status add_slices() {
    std::vector<uint32_t> order(trace_.slices.size());
    std::iota(order.begin(), order.end(), 0u);
    const Column<uint64_t>& offset = trace_.slices.source_place;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return offset[a] < offset[b]; });
    for (const uint32_t slice : order) {
      begin_event();
      const std::string_view kept = texts_.at(offset[slice]);
      if (kept.empty()) {
        add_slice(slice);
      } else {
        out_ += kept;
      }
      SKYLINE_RETURN_IF_ERROR(flush());
    }
    return Done{};
  }

  // As well as the tables know it.
  void add_slice(uint32_t slice) {
    const SliceTable& slices = trace_.slices;
    const Category category = slices.category[slice];
    const uint32_t row = slices.detail[slice];
    ArgsText args;
    if (is_op_or_range(category)) {
      add_op_args(row, args);
    } else if (category == Category::kPython) {
      add_python_args(row, args);
    } else if (is_launch(category)) {
      if (trace_.launches.correlation[row] != kNoCorrelation)
        args.add("correlation", trace_.launches.correlation[row]);
      if (trace_.launches.external_id[row] != 0) args.add("External id", trace_.launches.external_id[row]);
    } else if (is_activity(category)) {
      add_activity_args(row, args);
    }
    const Track& on = track(slices.track[slice]);
    append_event({.phase = 'X',
                  .category = kCategoryTexts[static_cast<size_t>(category)],
                  .name = text(slices.name[slice]),
                  .process = text(on.process),
                  .thread = text(on.thread),
                  .time_ns = slices.start_ns[slice],
                  .dur_ns = slices.dur_ns[slice]},
                 args.members(), out_);
  }

  void add_op_args(uint32_t row, ArgsText& args) const {
    const OpTable& ops = trace_.ops;
    if (ops.external_id[row] != 0) args.add("External id", ops.external_id[row]);
    if (ops.sequence[row] >= 0) {
      args.add("Sequence number", ops.sequence[row]);
      args.add("Fwd thread id", uint64_t{ops.fwd_thread[row]});
    }
    // Whatever stood in a broken file: no more of it than JSON allows.
    const auto add_json = [&](std::string_view key, StringId id) {
      if (is_json(text(id))) args.add_json(key, text(id));
    };
    add_json("Input type", trace_.input_types(row));
    add_json("Input Dims", trace_.input_dims(row));
  }

  void add_python_args(uint32_t row, ArgsText& args) const {
    const PythonTable& pythons = trace_.pythons;
    if (pythons.parent_id[row] >= 0) args.add("Python parent id", pythons.parent_id[row]);
    if (pythons.python_id[row] >= 0) args.add("Python id", pythons.python_id[row]);
    if (pythons.module_id[row] >= 0) args.add("Python module id", pythons.module_id[row]);
  }

  void add_activity_args(uint32_t row, ArgsText& args) const {
    const ActivityTable& activities = trace_.activities;
    if (activities.device[row] >= 0) args.add("device", activities.device[row]);
    if (activities.stream[row] >= 0) args.add("stream", activities.stream[row]);
    if (activities.correlation[row] != kNoCorrelation) args.add("correlation", activities.correlation[row]);
    if (activities.bytes[row] >= 0) args.add("bytes", activities.bytes[row]);
  }

  Status add_memory() {
    const MemoryTable& memory = trace_.memory;
    for (size_t row = 0; row < memory.size(); ++row) {
      ArgsText args;
      const auto add_total = [&](std::string_view key, int64_t value) {
        if (value != kUnknownBytes) args.add(key, value);
      };
      add_total("Total Reserved", memory.total_reserved[row]);
      add_total("Total Allocated", memory.total_allocated[row]);
      args.add("Bytes", memory.bytes[row]);
      args.add("Addr", memory.address[row]);
      args.add("Device Id", int64_t{memory.device_id[row]});
      args.add("Device Type", int64_t{memory.device_type[row]});
      const Track& on = track(memory.track[row]);
      begin_event();
      append_event({.phase = 'i',
                    .category = "cpu_instant_event",
                    .name = "[memory]",
                    .process = text(on.process),
                    .thread = text(on.thread),
                    .time_ns = memory.time_ns[row]},
                   args.members(), out_);
      SKYLINE_RETURN_IF_ERROR(flush());
    }
    return Done{};
  }

  Status add_counters() {
    const CounterTable& counters = trace_.counters;
    for (size_t row = 0; row < counters.size(); ++row) {
      char number[32];
      const std::to_chars_result end =
          std::to_chars(std::begin(number), std::end(number), counters.value[row]);
      ArgsText args;
      args.add_json(text(counters.key[row]), std::string_view(number, static_cast<size_t>(end.ptr - number)));
      const Track& on = track(counters.track[row]);
      begin_event();
      append_event({.phase = 'C',
                    .name = text(counters.name[row]),
                    .process = text(on.process),
                    .thread = text(on.thread),
                    .time_ns = counters.time_ns[row]},
                   args.members(), out_);
      SKYLINE_RETURN_IF_ERROR(flush());
    }
    return Done{};
  }

  void add_arrow_end(char phase, uint64_t id, SliceId slice, std::string_view word) {
    const Track& on = track(trace_.slices.track[slice.value]);
    begin_event();
    out_.append("{\n    \"ph\": \"").append(1, phase).append("\", \"id\": ").append(std::to_string(id));
    out_ += ", \"pid\": ";
    append_id(text(on.process), out_);
    out_ += ", \"tid\": ";
    append_id(text(on.thread), out_);
    out_ += ", \"ts\": ";
    append_time(trace_.slices.start_ns[slice.value], out_);
    out_.append(",\n    \"cat\": \"").append(word).append("\", \"name\": \"").append(word).append("\"");
    if (phase == 'f') out_ += ", \"bp\": \"e\"";
    out_ += "\n  }";
  }

  // From forward to backward, and from launches to the work that they started.
  Status add_arrows() {
    uint64_t id = 0;
    for (uint32_t row = 0; row < trace_.ops.size(); ++row) {
      const SliceId forward = trace_.ops.forward[row];
      if (!forward.exists()) continue;
      ++id;
      add_arrow_end('s', id, forward, "fwdbwd");
      add_arrow_end('f', id, trace_.ops.slice[row], "fwdbwd");
      SKYLINE_RETURN_IF_ERROR(flush());
    }
    const ActivityTable& activities = trace_.activities;
    for (uint32_t row = 0; row < activities.size(); ++row) {
      if (!activities.launch[row].exists()) continue;
      add_arrow_end('s', activities.correlation[row], activities.launch[row], "ac2g");
      add_arrow_end('f', activities.correlation[row], activities.slice[row], "ac2g");
      SKYLINE_RETURN_IF_ERROR(flush());
    }
    return Done{};
  }

  const Trace& trace_;
  TextSink& sink_;
  EventTexts texts_;
  std::string out_;
  bool is_first_ = true;
};

}  // namespace

Status write_trace(const Trace& trace, TextSink& sink) {
  if (trace.args != nullptr && trace.info.text_bytes > 0) {
    SKYLINE_TRY(const Copied copied, copy_text(trace, sink));
    if (copied == Copied::kAll) return Done{};
    SKYLINE_RETURN_IF_ERROR(sink.start_over());
  }
  return TraceText(trace, sink).write();
}

}  // namespace skyline::ingest::kineto_json

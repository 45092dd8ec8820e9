// trace_dump [--threads N] [--chunk-bytes N] [--args ORDINAL] [--python] [--tables] FILE
//
// Prints the trace model as canonical text, one line per event in file order, in the format that
// tests/oracle/dump.py prints from its slow reader. --args prints one slice's event text instead;
// --python prints what recordings know of Python instead: operators with stack and module, and source files;
// --tables prints every column of every table.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "ingest/ingest.h"
#include "trace/test_dump.h"

namespace skyline {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  char buffer[16];
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    i += length;
    switch (code) {
      case '"':
        out += "\\\"";
        continue;
      case '\\':
        out += "\\\\";
        continue;
      case '\n':
        out += "\\n";
        continue;
      case '\r':
        out += "\\r";
        continue;
      case '\t':
        out += "\\t";
        continue;
      case '\b':
        out += "\\b";
        continue;
      case '\f':
        out += "\\f";
        continue;
      default:
        break;
    }
    if (code >= 0x20 && code < 0x7f) {
      out += static_cast<char>(code);
    } else if (code < 0x10000) {
      std::snprintf(buffer, sizeof buffer, "\\u%04x", code);
      out += buffer;
    } else {
      const uint32_t rest = code - 0x10000;
      std::snprintf(buffer, sizeof buffer, "\\u%04x\\u%04x", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
      out += buffer;
    }
  }
  return out + '"';
}

class Dumper {
 public:
  explicit Dumper(const Trace& trace)
      : trace_(trace), order_(trace.slices.size()), ordinal_(trace.slices.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    const Column<uint64_t>& offset = trace.slices.source_place;
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return offset[a] < offset[b]; });
    for (uint32_t i = 0; i < order_.size(); ++i) ordinal_[order_[i]] = i;
  }

  void print() const {
    for (const uint32_t slice : order_) print_slice(slice);
    print_memory();
    print_counters();
    print_tensors();
    if (trace_.step_source == StepSource::kProfilerStep) {
      for (const Step& step : trace_.steps)
        std::printf("step\t%ld\t%ld\t%ld\n", step.number, step.start_ns, step.dur_ns());
    }
    std::vector<const LossKind*> kinds;
    for (const LossKind& kind : kLosses) kinds.push_back(&kind);
    std::sort(kinds.begin(), kinds.end(),
              [](const LossKind* a, const LossKind* b) { return a->name < b->name; });
    for (const LossKind* kind : kinds) {
      const uint64_t count = trace_.losses[kind->loss].count;
      if (count > 0)
        std::printf("loss\t%.*s\t%lu\n", static_cast<int>(kind->name.size()), kind->name.data(), count);
    }
    std::printf("events\t%lu\n", trace_.event_count);
  }

  void print_python() const {
    const OpTable& ops = trace_.ops;
    for (uint32_t row = 0; row < ops.size(); ++row) {
      std::string line = "op\t" + text(trace_.slices.name[ops.slice[row].value]) + "\t" +
                         module_text(ops.module.empty() ? ModuleId() : ops.module[row]);
      StackId stack = ops.stack.empty() ? StackId() : ops.stack[row];
      for (; stack.exists(); stack = trace_.stacks.parent[stack.value]) line += "\t" + frame_text(stack);
      std::puts(line.c_str());
    }
    for (const SourceFile& source : trace_.sources) {
      std::printf("source\t%s\t%s\t%s\n", quoted(source.path).c_str(), source.hash.c_str(),
                  quoted(source.text).c_str());
    }
  }

  SliceId slice_at(size_t ordinal) const { return SliceId(order_.at(ordinal)); }

 private:
  std::string text(StringId id) const { return quoted(trace_.strings[id]); }
  std::string ref(SliceId id) const { return id.exists() ? std::to_string(ordinal_[id.value]) : "-"; }
  std::string track(TrackId id) const {
    const Track& track = trace_.tracks[id.value];
    return text(track.process) + "\t" + text(track.thread);
  }
  std::string module_text(ModuleId id) const {
    if (!id.exists()) return "-";
    return text(trace_.modules.name[id.value]) + " " + text(trace_.modules.class_name[id.value]);
  }
  std::string frame_text(StackId id) const {
    const FrameId frame = trace_.stacks.frame[id.value];
    if (!frame.exists()) return "-";
    return std::string(trace_.strings[trace_.frames.file[frame.value]]) + ":" +
           std::to_string(trace_.frames.line[frame.value]) + " " +
           std::string(trace_.strings[trace_.frames.function[frame.value]]);
  }
  static std::string number(int64_t value, int64_t missing) {
    return value == missing ? "-" : std::to_string(value);
  }

  void print_slice(uint32_t s) const {
    const SliceTable& slices = trace_.slices;
    const Category category = slices.category[s];
    std::string line = "slice\t" + std::to_string(ordinal_[s]) + "\t" + std::string(name_of(category)) +
                       "\t" + track(slices.track[s]) + "\t" + std::to_string(slices.start_ns[s]) + "\t" +
                       std::to_string(slices.dur_ns[s]) + "\t" + text(slices.name[s]) +
                       "\tparent=" + ref(slices.parent[s]) + "\tdepth=" + std::to_string(slices.depth[s]) +
                       "\tlane=" + std::to_string(slices.lane[s]);
    const uint32_t row = slices.detail[s];
    if (is_activity(category)) {
      const uint64_t correlation = trace_.activities.correlation[row];
      if (correlation != kNoCorrelation) {
        line += "\tcorr=" + std::to_string(correlation) + "\tlaunch=" + ref(trace_.activities.launch[row]);
      }
    } else if (is_launch(category)) {
      const uint64_t correlation = trace_.launches.correlation[row];
      if (correlation != kNoCorrelation) line += "\tcorr=" + std::to_string(correlation);
      line += "\top=" + ref(trace_.launches.op[row]);
    } else if (is_op_or_range(category)) {
      print_op(row, category, line);
    }
    std::puts(line.c_str());
  }

  void print_op(uint32_t row, Category category, std::string& line) const {
    const OpTable& ops = trace_.ops;
    if (category == Category::kCpuOp && ops.sequence[row] >= 0) {
      line += "\tseq=" + std::to_string(ops.sequence[row]);
      if (ops.fwd_thread[row] > 0) line += "\tfwd=" + ref(ops.forward[row]);
    }
    if (ops.external_id[row] != 0) line += "\text=" + std::to_string(ops.external_id[row]);
    if (trace_.input_dims(row).exists())
      line += "\tdims=" + std::string(trace_.strings[trace_.input_dims(row)]);
    if (trace_.input_types(row).exists())
      line += "\ttypes=" + std::string(trace_.strings[trace_.input_types(row)]);
  }

  void print_memory() const {
    const MemoryTable& memory = trace_.memory;
    for (uint32_t i = 0; i < memory.size(); ++i) {
      std::printf("memory\t%s\t%ld\t%lu\t%ld\t%s\t%s\t%d\t%d\n", track(memory.track[i]).c_str(),
                  memory.time_ns[i], memory.address[i], memory.bytes[i],
                  number(memory.total_allocated[i], kUnknownBytes).c_str(),
                  number(memory.total_reserved[i], kUnknownBytes).c_str(), memory.device_type[i],
                  memory.device_id[i]);
    }
  }

  void print_counters() const {
    const CounterTable& counters = trace_.counters;
    for (uint32_t i = 0; i < counters.size(); ++i) {
      std::printf("counter\t%s\t%ld\t%s\t%s\t%.17g\n",
                  text(trace_.tracks[counters.track[i].value].process).c_str(), counters.time_ns[i],
                  text(counters.name[i]).c_str(), text(counters.key[i]).c_str(), counters.value[i]);
    }
  }

  void print_tensors() const {
    const TensorTable& tensors = trace_.tensors;
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      std::printf("tensor\t%d\t%s\t%s\t%s\t%lu\t%ld\t%ld\n", static_cast<int>(tensors.role[i]),
                  text(tensors.name[i]).c_str(), text(tensors.module[i]).c_str(),
                  text(tensors.dims[i]).c_str(), tensors.address[i], tensors.bytes[i], tensors.time_ns[i]);
    }
  }

  const Trace& trace_;
  std::vector<uint32_t> order_;    // slices in file order
  std::vector<uint32_t> ordinal_;  // slice -> place in that order
};

int run(int argc, char** argv) {
  ingest::IngestOptions options;
  std::string path;
  long args_of = -1;
  bool wants_python = false, wants_tables = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
      options.threads = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (std::strcmp(argv[i], "--chunk-bytes") == 0 && i + 1 < argc) {
      options.chunk_bytes = std::stoul(argv[++i]);
    } else if (std::strcmp(argv[i], "--args") == 0 && i + 1 < argc) {
      args_of = std::stol(argv[++i]);
    } else if (std::strcmp(argv[i], "--python") == 0) {
      wants_python = true;
    } else if (std::strcmp(argv[i], "--tables") == 0) {
      wants_tables = true;
    } else {
      path = argv[i];
    }
  }
  const Result<std::unique_ptr<const Trace>> trace = ingest::read_trace(path, options);
  if (!trace.ok()) {
    std::fprintf(stderr, "trace_dump: %s\n", trace.error().sentence.c_str());
    return 2;
  }
  const Dumper dumper(*trace.value());
  if (wants_python) {
    dumper.print_python();
    return 0;
  }
  if (wants_tables) {
    std::fputs(text_of(*trace.value()).c_str(), stdout);
    return 0;
  }
  if (args_of < 0) {
    dumper.print();
    return 0;
  }
  const SliceId slice = dumper.slice_at(static_cast<size_t>(args_of));
  const Result<std::string> text =
      trace.value()->args->event_text(trace.value()->slices.source_place[slice.value]);
  std::puts(text.ok() ? text.value().c_str() : text.error().sentence.c_str());
  return text.ok() ? 0 : 2;
}

}  // namespace
}  // namespace skyline

int main(int argc, char** argv) { return skyline::run(argc, argv); }

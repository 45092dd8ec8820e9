#include "analyze/processes/process_tables.h"

#include <charconv>
#include <map>

#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"

namespace skyline::analyze {
namespace {

// One counter of one process.
struct Counted {
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
  double first = 0, last = 0, most = 0;
  int64_t counts = 0;

  void add(int64_t time_ns, double value) {
    if (time_ns < first_ns) {
      first_ns = time_ns;
      first = value;
    }
    if (time_ns >= last_ns) {
      last_ns = time_ns;
      last = value;
    }
    most = std::max(most, value);
    ++counts;
  }
};

struct Process {
  uint32_t row = 0;
  std::map<std::string_view, Counted> counted;
  SumNs wait, fetch, collate, gc;
  int64_t batches = 0, pauses = 0, samples = 0;
};

// No double reaches a figure that it does not fit.
int64_t whole(double value) { return value > 0 && value < 9e18 ? static_cast<int64_t>(value) : 0; }

Cell growth(const Process& process, std::string_view name, double unit = 1) {
  const auto found = process.counted.find(name);
  if (found == process.counted.end() || found->second.counts < 2) return {};
  return whole((found->second.last - found->second.first) * unit);
}

int64_t pid_of(const Trace& trace, TrackId track) {
  const std::string_view text = trace.strings[trace.tracks[track.value].process];
  int64_t pid = -1;
  std::from_chars(text.data(), text.data() + text.size(), pid);
  return pid;
}

class ProcessSums {
 public:
  explicit ProcessSums(const Trace& trace) : trace_(trace) {
    processes.resize(trace.processes.size());
    for (uint32_t row = 0; row < processes.size(); ++row) {
      processes[row].row = row;
      by_pid_.emplace(trace.processes.pid[row], row);
    }
    add_counters();
    add_ranges();
    for (uint32_t row = 0; row < trace.gc_pauses.size(); ++row) {
      if (Process* const process = process_of(trace.gc_pauses.track[row])) {
        process->gc += trace.gc_pauses.dur_ns[row];
        ++process->pauses;
      }
    }
    for (uint32_t row = 0; row < trace.samples.size(); ++row) {
      if (Process* const process = process_of(trace.samples.track[row])) ++process->samples;
    }
  }

  std::vector<Process> processes;

 private:
  Process* process_of(TrackId track) {
    const auto [known, is_new] = by_track_.try_emplace(track, nullptr);
    if (is_new) {
      const auto found = by_pid_.find(pid_of(trace_, track));
      if (found != by_pid_.end()) known->second = &processes[found->second];
    }
    return known->second;
  }

  void add_counters() {
    const ProcessCounterTable& counters = trace_.process_counters;
    for (uint32_t row = 0; row < counters.size(); ++row) {
      const StringId name = counters.name[row];
      if (name.exists() && counters.process[row].value < processes.size())
        processes[counters.process[row].value].counted[trace_.strings[name]].add(counters.time_ns[row],
                                                                                 counters.value[row]);
    }
  }

  void add_ranges() {
    for (uint32_t row = 0; row < trace_.ops.size(); ++row) {
      const SliceId slice = trace_.ops.slice[row];
      if (trace_.category(slice) != Category::kUserAnnotation) continue;
      const std::string_view name = trace_.slice_name(slice);
      if (!name.starts_with("DataLoader.")) continue;
      Process* const process = process_of(trace_.slices.track[slice.value]);
      if (process == nullptr) continue;
      const int64_t duration = trace_.slices.dur_ns[slice.value];
      if (name == "DataLoader.wait") process->wait += duration;
      if (name == "DataLoader.collate") process->collate += duration;
      if (name != "DataLoader.fetch") continue;
      process->fetch += duration;
      ++process->batches;
    }
  }

  const Trace& trace_;
  std::map<int64_t, uint32_t> by_pid_;
  std::map<TrackId, Process*> by_track_;
};

Cell cpu_of(const Process& process) {
  const Cell user = growth(process, "cpu.user_ns"), system = growth(process, "cpu.system_ns");
  const auto* const a = std::get_if<int64_t>(&user);
  const auto* const b = std::get_if<int64_t>(&system);
  return a == nullptr || b == nullptr ? Cell() : Cell(plus(*a, *b));
}

Cell cpu_share_of(const Process& process) {
  const Cell cpu = cpu_of(process);
  if (std::get_if<int64_t>(&cpu) == nullptr) return {};
  const Counted& counted = process.counted.at("cpu.user_ns");
  return share_cell(std::get<int64_t>(cpu), counted.last_ns - counted.first_ns);
}

}  // namespace

Table processes_table(const AnalyzedTrace& analyzed, const TableOptions&) {
  const Trace& trace = analyzed.trace();
  const auto text = [&trace](const Column<StringId>& column) {
    return [&trace, &column](const Process& process) {
      const StringId id = column[process.row];
      return id.exists() ? std::string(trace.strings[id]) : std::string();
    };
  };
  const auto grown = [](std::string_view name, double unit = 1) {
    return [name, unit](const Process& process) { return growth(process, name, unit); };
  };
  const NamedCells<Process> cells(
      kProcessesColumns,
      {
          {"pid", [&](const Process& process) { return trace.processes.pid[process.row]; }},
          {"role", text(trace.processes.role)},
          {"name", text(trace.processes.name)},
          {"cpu", cpu_of},
          {"cpu_share", cpu_share_of},
          {"wait", [](const Process& process) { return int64_t{process.wait}; }},
          {"fetch", [](const Process& process) { return int64_t{process.fetch}; }},
          {"collate", [](const Process& process) { return int64_t{process.collate}; }},
          {"batches", [](const Process& process) { return process.batches; }},
          {"gc", [](const Process& process) { return int64_t{process.gc}; }},
          {"gc_pauses", [](const Process& process) { return process.pauses; }},
          {"resident",
           [](const Process& process) {
             const auto found = process.counted.find("memory.resident_bytes");
             return found == process.counted.end() ? Cell() : Cell(whole(found->second.most));
           }},
          {"faults", grown("faults.minor")},
          {"major_faults", grown("faults.major")},
          {"switched_out", grown("switches.involuntary")},
          {"throttled", grown("cgroup.throttled_us", 1e3)},
          {"cpu_pressure", grown("pressure.cpu.some_us", 1e3)},
          {"memory_pressure", grown("pressure.memory.some_us", 1e3)},
          {"io_pressure", grown("pressure.io.some_us", 1e3)},
          {"samples", [](const Process& process) { return process.samples; }},
          {"counts",
           [](const Process& process) {
             const auto found = process.counted.find("cpu.user_ns");
             return found == process.counted.end() ? int64_t{0} : found->second.counts;
           }},
      });
  Table table;
  table.columns = cells.columns();
  for (const Process& process : ProcessSums(trace).processes) table.rows.push_back(cells.row(process));
  if (table.rows.empty())
    table.note = "Processes are told of where Python was sampled (skyline run, samples_hz).";
  return table;
}

Table settings_table(const AnalyzedTrace& analyzed, const TableOptions&) {
  const Trace& trace = analyzed.trace();
  const NamedCells<uint32_t> cells(
      kSettingsColumns,
      {
          {"key", [&](uint32_t row) { return std::string(trace.strings[trace.settings.key[row]]); }},
          {"value",
           [&](uint32_t row) {
             const StringId value = trace.settings.value[row];
             return value.exists() ? Cell(std::string(trace.strings[value])) : Cell();
           }},
      });
  Table table;
  table.columns = cells.columns();
  for (uint32_t row = 0; row < trace.settings.size(); ++row) table.rows.push_back(cells.row(row));
  if (table.rows.empty())
    table.note = "Settings are recorded where Python is sampled (skyline run, samples_hz).";
  return table;
}

Table pauses_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const Trace& trace = analyzed.trace();
  const GcPauseTable& pauses = trace.gc_pauses;
  const NamedCells<uint32_t> cells(
      kPausesColumns,
      {
          {"start", [&](uint32_t row) { return minus(pauses.start_ns[row], trace.first_ns); }},
          {"duration", [&](uint32_t row) { return pauses.dur_ns[row]; }},
          {"generation", [&](uint32_t row) { return int64_t{pauses.generation[row]}; }},
          {"collected", [&](uint32_t row) { return pauses.collected[row]; }},
          {"pid", [&](uint32_t row) { return pid_of(trace, pauses.track[row]); }},
      });
  const Step* const step = options.step ? find_step(trace, *options.step) : nullptr;
  Table table;
  table.columns = cells.columns();
  for (uint32_t row = 0; row < pauses.size(); ++row) {
    const int64_t start = pauses.start_ns[row];
    if (step == nullptr || (start >= step->start_ns && start < step->end_ns))
      table.rows.push_back(cells.row(row));
  }
  sort_rows(table, "duration");
  return table;
}

}  // namespace skyline::analyze

// Everything that a trace holds, as text, for tests that compare two. Where it was found and how it was
// packed is left out.
#pragma once

#include <string>

#include "ingest/native/stored_columns.h"
#include "ingest/native/stored_info.h"

namespace skyline::ingest::native {

inline std::string snapshot(const Trace& trace) {
  std::string out;
  const auto add = [&](std::string_view text) { out.append(text).append(" "); };
  const auto number = [&](auto value) { add(std::to_string(value)); };
  for (const auto& [name, value] : info_rows(trace)) {
    if (name != "source_bytes" && name != "compression") add(name + "=" + value);
  }
  for (const auto& [key, value] : trace.info.metadata) add(key + ":" + value);
  for (const Device& d : trace.info.devices) {
    add(d.name);
    for (const int64_t value : {d.id, d.memory_bytes, d.multiprocessors, d.compute_major, d.compute_minor,
                                d.warp_size, d.max_threads_per_multiprocessor}) {
      number(value);
    }
  }
  out += "\nstrings ";
  for (uint32_t id = 0; id < trace.strings.size(); ++id) add(trace.strings[StringId(id)]);
  out += "\ntracks ";
  for (const Track& t : trace.tracks) {
    for (const uint32_t value : {t.process.value, t.thread.value, t.process_name.value, t.process_label.value,
                                 t.thread_name.value, t.first_slice.value, t.slice_count, t.activity_count}) {
      number(value);
    }
    number(t.lanes);
  }
  for_each_stored_column(trace, [&](const auto&, const auto& spec, const auto& column) {
    out.append("\n").append(spec.name).append(" ");
    const auto* values = as_stored(column.data());
    for (size_t i = 0; i < column.size(); ++i) number(values[i]);
  });
  out += "\nsteps ";
  for (const Step& s : trace.steps) {
    for (const int64_t value :
         {s.number, s.start_ns, s.end_ns, int64_t{s.track.value}, int64_t{s.slice.value}})
      number(value);
  }
  out += "\ncounts ";
  for (const EventCount& c : trace.event_counts) {
    number(c.category.value);
    number(static_cast<int>(c.phase));
    number(c.count);
  }
  out += "\nlosses ";
  for (const LossKind& kind : kLosses) {
    number(trace.losses[kind.loss].count);
    number(trace.losses[kind.loss].first_offset);
    add(trace.losses[kind.loss].detail);
  }
  out += "\nsources ";
  for (const SourceFile& source : trace.sources) add(source.path + source.hash + source.text);
  out += "\nsummaries ";
  for (const Summary& summary : trace.summaries) add(summary.name + summary.bytes);
  return out;
}

}  // namespace skyline::ingest::native

#include "ingest/native/stored_info.h"

#include <charconv>
#include <variant>

namespace skyline::ingest::native {
namespace {

using Member =
    std::variant<std::string TraceInfo::*, int64_t TraceInfo::*, uint64_t TraceInfo::*, int TraceInfo::*,
                 bool TraceInfo::*, int64_t Trace::*, uint64_t Trace::*, StepSource Trace::*>;

struct Field {
  std::string_view name;
  Member member;
};

// One line per value. `path` is where the trace was found, so it is not kept.
const Field kFields[] = {
    {"format", &TraceInfo::format},
    {"producer", &TraceInfo::producer},
    {"compression", &TraceInfo::compression},
    {"trace_name", &TraceInfo::trace_name},
    {"host_name", &TraceInfo::host_name},
    {"backend", &TraceInfo::backend},
    {"nccl_version", &TraceInfo::nccl_version},
    {"rank", &TraceInfo::rank},
    {"world_size", &TraceInfo::world_size},
    {"base_ns", &TraceInfo::base_ns},
    {"schema_version", &TraceInfo::schema_version},
    {"source_bytes", &TraceInfo::source_bytes},
    {"text_bytes", &TraceInfo::text_bytes},
    {"whole_microseconds", &TraceInfo::whole_microseconds},
    {"record_shapes", &TraceInfo::record_shapes},
    {"profile_memory", &TraceInfo::profile_memory},
    {"with_stack", &TraceInfo::with_stack},
    {"with_modules", &TraceInfo::with_modules},
    {"with_flops", &TraceInfo::with_flops},
    {"first_ns", &Trace::first_ns},
    {"last_ns", &Trace::last_ns},
    {"event_count", &Trace::event_count},
    {"step_source", &Trace::step_source},
};

template <typename T>
T parse(std::string_view text) {
  T number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string to_text(const std::string& value) { return value; }
std::string to_text(bool value) { return value ? "1" : "0"; }
std::string to_text(StepSource value) { return std::to_string(static_cast<int>(value)); }
template <typename T>
std::string to_text(T value) {
  return std::to_string(value);
}

void from_text(std::string_view text, std::string& value) { value = text; }
void from_text(std::string_view text, bool& value) { value = text == "1"; }
void from_text(std::string_view text, StepSource& value) {
  const int number = parse<int>(text);
  value = number > 0 && number <= static_cast<int>(StepSource::kOptimizerStep)
              ? static_cast<StepSource>(number)
              : StepSource::kNone;
}
template <typename T>
void from_text(std::string_view text, T& value) {
  value = parse<T>(text);
}

// trace.*member or trace.info.*member.
template <typename T, typename Value>
auto& value_of(T& trace, Value TraceInfo::*member) {
  return trace.info.*member;
}
template <typename T, typename Value>
auto& value_of(T& trace, Value Trace::*member) {
  return trace.*member;
}

}  // namespace

InfoRows info_rows(const Trace& trace) {
  InfoRows rows;
  for (const Field& field : kFields) {
    std::visit([&](auto member) { rows.emplace_back(field.name, to_text(value_of(trace, member))); },
               field.member);
  }
  return rows;
}

void take_info_row(std::string_view name, std::string_view value, Trace& trace) {
  for (const Field& field : kFields) {
    if (field.name != name) continue;
    std::visit([&](auto member) { from_text(value, value_of(trace, member)); }, field.member);
  }
}

}  // namespace skyline::ingest::native

#include "ingest/kineto_json/event_text.h"

#include <algorithm>

namespace skyline::ingest::kineto_json {
namespace {

bool is_number(std::string_view id) {
  const std::string_view digits = id.starts_with('-') ? id.substr(1) : id;
  if (digits.empty() || digits.size() > 20 || (digits.size() > 1 && digits[0] == '0')) return false;
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void append_quoted(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) {
          out += c;
        } else {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[static_cast<unsigned char>(c) & 15];
        }
    }
  }
  out += '"';
}

void append_id(std::string_view id, std::string& out) {
  if (is_number(id)) {
    out += id;
  } else {
    append_quoted(id, out);
  }
}

void append_time(int64_t ns, std::string& out) {
  const uint64_t distance = ns < 0 ? uint64_t{0} - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  if (ns < 0) out += '-';
  out += std::to_string(distance / 1000);
  const std::string fraction = std::to_string(distance % 1000 + 1000);
  out += '.';
  out += std::string_view(fraction).substr(1);
}

void ArgsText::add_text(std::string_view key, std::string_view value) {
  std::string quoted;
  append_quoted(value, quoted);
  add_json(key, quoted);
}

void ArgsText::add_json(std::string_view key, std::string_view json) {
  if (!members_.empty()) members_ += ", ";
  append_quoted(key, members_);
  members_ += ": ";
  members_ += json;
}

void append_event(const EventHead& event, std::string_view args, std::string& out) {
  out += "{\n    \"ph\": \"";
  out += event.phase;
  out += "\",\n    ";
  if (!event.category.empty()) {
    out += "\"cat\": ";
    append_quoted(event.category, out);
    out += ",\n    ";
  }
  if (event.phase == 'i') out += "\"s\": \"t\",\n    ";
  out += "\"name\": ";
  append_quoted(event.name, out);
  out += ",\n    \"pid\": ";
  append_id(event.process, out);
  out += ",\n    \"tid\": ";
  append_id(event.thread, out);
  out += ",\n    \"ts\": ";
  append_time(event.time_ns, out);
  if (event.phase == 'X') {
    out += ",\n    \"dur\": ";
    append_time(event.dur_ns, out);
  }
  if (!args.empty()) {
    out += "\n    ,\n    \"args\": {\n      ";
    out += args;
    out += "\n    }";
  }
  out += "\n  }";
}

}  // namespace skyline::ingest::kineto_json

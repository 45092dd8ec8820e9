#include "base/json_writer.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>

#include "base/check.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace skyline {
namespace {

void append_unicode_escape(std::string& text, char32_t value) {
  const auto append_unit = [&](uint32_t unit) {
    fmt::format_to(std::back_inserter(text), "\\u{:04x}", unit);
  };
  if (value < 0x10000) return append_unit(value);
  append_unit(0xd800 + ((value - 0x10000) >> 10));
  append_unit(0xdc00 + (value & 0x3ff));
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  CHECK(!after_key_ && !open_.empty());
  separate();
  append_text(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::value(double value) {
  if (!std::isfinite(value)) return null();
  char buffer[32];
  const std::to_chars_result end = std::to_chars(std::begin(buffer), std::end(buffer), value);
  put(std::string_view(buffer, static_cast<size_t>(end.ptr - buffer)));
}

void JsonWriter::value(std::string_view text) {
  separate();
  append_text(text);
}

std::string JsonWriter::finish() && {
  CHECK(open_.empty() && !after_key_);
  text_ += '\n';
  return std::move(text_);
}

void JsonWriter::begin(char bracket, Layout layout) {
  separate();
  text_ += bracket;
  const bool inside_inline = !open_.empty() && open_.back().layout == Layout::kInline;
  open_.push_back({inside_inline ? Layout::kInline : layout});
}

void JsonWriter::end(char bracket) {
  CHECK(!open_.empty() && !after_key_);
  const Container closed = open_.back();
  open_.pop_back();
  if (!closed.empty && closed.layout == Layout::kLines) {
    text_ += '\n';
    text_.append(2 * open_.size(), ' ');
  }
  text_ += bracket;
}

void JsonWriter::put(std::string_view token) {
  separate();
  text_ += token;
}

// Whatever must stand between the last token and the next.
void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) {
    CHECK(text_.empty());  // one value per document
    return;
  }
  Container& inside = open_.back();
  if (!inside.empty) text_ += ',';
  if (inside.layout == Layout::kLines) {
    text_ += '\n';
    text_.append(2 * open_.size(), ' ');
  } else if (!inside.empty) {
    text_ += ' ';
  }
  inside.empty = false;
}

void JsonWriter::append_text(std::string_view text) {
  text_ += '"';
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (!point.valid) {
      append_utf8(text_, 0xfffd);
    } else if (point.value == '"' || point.value == '\\') {
      text_ += '\\';
      text_ += static_cast<char>(point.value);
    } else if (point.value == '\n') {
      text_ += "\\n";
    } else if (point.value == '\t') {
      text_ += "\\t";
    } else if (is_invisible(point.value)) {
      // JSON allows most of them as they are, but a terminal would obey them, and a reader see another text.
      append_unicode_escape(text_, point.value);
    } else {
      text_ += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  text_ += '"';
}

}  // namespace skyline

#include "ingest/kineto_json/text_decode.h"

#include <cstdint>

#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {
namespace {

void append_utf8(uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

constexpr uint32_t kReplacement = 0xfffd;

// Length of the valid UTF-8 sequence at p, 0 when it is invalid (overlong forms and surrogates are).
size_t utf8_length(const char* p, const char* end) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(p[i]); };
  const auto continues = [&](size_t i, uint8_t low, uint8_t high) {
    return p + i < end && byte(i) >= low && byte(i) <= high;
  };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1, 0x80, 0xbf) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const uint8_t low = lead == 0xe0 ? 0xa0 : 0x80, high = lead == 0xed ? 0x9f : 0xbf;
    return continues(1, low, high) && continues(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const uint8_t low = lead == 0xf0 ? 0x90 : 0x80, high = lead == 0xf4 ? 0x8f : 0xbf;
    return continues(1, low, high) && continues(2, 0x80, 0xbf) && continues(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

// The four hex digits behind "\u"; UINT32_MAX when they are not.
uint32_t hex4(const char* p, const char* end) {
  if (end - p < 4) return UINT32_MAX;
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = static_cast<uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return UINT32_MAX;
    }
    value = value << 4 | digit;
  }
  return value;
}

// p stands behind "\u". Appends what it means and moves p on; false when it needed repair.
bool decode_unicode_escape(const char*& p, const char* end, std::string& out) {
  const uint32_t high = hex4(p, end);
  if (high == UINT32_MAX) {
    out += "\\u";
    return false;
  }
  p += 4;
  if (high >= 0xd800 && high <= 0xdbff && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
    const uint32_t low = hex4(p + 2, end);
    if (low >= 0xdc00 && low <= 0xdfff) {
      p += 6;
      append_utf8(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), out);
      return true;
    }
  }
  const bool lone = high >= 0xd800 && high <= 0xdfff;
  append_utf8(lone ? kReplacement : high, out);
  return !lone;
}

bool decode_escape(const char*& p, const char* end, std::string& out) {
  const char kind = p < end ? *p++ : '\\';
  switch (kind) {
    case '"':
      out += '"';
      return true;
    case '\\':
      out += '\\';
      return true;
    case '/':
      out += '/';
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'u':
      return decode_unicode_escape(p, end, out);
    default:
      // Windows paths written without escaping: \U, \c. What was written is what was meant.
      out += '\\';
      --p;
      return false;
  }
}

}  // namespace

bool is_plain(std::string_view raw) {
  for (const char c : raw) {
    if (static_cast<int8_t>(c) < 0x20 || c == '\\') return false;  // also c >= 0x80
  }
  return true;
}

bool decode_string(std::string_view raw, std::string& out) {
  out.clear();
  bool clean = true;
  const char* p = raw.data();
  const char* const end = p + raw.size();
  while (p < end) {
    if (*p == '\\') {
      ++p;
      clean &= decode_escape(p, end, out);
      continue;
    }
    const size_t length = utf8_length(p, end);
    if (length == 0) {
      append_utf8(kReplacement, out);
      clean = false;
      ++p;
      continue;
    }
    if (static_cast<uint8_t>(*p) < 0x20) clean = false;
    out.append(p, length);
    p += length;
  }
  return clean;
}

bool repair_utf8(std::string_view raw, std::string& out) {
  out.clear();
  bool clean = true;
  const char* const end = raw.data() + raw.size();
  for (const char* p = raw.data(); p < end;) {
    const size_t length = utf8_length(p, end);
    if (length > 0) {
      out.append(p, length);
      p += length;
    } else {
      append_utf8(kReplacement, out);
      clean = false;
      ++p;
    }
  }
  return clean;
}

bool stands_for(std::string_view raw, std::string_view text) {
  if (raw.size() <= text.size() || raw.find('\\') == std::string_view::npos) return raw == text;
  std::string decoded;
  decode_string(raw, decoded);
  return decoded == text;
}

void compact_json(std::string_view raw, std::string& out) {
  out.clear();
  bool in_string = false;
  const char* p = raw.data();
  const char* const end = p + raw.size();
  while (p < end) {
    const size_t length = utf8_length(p, end);
    if (length == 0) {
      append_utf8(kReplacement, out);
      ++p;
      continue;
    }
    if (in_string || !is_space(*p)) out.append(p, length);
    if (*p == '"') in_string = !in_string;
    if (*p == '\\' && in_string && p + 1 < end && static_cast<uint8_t>(p[1]) < 0x80) out += *++p;
    p += length;
  }
}

}  // namespace skyline::ingest::kineto_json

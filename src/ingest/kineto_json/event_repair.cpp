// Where does a broken event end, and what was it meant to be?
//
// Until 2026 Kineto wrote names unescaped:
//
//   "ph": "X", "name": "<eval_with_key>.5 "quoted" frame", "pid": 1, ...
//
// A quote inside a string value is taken as the closing one only if what follows can follow a
// value: '}' or ']', or a comma and then the start of the next key or element. Other quotes were
// meant literally and get escaped.
//
// The event ends where the next one visibly begins: at a '}' that is followed by a comma (or none)
// and `{ "`, or by the `]` of the array. If mending does not give valid JSON, reading goes on there
// all the same, and only this one event is lost.
#include "ingest/kineto_json/event_repair.h"

#include "ingest/kineto_json/scan.h"

namespace skyline::kineto_json {
namespace {

const char* skip_space_until(const char* p, const char* end) {
  while (p < end && is_space(*p)) ++p;
  return p;
}

enum class Look { kYes, kNo, kNeedsMore };

// p stands behind a '}': does the next event, or the end of the array, follow?
Look event_ends_here(const char* p, const char* end) {
  p = skip_space_until(p, end);
  if (p < end && *p == ']') return Look::kYes;
  if (p < end && *p == ',') p = skip_space_until(p + 1, end);
  if (p < end && *p == '{') {
    p = skip_space_until(p + 1, end);
    if (p < end) return *p == '"' ? Look::kYes : Look::kNo;
  }
  return p < end ? Look::kNo : Look::kNeedsMore;
}

// p stands behind a quote: can it be the end of a key or a value?
bool closes_string(const char* p, const char* end, bool in_key) {
  p = skip_space_until(p, end);
  if (p >= end) return true;
  if (in_key) return *p == ':';
  if (*p == '}' || *p == ']') return true;
  if (*p != ',') return false;
  p = skip_space_until(p + 1, end);
  return p >= end || *p == '"' || *p == '[' || *p == '{' || *p == '-' || (*p >= '0' && *p <= '9');
}

// Can a new key or value begin behind this byte without a comma?
bool wants_no_comma(char before) { return before == '{' || before == '[' || before == ',' || before == ':'; }

char last_visible(const std::string& text) {
  for (size_t i = text.size(); i-- > 0;) {
    if (!is_space(text[i])) return text[i];
  }
  return '{';
}

// Escapes the quotes that do not close their string, puts in commas that are missing between
// members and drops those before '}' or ']'.
std::string mend(const char* p, const char* end) {
  std::string mended;
  mended.reserve(static_cast<size_t>(end - p) + 16);
  std::string nesting;  // '{' or '[' for every open container
  bool in_string = false, in_key = false, expect_key = false;
  for (; p < end; ++p) {
    const char c = *p;
    if (in_string) {
      if (c == '\\' && p + 1 < end) {
        mended += c;
        mended += *++p;
      } else if (c == '"' && !closes_string(p + 1, end, in_key)) {
        mended += "\\\"";
      } else {
        mended += c;
        if (c == '"') in_string = false;
      }
      continue;
    }
    if (c == '"') {
      if (!wants_no_comma(last_visible(mended))) {
        mended += ',';
        expect_key = !nesting.empty() && nesting.back() == '{';
      }
      in_string = true;
      in_key = expect_key;
    } else if (c == '{' || c == '[') {
      nesting += c;
      expect_key = c == '{';
    } else if (c == '}' || c == ']') {
      if (!nesting.empty()) nesting.pop_back();
      while (!mended.empty() && (is_space(mended.back()) || mended.back() == ',')) mended.pop_back();
    } else if (c == ',') {
      expect_key = !nesting.empty() && nesting.back() == '{';
    } else if (c == ':') {
      expect_key = false;
    }
    mended += c;
  }
  return mended;
}

}  // namespace

Repair repair_event(const char* p, const char* end, bool at_end_of_file) {
  for (const char* q = p + 1; q < end; ++q) {
    if (*q != '}') continue;
    const Look look = event_ends_here(q + 1, end);
    if (look == Look::kNo) continue;
    if (look == Look::kNeedsMore && !at_end_of_file) return {Repair::Status::kIncomplete, p, {}};
    return {Repair::Status::kRepaired, q + 1, mend(p, q + 1)};
  }
  if (!at_end_of_file) return {Repair::Status::kIncomplete, p, {}};
  return {Repair::Status::kHopeless, end, {}};
}

}  // namespace skyline::kineto_json

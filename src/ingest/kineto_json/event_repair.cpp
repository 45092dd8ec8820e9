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
// and `{ "`. The `]` of the array ends it too, but a list inside args looks the same, so there only if
// mending succeeds. If it does not, reading goes on behind the end all the same, and only this one
// event is lost.
#include "ingest/kineto_json/event_repair.h"

#include <cstddef>
#include <cstring>

#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {
namespace {

enum class Look { kNextEvent, kEndOfList, kNeither, kNeedsMore };

// p stands behind a '}': what follows? The next event is not looked for behind pages of white space.
Look look_behind_event(const char* p, const char* end) {
  constexpr ptrdiff_t kFar = 4096;
  const char* const limit = end - p > kFar ? p + kFar : end;
  p = skip_space_until(p, limit);
  if (p < limit && *p == ']') return Look::kEndOfList;
  if (p < limit && *p == ',') p = skip_space_until(p + 1, limit);
  if (p < limit && *p == '{') {
    p = skip_space_until(p + 1, limit);
    if (p < limit) return *p == '"' ? Look::kNextEvent : Look::kNeither;
  }
  return p < limit || limit < end ? Look::kNeither : Look::kNeedsMore;
}

// p stands on a quote: does `"key":` follow? Names with quotes in them hardly look like that.
bool key_follows(const char* p, const char* end) {
  constexpr ptrdiff_t kLongestKey = 64;
  const char* const limit = end - p > kLongestKey ? p + kLongestKey : end;
  for (++p; p < limit && *p != '"'; ++p) {
    if (*p == '\\' || *p == ',' || *p == ':') return false;
  }
  if (p >= limit) return false;
  p = skip_space_until(p + 1, end);
  return p < end && *p == ':';
}

// p stands behind a quote: can it be the end of a key or a value?
bool closes_string(const char* p, const char* end, bool in_key) {
  p = skip_space_until(p, end);
  if (p >= end) return true;
  if (in_key) return *p == ':';
  if (*p == '}' || *p == ']') return true;
  if (*p == '"') return key_follows(p, end);  // the comma is missing
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

// The mended event, if that makes it one; nothing otherwise.
std::string mended_event(const char* p, const char* end) {
  std::string text = mend(p, end);
  const size_t size = text.size();
  text.append(kPadding, '\0');
  RawEvent event;
  const ScanResult result = scan_event(text.data(), text.data() + size, event);
  const bool whole = result.status == ScanStatus::kOk && result.position == text.data() + size;
  text.resize(whole ? size : 0);
  return text;
}

}  // namespace

Repair repair_event(const char* p, const char* end, bool is_all) {
  constexpr int kMaxListEnds = 8;  // each try mends everything so far
  int list_ends = 0;
  const char* first_list_end = nullptr;
  for (const char* q = p + 1; q < end; ++q) {
    if (*q != '}') continue;
    const Look look = look_behind_event(q + 1, end);
    if (look == Look::kNeither) continue;
    if (look == Look::kNeedsMore) {
      if (!is_all) return {Repair::Status::kIncomplete, p, {}};
      if (first_list_end != nullptr) break;  // this brace ends the file, not the event
    }
    if (look == Look::kEndOfList && ++list_ends > kMaxListEnds) continue;
    std::string text = mended_event(p, q + 1);
    if (!text.empty()) return {Repair::Status::kRepaired, q + 1, std::move(text)};
    if (look == Look::kNextEvent) return {Repair::Status::kLost, q + 1, {}};
    if (look == Look::kEndOfList && first_list_end == nullptr) first_list_end = q + 1;
  }
  if (!is_all) return {Repair::Status::kIncomplete, p, {}};
  if (first_list_end != nullptr) return {Repair::Status::kLost, first_list_end, {}};
  return {Repair::Status::kHopeless, end, {}};
}

bool next_event_follows(const char* p, const char* end) {
  return look_behind_event(p, end) == Look::kNextEvent;
}

const char* find_next_event(const char* p, const char* end, bool is_all) {
  for (; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '}', static_cast<size_t>(end - p)));
    if (p == nullptr) return end;
    const Look look = look_behind_event(p + 1, end);
    if (look == Look::kNextEvent || (look == Look::kNeedsMore && !is_all)) return p;
  }
  return end;
}

}  // namespace skyline::ingest::kineto_json

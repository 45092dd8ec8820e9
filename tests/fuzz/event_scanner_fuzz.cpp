// Any bytes as one event, three ways:
//   * a prefix of the text never contradicts the whole, so that chunks may end anywhere;
//   * what JSON's own rules (simdjson) accept, we accept too, and read the same texts out of it;
//   * what we do not accept can be repaired, or not, but never becomes something unreadable.
#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "ingest/kineto_json/event_repair.h"
#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/test_padded.h"
#include "ingest/kineto_json/text_decode.h"

namespace {

using namespace skyline::ingest::kineto_json;

std::string decoded(std::string_view raw) {
  std::string text;
  decode_string(raw, text);
  return text;
}

void check_prefixes(const Padded& text, const ScanResult& whole) {
  RawEvent event;
  const size_t step = 1 + text.size() / 200;
  for (size_t size = 1; size < text.size(); size += step) {
    const ScanResult prefix = scan_event(text.begin(), text.begin() + size, event);
    CHECK(prefix.status == ScanStatus::kIncomplete ||
          (prefix.status == whole.status && prefix.position == whole.position));
  }
}

// The last string with this key, as our reader understands it.
std::string last_text(const simdjson::dom::object& object, std::string_view key) {
  std::string text;
  for (const simdjson::dom::key_value_pair member : object) {
    if (member.key != key) continue;
    std::string_view value;
    text = member.value.get(value) == simdjson::SUCCESS ? std::string(value) : "";
  }
  return text;
}

void check_against_json(const Padded& text, const ScanResult& result, const RawEvent& event) {
  static simdjson::dom::parser parser;
  simdjson::dom::element element;
  simdjson::dom::object object;
  if (parser.parse(text.begin(), text.size()).get(element) != simdjson::SUCCESS) return;
  if (element.get(object) != simdjson::SUCCESS) return;
  CHECK(result.status == ScanStatus::kOk);
  CHECK(std::all_of(result.position, text.end(), is_space));
  // Lone surrogates aside: we replace each, simdjson refuses them.
  CHECK(decoded(event.name) == last_text(object, "name"));
  CHECK(decoded(event.category) == last_text(object, "cat"));
}

void check_repair(const Padded& text) {
  const Repair repair = repair_event(text.begin(), text.end(), true);
  CHECK(repair.status != Repair::Status::kIncomplete);
  CHECK(repair.end > text.begin() && repair.end <= text.end());
  if (repair.status != Repair::Status::kRepaired) return;
  const Padded mended(repair.text);
  RawEvent event;
  const ScanResult result = scan_event(mended.begin(), mended.end(), event);
  CHECK(result.status == ScanStatus::kOk && result.position == mended.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Padded text("{" + std::string(reinterpret_cast<const char*>(data), size));
  RawEvent event;
  const ScanResult result = scan_event(text.begin(), text.end(), event);
  CHECK(result.status != ScanStatus::kOk || result.position <= text.end());
  check_against_json(text, result, event);
  check_prefixes(text, result);
  check_repair(text);
  return 0;
}

#include "ingest/kineto_json/stored_events.h"

#include "ingest/kineto_json/chunk_parser.h"
#include "ingest/kineto_json/event_repair.h"
#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/scan.h"

namespace skyline::ingest {
namespace {

constexpr size_t kFirstLook = 64 * 1024;  // nearly every event is far smaller

class StoredEvents : public ArgsSource {
 public:
  explicit StoredEvents(std::unique_ptr<TextStore> store) : store_(std::move(store)) {}

  Result<std::string> event_text(uint64_t offset) const override {
    for (size_t size = kFirstLook;; size *= 8) {
      SKYLINE_TRY(std::string text, store_->read_at(offset, size));
      const bool is_all = text.size() < size || size > kineto_json::kMaxEventBytes;
      std::string event = first_event(std::move(text), is_all);
      if (!event.empty()) return event;
      if (is_all) return Error{"no event begins at byte " + std::to_string(offset) + " of the trace"};
    }
  }
  Result<std::string> text_at(uint64_t offset, size_t size) const override {
    return store_->read_at(offset, size);
  }
  const TextStore& store() const { return *store_; }
  size_t held_bytes() const override { return store_->held_bytes(); }

 private:
  // The event that the text begins with, mended if it has to be; empty when there is none.
  static std::string first_event(std::string text, bool is_all) {
    using namespace kineto_json;
    if (!text.starts_with('{')) return {};
    const size_t length = text.size();
    text.append(kPadding, '\0');
    const char* const begin = text.data();
    RawEvent event;
    const ScanResult scanned = scan_event(begin, begin + length, event);
    if (scanned.status == ScanStatus::kOk)
      return text.substr(0, static_cast<size_t>(scanned.position - begin));
    return repair_event(begin, begin + length, is_all).text;
  }

  const std::unique_ptr<TextStore> store_;
};

}  // namespace

std::unique_ptr<ArgsSource> stored_events(std::unique_ptr<TextStore> store) {
  return std::make_unique<StoredEvents>(std::move(store));
}

const TextStore* store_behind(const ArgsSource& args) {
  const auto* stored = dynamic_cast<const StoredEvents*>(&args);
  return stored == nullptr ? nullptr : &stored->store();
}

}  // namespace skyline::ingest

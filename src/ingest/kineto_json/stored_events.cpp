#include "ingest/kineto_json/stored_events.h"

#include <algorithm>

#include "ingest/kineto_json/chunk_parser.h"
#include "ingest/kineto_json/scan.h"

namespace skyline {
namespace {

constexpr size_t kFirstLook = 64 * 1024;  // nearly every event is far smaller

class StoredEvents : public ArgsSource {
 public:
  explicit StoredEvents(std::unique_ptr<TextStore> store) : store_(std::move(store)) {}

  Result<std::string> event_text(uint64_t offset) const override {
    for (size_t size = kFirstLook;; size *= 8) {
      SKYLINE_TRY(std::string text, store_->read_at(offset, size));
      const size_t length = text.size();
      text.append(kineto_json::kPadding, '\0');
      const char* end = text.data() + length;
      const char* behind =
          length > 0 && text[0] == '{' ? kineto_json::skip_container(text.data(), end) : nullptr;
      if (behind != nullptr) return text.substr(0, static_cast<size_t>(behind - text.data()));
      if (length < size || size > kineto_json::kMaxEventBytes) {
        return Error{"no event begins at byte " + std::to_string(offset) + " of the trace"};
      }
    }
  }
  size_t held_bytes() const override { return store_->held_bytes(); }

 private:
  const std::unique_ptr<TextStore> store_;
};

}  // namespace

std::unique_ptr<ArgsSource> stored_events(std::unique_ptr<TextStore> store) {
  return std::make_unique<StoredEvents>(std::move(store));
}

}  // namespace skyline

// Text as the scanning functions want it: followed by kPadding zero bytes and nothing more, on the heap,
// so that AddressSanitizer sees a step too far.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {

class Padded {
 public:
  explicit Padded(std::string_view text) : size_(text.size()), bytes_(new char[text.size() + kPadding]()) {
    text.copy(bytes_.get(), text.size());
  }

  const char* begin() const { return bytes_.get(); }
  const char* end() const { return bytes_.get() + size_; }
  size_t size() const { return size_; }
  size_t offset_of(const char* p) const { return static_cast<size_t>(p - begin()); }
  std::string_view view() const { return {begin(), size_}; }

 private:
  size_t size_;
  std::unique_ptr<char[]> bytes_;
};

}  // namespace skyline::ingest::kineto_json

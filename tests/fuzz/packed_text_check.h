// What gzip_fuzz and zstd_fuzz ask of any packed bytes: the text does not depend on how it is read, and can
// be read again at any place.
#pragma once

#include <algorithm>
#include <string>

#include "base/check.h"
#include "ingest/text/test_pack.h"

namespace skyline {

// `open` makes a TextSource of a ByteInput.
template <typename Open>
void check_packed_text(const std::string& bytes, Open open) {
  bool failed = false, failed_slowly = false;
  const std::unique_ptr<ingest::TextSource> source = open(ingest::bytes_in_memory(bytes));
  const std::string text = ingest::read_all(*source, 1 << 20, &failed);
  const std::unique_ptr<ingest::TextSource> slow =
      open(std::make_unique<ingest::SlowInput>(bytes, 1 + bytes.size() % 13));
  CHECK(ingest::read_all(*slow, 1000, &failed_slowly) == text);
  CHECK(failed == failed_slowly && source->damage() == slow->damage());
  for (const std::unique_ptr<ingest::TextStore>& store : {source->into_store(), slow->into_store()}) {
    for (const size_t offset : {size_t{0}, text.size() / 2, text.size()}) {
      CHECK(store->read_at(offset, 100).value() == text.substr(std::min(offset, text.size()), 100));
    }
  }
}

}  // namespace skyline

// Text kept in memory, packed in blocks, for sources that cannot be read again at any place.
#pragma once

#include <memory>
#include <string_view>

#include "ingest/text/text_source.h"

namespace skyline::ingest {

class BlockRecorder {
 public:
  BlockRecorder();
  ~BlockRecorder();

  void append(std::string_view text);
  size_t held_bytes() const;
  // `packed` is what the text came from, if that can be read again.
  std::unique_ptr<TextStore> into_store(std::shared_ptr<const RandomBytes> packed = nullptr);

 private:
  struct Packer;
  std::unique_ptr<Packer> packer_;
};

}  // namespace skyline::ingest

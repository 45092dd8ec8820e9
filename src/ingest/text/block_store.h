// Text kept in memory, packed in blocks, for sources that cannot be read again at any place.
#pragma once

#include <memory>
#include <string_view>

#include "ingest/text/text_source.h"

namespace skyline {

class BlockRecorder {
 public:
  BlockRecorder();
  ~BlockRecorder();

  void append(std::string_view text);
  std::unique_ptr<TextStore> into_store();

 private:
  struct Packer;
  std::unique_ptr<Packer> packer_;
};

}  // namespace skyline

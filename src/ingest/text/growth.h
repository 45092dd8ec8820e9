// Text that is packed a thousandfold is no trace but a bomb. Traces pack to a tenth, or a fiftieth at best.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace skyline::ingest {

inline bool grows_too_much(uint64_t text_bytes, uint64_t packed_bytes) {
  constexpr uint64_t kMost = 1000;
  constexpr uint64_t kAlwaysFine = uint64_t{256} << 20;  // this much text does no harm
  return text_bytes > kAlwaysFine && text_bytes / kMost > packed_bytes;
}

inline Error grew_too_much(const std::string& name) {
  return {
      name +
      " unpacks to more than a thousand times its size, as no trace does; if it is one, unpack it yourself "
      "and read that"};
}

}  // namespace skyline::ingest

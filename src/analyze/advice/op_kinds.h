// What kind of work an operator is, by its name.
#pragma once

#include <cstdint>
#include <string_view>

namespace skyline::analyze {

enum class OpKind : uint8_t {
  kOther,
  kMatmul,       // aten::mm and its like
  kConvolution,  //
  kPointwise,    // each element by itself
  kSoftmax,      //
  kConversion,   // aten::_to_copy
  kGather,       // index, scatter, embedding, sort
  kSelect,       // aten::select
  kHostRead,     // a value of the device is wanted on the host: aten::item, aten::nonzero
  kZero,         // aten::zero_
  kBatchNorm,    //
};

OpKind op_kind(std::string_view name);

}  // namespace skyline::analyze

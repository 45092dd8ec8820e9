#include "analyze/advice/op_kinds.h"

#include <algorithm>
#include <iterator>

namespace skyline::analyze {
namespace {

struct Kind {
  OpKind kind;
  std::initializer_list<std::string_view> names;  // without aten::
};

const Kind kKinds[] = {
    {OpKind::kMatmul,
     {"mm", "bmm", "addmm", "baddbmm", "addbmm", "matmul", "linear", "mv", "addmv", "_scaled_mm",
      "mkldnn_linear", "linear_backward", "einsum", "_addmm_activation", "_grouped_mm"}},
    {OpKind::kConvolution,
     {"conv1d", "conv2d", "conv3d", "convolution", "_convolution", "convolution_backward",
      "cudnn_convolution", "cudnn_convolution_backward", "cudnn_convolution_backward_weight",
      "cudnn_convolution_backward_input", "miopen_convolution", "mkldnn_convolution", "slow_conv2d_forward",
      "thnn_conv2d", "convolution_overrideable", "conv_transpose2d", "cudnn_convolution_transpose"}},
    {OpKind::kPointwise,
     {"add",     "sub",      "mul",        "div",    "relu",      "gelu",        "silu",     "sigmoid",
      "tanh",    "exp",      "log",        "sin",    "cos",       "neg",         "abs",      "pow",
      "sqrt",    "rsqrt",    "reciprocal", "clamp",  "clamp_min", "clamp_max",   "where",    "leaky_relu",
      "elu",     "hardtanh", "softplus",   "square", "erf",       "maximum",     "minimum",  "lerp",
      "addcmul", "addcdiv",  "hardswish",  "relu6",  "rsub",      "masked_fill", "threshold"}},
    {OpKind::kSoftmax, {"softmax", "_softmax"}},
    {OpKind::kConversion, {"_to_copy"}},
    {OpKind::kGather,
     {"index",         "index_select",    "gather",         "scatter",        "scatter_add",
      "index_put",     "_index_put_impl", "index_add",      "embedding",      "embedding_dense_backward",
      "embedding_bag", "_embedding_bag",  "sort",           "argsort",        "topk",
      "unique",        "_unique2",        "masked_select",  "take",           "take_along_dim",
      "index_copy",    "gather_backward", "scatter_reduce", "index_backward", "_index_put_impl"}},
    {OpKind::kSelect, {"select"}},
    {OpKind::kHostRead, {"item", "_local_scalar_dense", "nonzero", "is_nonzero"}},
    {OpKind::kZero, {"zero", "_foreach_zero", "fill"}},
    {OpKind::kBatchNorm, {"batch_norm"}},
};

}  // namespace

OpKind op_kind(std::string_view name) {
  if (!name.starts_with("aten::")) return OpKind::kOther;
  name.remove_prefix(6);
  if (name.ends_with('_')) name.remove_suffix(1);  // in place
  for (const Kind& kind : kKinds) {
    if (std::find(kind.names.begin(), kind.names.end(), name) != kind.names.end()) return kind.kind;
  }
  return OpKind::kOther;
}

}  // namespace skyline::analyze

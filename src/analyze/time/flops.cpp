#include "analyze/time/flops.h"

#include <array>
#include <charconv>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "trace/signatures.h"

namespace skyline::analyze {
namespace {

using Sizes = std::span<const int64_t>;

// None when it does not fit, or a factor is negative: no tensor is so large.
std::optional<int64_t> product(std::initializer_list<Sizes> factors) {
  int64_t result = 1;
  for (const Sizes sizes : factors) {
    for (const int64_t size : sizes) {
      if (size < 0 || __builtin_mul_overflow(result, size, &result)) return std::nullopt;
    }
  }
  return result;
}

// Sizes of an argument that is one tensor.
std::optional<Sizes> tensor(const Trace& trace, SignatureId signature, uint32_t argument) {
  const InputRange inputs = inputs_of(trace, signature);
  for (uint32_t input = inputs.begin; input < inputs.end; ++input) {
    if (trace.inputs.argument[input] != argument) continue;
    const StringId type = trace.inputs.type[input];
    const bool is_value = type.exists() && (trace.strings[type].empty() || trace.strings[type] == "Scalar");
    if (trace.inputs.element[input] >= 0 || trace.inputs.rank[input] < 0 || is_value) return std::nullopt;
    return sizes_of(trace, input);
  }
  return std::nullopt;
}

// The left matrix's last dimension is summed over. Batches are the first dimension of both and count once.
std::optional<int64_t> of_matrices(const Trace& trace, SignatureId signature, uint32_t first) {
  const std::optional<Sizes> left = tensor(trace, signature, first),
                             right = tensor(trace, signature, first + 1);
  if (!left || !right || left->size() < 2 || left->size() > 3) return std::nullopt;
  const int64_t two[] = {2};
  return product({two, left->subspan(left->size() - 2, 1), *right});
}

// Up to two whole numbers of a text such as "[1, 1]" or "1"; none if there is something else.
struct Values {
  std::array<int64_t, 2> numbers = {};
  size_t size = 0;
};
std::optional<Values> read_values(std::string_view text) {
  Values values;
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    if (values.size == values.numbers.size()) return std::nullopt;
    const std::from_chars_result read =
        std::from_chars(text.data(), text.data() + text.size(), values.numbers[values.size]);
    if (read.ec != std::errc()) return std::nullopt;
    ++values.size;
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return values;
}

// The text at a place of a list of texts such as ["","[1, 1]","1"].
std::optional<std::string_view> text_at(std::string_view list, size_t place) {
  if (!list.starts_with('[')) return std::nullopt;
  size_t at = 1;
  for (; at < list.size() && list[at] == '"'; --place) {
    const size_t end = list.find('"', at + 1);
    if (end == std::string_view::npos) return std::nullopt;
    if (place == 0) return list.substr(at + 1, end - at - 1);
    at = end + 2;  // behind the comma
  }
  return std::nullopt;
}

// One or two numbers, as many as `size`.
std::optional<Values> values_at(std::string_view list, size_t place, size_t size) {
  const std::optional<std::string_view> text = text_at(list, place);
  const std::optional<Values> values = text ? read_values(*text) : std::nullopt;
  return values && values->size == size ? values : std::nullopt;
}

// How many positions the kernel has along a dimension; none for what torch would refuse.
std::optional<int64_t> positions(int64_t input, int64_t kernel, int64_t stride, int64_t padding,
                                 int64_t dilation) {
  constexpr int64_t kMost = int64_t{1} << 31;  // so that nothing below can overflow
  for (const int64_t number : {input, kernel, stride, padding, dilation}) {
    if (number < 0 || number > kMost) return std::nullopt;
  }
  const int64_t room = input + 2 * padding - dilation * (kernel - 1) - 1;
  if (stride == 0 || room < 0) return std::nullopt;
  return room / stride + 1;
}

std::optional<int64_t> of_convolution(const Trace& trace, SignatureId signature, std::string_view concrete) {
  constexpr size_t kStride = 3, kPadding = 4, kDilation = 5, kGroups = 6;
  const std::optional<Sizes> input = tensor(trace, signature, 0), weight = tensor(trace, signature, 1);
  const std::optional<Values> stride = values_at(concrete, kStride, 2),
                              padding = values_at(concrete, kPadding, 2),
                              dilation = values_at(concrete, kDilation, 2),
                              groups = values_at(concrete, kGroups, 1);
  if (!input || !weight || input->size() != 4 || weight->size() != 4) return std::nullopt;
  if (!stride || !padding || !dilation || !groups || groups->numbers[0] <= 0) return std::nullopt;
  int64_t places[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<int64_t> along = positions((*input)[2 + i], (*weight)[2 + i], stride->numbers[i],
                                                   padding->numbers[i], dilation->numbers[i]);
    if (!along) return std::nullopt;
    places[i] = *along;
  }
  const int64_t rest[] = {2, (*input)[0], (*input)[1], (*weight)[0]};
  const std::optional<int64_t> all = product({rest, places, weight->subspan(2)});
  return all ? std::optional(*all / groups->numbers[0]) : std::nullopt;
}

enum class Formula : uint8_t { kNone, kMatrices, kMatricesAfterBias, kConvolution, kElements };

Formula formula_of(std::string_view op_name) {
  constexpr std::pair<std::string_view, Formula> kFormulas[] = {
      {"aten::mm", Formula::kMatrices},
      {"aten::bmm", Formula::kMatrices},
      {"aten::addmm", Formula::kMatricesAfterBias},
      {"aten::baddbmm", Formula::kMatricesAfterBias},
      {"aten::conv2d", Formula::kConvolution},
      {"aten::mul", Formula::kElements},
      {"aten::add", Formula::kElements},
  };
  for (const auto& [name, formula] : kFormulas) {
    if (name == op_name) return formula;
  }
  return Formula::kNone;
}

}  // namespace

std::optional<int64_t> flops_of(const Trace& trace, uint32_t op) {
  const SliceId slice = trace.ops.slice[op];
  const SignatureId signature = trace.ops.signature[op];
  if (trace.category(slice) != Category::kCpuOp || !signature.exists()) return std::nullopt;
  switch (formula_of(trace.slice_name(slice))) {
    case Formula::kNone:
      return std::nullopt;
    case Formula::kMatrices:
      return of_matrices(trace, signature, 0);
    case Formula::kMatricesAfterBias:
      return of_matrices(trace, signature, 1);
    case Formula::kConvolution: {
      const StringId concrete = trace.ops.concrete_inputs_of(op);
      return concrete.exists() ? of_convolution(trace, signature, trace.strings[concrete]) : std::nullopt;
    }
    case Formula::kElements: {
      const std::optional<Sizes> first = tensor(trace, signature, 0);
      return first ? product({*first}) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace skyline::analyze

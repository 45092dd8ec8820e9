#include "collect/torch/input_signature.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

#include "base/hash.h"
#include "collect/recorder.h"
#include "collect/tables/hot.h"

namespace skyline::collect {
namespace {

constexpr uint32_t kRefused = kNoId - 1;  // in a cache: known to have found no room
static_assert(InternTable::kNoRoom == kNoId);

// What torch.profiler makes of an input.
enum class Input : uint64_t { kTensor = 1, kTensorList, kScalar, kScalarList, kOther };

bool is_scalar(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
}

// By the kind of its elements: isIntList() and its like compare whole types, which takes longer than all the
// rest.
Input kind_of_list(const c10::IValue& list) {
  const auto* const object = static_cast<const c10::intrusive_ptr_target*>(list.internalToPointer());
  switch (static_cast<const c10::detail::ListImpl*>(object)->elementType->kind()) {
    case c10::TypeKind::TensorType:
      return Input::kTensorList;
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
      return Input::kScalarList;
    default:
      return Input::kOther;
  }
}

[[gnu::always_inline]] inline Input kind_of(const c10::IValue& value) {
  if (value.isTensor()) return Input::kTensor;
  if (is_scalar(value)) return Input::kScalar;
  return value.isList() ? kind_of_list(value) : Input::kOther;
}

// Undefined tensors, and those whose sizes cannot be asked (nested, sparse compressed views), count
// as nothing, as in torch.profiler.
bool has_sizes(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_nested() &&
         !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

bool has_strides(const at::Tensor& tensor) { return tensor.layout() == at::kStrided; }

// Adds up numbers that each depend on their place: unlike a chain, the processor works on several at once.
class Hasher {
 public:
  void add(uint64_t a, uint64_t b) { sum_ += mix_u64(a ^ (place_ += kStep), b ^ 0xd6e8feb86659fd93); }
  void add(Input input) { add(static_cast<uint64_t>(input), 0); }

  void add(const at::Tensor& tensor) {
    if (!has_sizes(tensor)) return add(Input::kOther);
    const c10::ArrayRef<int64_t> sizes = tensor.sizes();
    add(static_cast<uint64_t>(Input::kTensor) | static_cast<uint64_t>(tensor.scalar_type()) << 8,
        sizes.size());
    const c10::ArrayRef<int64_t> strides = has_strides(tensor) ? tensor.strides() : c10::ArrayRef<int64_t>();
    for (size_t i = 0; i < sizes.size(); ++i) {
      add(static_cast<uint64_t>(sizes[i]),
          i < strides.size() ? static_cast<uint64_t>(strides[i]) : UINT64_MAX);
    }
  }

  uint64_t result() const { return mix_u64(sum_ ^ place_, kStep) | 1; }  // 0 marks a free slot

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
  uint64_t sum_ = 0, place_ = 0;
};

constexpr size_t kMostValues = 30;  // of a list, as in torch.profiler

uint64_t bits_of(const c10::IValue& value) {
  if (value.isDouble()) return std::bit_cast<uint64_t>(value.toDouble());
  if (value.isInt()) return static_cast<uint64_t>(value.toInt());
  return value.isBool() ? uint64_t{value.toBool()} : 0;
}

// What append_value() writes, and no more.
void add_values(const c10::IValue& value, Input kind, Hasher& hasher) {
  if (kind == Input::kScalar) return hasher.add(bits_of(value), static_cast<uint64_t>(kind));
  if (kind != Input::kScalarList) return;
  const c10::ArrayRef<c10::IValue> elements = value.toListRef();
  hasher.add(elements.size(), static_cast<uint64_t>(kind));
  for (const c10::IValue& element : elements.slice(0, std::min(elements.size(), kMostValues)))
    hasher.add(bits_of(element), 0);
}

uint64_t hash_inputs(c10::ArrayRef<const c10::IValue> inputs, bool with_values) {
  Hasher hasher;
  if (with_values) hasher.add(with_values, 0);
  for (const c10::IValue& value : inputs) {
    const Input kind = kind_of(value);
    if (kind == Input::kTensor) {
      hasher.add(value.toTensor());
      continue;
    }
    hasher.add(kind);
    if (with_values) add_values(value, kind, hasher);
    if (kind != Input::kTensorList) continue;
    for (const c10::IValue& element : value.toListRef()) hasher.add(element.toTensor());
    hasher.add(static_cast<uint64_t>(kind), 1);
  }
  return hasher.result();
}

void append_numbers(c10::ArrayRef<int64_t> numbers, std::string& out) {
  out += '[';
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(numbers[i]);
  }
  out += ']';
}

struct Texts {
  std::string dims = "[", types = "[", strides = "[", values = "[";

  void separate() {
    if (dims.size() == 1) return;
    dims += ',';
    types += ',';
    strides += ',';
    values += ',';
  }
  void add_type(std::string_view type) { types.append("\"").append(type).append("\""); }
};

void append_tensor(const at::Tensor& tensor, std::string& dims, std::string& strides) {
  if (!has_sizes(tensor)) {
    dims += "[]";
    strides += "[]";
    return;
  }
  append_numbers(tensor.sizes(), dims);
  append_numbers(has_strides(tensor) ? tensor.strides() : c10::ArrayRef<int64_t>(), strides);
}

void append_value(const c10::IValue& value, std::string& out) {
  if (value.isBool()) {
    out += value.toBool() ? "True" : "False";
  } else if (value.isInt()) {
    out += std::to_string(value.toInt());
  } else if (value.isDouble()) {
    char digits[32];  // enough for any: the shortest text that gives the same number
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value.toDouble());
    const std::string_view text(digits, static_cast<size_t>(end.ptr - digits));
    out += text;
    if (text.find_first_not_of("-0123456789") == text.npos) out += '.';  // as torch tells it from a whole one
  }
}

// As Kineto's "Concrete Inputs" has it: a list of texts, empty for what is a tensor or has no plain value.
void append_values(const c10::IValue& value, std::string& out) {
  const Input kind = kind_of(value);
  out += '"';
  if (kind == Input::kScalar) append_value(value, out);
  if (kind == Input::kScalarList) {
    const c10::ArrayRef<c10::IValue> elements = value.toListRef();
    out += '[';
    for (size_t i = 0; i < elements.size() && i < kMostValues; ++i) {
      if (i > 0) out += ", ";
      append_value(elements[i], out);
    }
    out += elements.size() > kMostValues ? "...]" : "]";
  }
  out += '"';
}

void append_input(const c10::IValue& value, Texts& texts) {
  texts.separate();
  const Input kind = kind_of(value);
  if (kind == Input::kTensor) {
    const at::Tensor& tensor = value.toTensor();
    append_tensor(tensor, texts.dims, texts.strides);
    texts.add_type(has_sizes(tensor) ? tensor.dtype().name() : std::string_view());
    return;
  }
  if (kind == Input::kTensorList) {
    std::string dims = "[", strides = "[";
    for (const at::Tensor& tensor : value.toTensorList()) {
      if (dims.size() > 1) dims += ',', strides += ',';
      append_tensor(tensor, dims, strides);
    }
    texts.dims += dims + "]";
    texts.strides += strides + "]";
    texts.add_type("TensorList");
    return;
  }
  texts.dims += "[]";
  texts.strides += "[]";
  texts.add_type(kind == Input::kScalar ? "Scalar" : kind == Input::kScalarList ? "ScalarList" : "");
}

// Rare, and kept out of the way of what every operator runs through.
[[gnu::cold, gnu::noinline]] uint32_t new_signature(c10::ArrayRef<const c10::IValue> inputs,
                                                    bool with_values) {
  Texts texts;
  for (const c10::IValue& value : inputs) {
    append_input(value, texts);
    if (with_values) append_values(value, texts.values);
  }
  std::string text = texts.dims + "]\t" + texts.types + "]\t" + texts.strides + "]";
  if (with_values) text += "\t" + texts.values + "]";
  return Recorder::instance().shapes().intern(text).id;
}

}  // namespace

SKYLINE_HOT uint32_t input_signature(c10::ArrayRef<const c10::IValue> inputs, IdCache& cache,
                                     bool with_values) try {
  if (inputs.empty()) return kNoId;
  const uint64_t hash = hash_inputs(inputs, with_values);
  if (const uint32_t known = cache.find(hash); known != kNoId) [[likely]] {
    return known == kRefused ? kNoId : known;
  }
  const uint32_t id = new_signature(inputs, with_values);
  cache.insert(hash, id == InternTable::kNoRoom ? kRefused : id);
  return id;
} catch (...) {  // a tensor of the user's own class may answer so
  return kNoId;
}

}  // namespace skyline::collect

#include "trace/signatures.h"

#include <charconv>
#include <vector>

namespace skyline {
namespace {

// Numbers of all tensors of a text, and which of them are whose.
struct Shapes {
  struct Tensor {
    uint32_t argument;
    int32_t element;  // within a list of tensors; -1: not in a list
    uint32_t first;
    int32_t rank;  // -1: not known

    bool operator==(const Tensor&) const = default;
  };
  std::vector<Tensor> tensors;
  std::vector<int64_t> numbers;

  void clear() {
    tensors.clear();
    numbers.clear();
  }
};

// Reads JSON without white space, of the few forms that shapes have.
class ShapeText {
 public:
  ShapeText(std::string_view text, Shapes& shapes)
      : p_(text.data()), end_(text.data() + text.size()), shapes_(shapes) {
    shapes.clear();
  }

  // False, and no shapes, if it is something else.
  bool read() {
    uint32_t argument = 0;
    const bool is_list = list([&] { return read_argument(argument++); });
    if (is_list && p_ == end_) return true;
    shapes_.clear();
    return false;
  }

 private:
  bool at(char c) const { return p_ < end_ && *p_ == c; }

  // "[" item "," item … "]"
  template <typename Item>
  bool list(Item item) {
    if (!at('[')) return false;
    ++p_;
    if (at(']')) {
      ++p_;
      return true;
    }
    while (item()) {
      const bool is_last = at(']');
      if (!is_last && !at(',')) return false;
      ++p_;
      if (is_last) return true;
    }
    return false;
  }

  bool read_argument(uint32_t argument) {
    const bool is_list_of_tensors = end_ - p_ >= 2 && p_[0] == '[' && p_[1] == '[';
    if (!is_list_of_tensors) return read_tensor(argument, -1);
    int32_t element = 0;
    return list([&] { return read_tensor(argument, element++); });
  }

  bool read_tensor(uint32_t argument, int32_t element) {
    const size_t first = shapes_.numbers.size();
    const bool is_list = list([&] {
      int64_t number = 0;
      const std::from_chars_result read = std::from_chars(p_, end_, number);
      if (read.ec != std::errc()) return false;
      p_ = read.ptr;
      shapes_.numbers.push_back(number);
      return true;
    });
    const auto rank = static_cast<int32_t>(shapes_.numbers.size() - first);
    shapes_.tensors.push_back({argument, element, static_cast<uint32_t>(first), rank});
    return is_list;
  }

  const char* p_;
  const char* const end_;
  Shapes& shapes_;
};

// The texts of a list of strings, as written.
void read_types(std::string_view text, std::vector<std::string_view>& types) {
  types.clear();
  if (!text.starts_with('[')) return;
  for (size_t at = 1; at < text.size() && text[at] == '"';) {
    const size_t begin = at + 1;
    size_t end = begin;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return;
    types.push_back(text.substr(begin, end - begin));
    at = end + 1;
    if (at < text.size() && text[at] == ',') ++at;
  }
}

class SignatureReader {
 public:
  explicit SignatureReader(Trace& draft) : draft_(draft) {}

  void read(uint32_t signature) {
    const SignatureRow row = draft_.signatures.row(signature);
    const auto first = static_cast<uint32_t>(draft_.inputs.size());
    ShapeText(text(row.dims), dims_).read();
    const bool has_strides =
        ShapeText(text(row.strides), strides_).read() && strides_.tensors == dims_.tensors;
    // Views of pooled texts stay where they are while more are interned.
    read_types(text(row.types), types_);
    uint32_t arguments = 0;
    for (const Shapes::Tensor& tensor : dims_.tensors) {
      add(SignatureId(signature), tensor, has_strides);
      arguments = tensor.argument + 1;
    }
    for (; arguments < types_.size(); ++arguments) add(SignatureId(signature), {arguments, -1, 0, -1}, false);
    draft_.signatures.first_input.push_back(first);
    draft_.signatures.input_count.push_back(static_cast<uint32_t>(draft_.inputs.size()) - first);
  }

 private:
  std::string_view text(StringId id) const { return draft_.strings[id]; }

  void add(SignatureId signature, const Shapes::Tensor& tensor, bool has_strides) {
    const std::string_view type =
        tensor.argument < types_.size() ? types_[tensor.argument] : std::string_view();
    draft_.inputs.add({.signature = signature,
                       .argument = tensor.argument,
                       .element = tensor.element,
                       .type = type.empty() ? StringId() : draft_.strings.intern(type),
                       .first_size = static_cast<uint32_t>(draft_.input_sizes.size()),
                       .rank = tensor.rank});
    for (int32_t i = 0; i < tensor.rank; ++i) {
      const size_t number = tensor.first + static_cast<size_t>(i);
      draft_.input_sizes.add(
          {.size_along = dims_.numbers[number],
           .stride = has_strides ? strides_.numbers[number] : InputSizeTable::columns::stride.missing});
    }
  }

  Trace& draft_;
  Shapes dims_, strides_;
  std::vector<std::string_view> types_;
};

}  // namespace

void read_signatures(Trace& draft) {
  SignatureReader reader(draft);
  for (uint32_t row = 0; row < draft.signatures.size(); ++row) reader.read(row);
}

}  // namespace skyline

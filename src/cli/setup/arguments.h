// What a command can be told, and what it was told.
//
//   inline constexpr Argument kTopArgument = {
//       .name = "--top", .value = "N", .doc = "only the first N rows", .kind = ArgumentKind::kNumber};
//
//   const std::optional<int64_t> top = arguments.number(kTopArgument);
//
// An argument is known by its name: two commands may describe --output differently, and the code that both
// share asks for either.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skyline::cli {

enum class ArgumentKind : uint8_t {
  kText,
  kTexts,  // one or more; only of those that are told by their place
  kNumber,
  kSize,    // a number that may end with K, M, G or T
  kSwitch,  // --force: given or not
};

// A text of help: written down, or made from what the program knows (the tables there are).
class HelpText {
 public:
  constexpr HelpText(const char* text) : text_(text) {}
  constexpr HelpText(std::string (*make)()) : make_(make) {}

  std::string str() const { return make_ == nullptr ? std::string(text_) : make_(); }

 private:
  std::string_view text_ = {};
  std::string (*make_)() = nullptr;
};

struct Argument {
  std::string_view name;   // "--sort", or "TRACE" for one that is told by its place
  std::string_view value;  // what stands for the value in help: "COLUMN"; empty for a switch
  HelpText doc;            // one line
  ArgumentKind kind = ArgumentKind::kText;
  std::string_view otherwise = {};                 // the text where none is given
  std::span<const std::string_view> choices = {};  // of a text; empty: any
  int64_t min = 0;                                 // of a number
  int64_t max = INT64_MAX;
  bool required = false;
  std::string_view short_name = {};  // "-o"

  constexpr bool is_option() const { return name.starts_with("--"); }
  constexpr bool is_switch() const { return kind == ArgumentKind::kSwitch; }
};

// Values that were checked when they were set. Asking for an argument as what it is not is a mistake of ours.
class Arguments {
 public:
  using Texts = std::vector<std::string>;

  const std::string& text(const Argument& argument) const;  // empty: not given, and it has no default
  const Texts& texts(const Argument& argument) const;
  std::optional<int64_t> number(const Argument& argument) const;
  bool has(const Argument& argument) const;  // a switch that is on, or anything else that was given

  void set(const Argument& argument, std::variant<bool, int64_t, std::string, Texts> value);

  Texts words;  // of a command that reads them itself

 private:
  template <typename T>
  const T* find(const Argument& argument) const;

  std::map<std::string_view, std::variant<bool, int64_t, std::string, Texts>> values_;
};

}  // namespace skyline::cli

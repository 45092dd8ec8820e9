// Fields of a JSON object that somebody else wrote. Once something is missing or of another type, all is
// wrong: the object is to be thrown away, and until then every field is empty.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace skyline {

class JsonFields {
 public:
  using Element = simdjson::dom::element;

  JsonFields(Element object, bool& wrong) : object_(object), wrong_(wrong) {}

  bool has(std::string_view name) const {
    return !wrong_ && !object_[name].error() && !object_[name].is_null();
  }
  JsonFields object(std::string_view name) const { return {at(name), wrong_}; }
  int64_t integer(std::string_view name) const { return get<int64_t>(at(name)); }
  double number(std::string_view name) const { return get<double>(at(name)); }
  bool boolean(std::string_view name) const { return get<bool>(at(name)); }
  std::string text(std::string_view name) const { return std::string(get<std::string_view>(at(name))); }

  // The place in the list of the word that stands there.
  size_t one_of(std::string_view name, std::initializer_list<std::string_view> words) const {
    const std::string_view word = get<std::string_view>(at(name));
    const auto* found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) wrong_ = true;
    return wrong_ ? 0 : static_cast<size_t>(found - words.begin());
  }

  std::vector<int64_t> integers(std::string_view name) const {
    std::vector<int64_t> all;
    for (const Element element : elements(name)) all.push_back(get<int64_t>(element));
    return all;
  }
  std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> all;
    for (const Element element : elements(name)) all.emplace_back(get<std::string_view>(element));
    return all;
  }
  std::vector<JsonFields> objects(std::string_view name) const {
    std::vector<JsonFields> all;
    for (const Element element : elements(name)) all.emplace_back(element, wrong_);
    return all;
  }

 private:
  Element at(std::string_view name) const {
    Element element;
    if (!wrong_ && object_[name].get(element)) wrong_ = true;
    return element;
  }

  std::vector<Element> elements(std::string_view name) const {
    const Element element = at(name);
    simdjson::dom::array array;
    if (!wrong_ && element.get(array)) wrong_ = true;
    if (wrong_) return {};
    return {array.begin(), array.end()};
  }

  template <typename T>
  T get(Element element) const {
    T value{};
    if (!wrong_ && element.get(value)) wrong_ = true;
    return value;
  }

  Element object_;  // not to be touched once wrong
  bool& wrong_;
};

}  // namespace skyline

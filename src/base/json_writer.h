// JsonWriter: JSON text, value by value. Integers are exact, doubles the shortest text that reads back
// as the same number, text always valid UTF-8 and free of control characters.
//
//   JsonWriter json;
//   json.begin_object();
//   json.field("schema", 1);
//   json.key("ranks");
//   json.begin_array();
//   …
//   json.end_array();
//   json.end_object();
//   std::string text = std::move(json).finish();
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skyline {

class JsonWriter {
 public:
  // kLines: each member on a line of its own. kInline: all on one line, as are the containers inside.
  enum class Layout : uint8_t { kLines, kInline };

  void begin_object(Layout layout = Layout::kLines) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array(Layout layout = Layout::kLines) { begin('[', layout); }
  void end_array() { end(']'); }
  void key(std::string_view name);

  void null() { put("null"); }
  void value(bool value) { put(value ? "true" : "false"); }
  void value(double value);  // NaN and infinities become null
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  template <std::integral Integer>
  void value(Integer number) {
    put(std::to_string(number));
  }

  template <typename Value>
  void field(std::string_view name, const Value& of) {
    key(name);
    value(of);
  }

  // The text with a line end. Every container must be closed.
  std::string finish() &&;

 private:
  struct Container {
    Layout layout;
    bool empty = true;
  };

  void begin(char bracket, Layout layout);
  void end(char bracket);
  void put(std::string_view token);
  void separate();
  void append_text(std::string_view text);

  std::string text_;
  std::vector<Container> open_;
  bool after_key_ = false;
};

}  // namespace skyline

// Whether text is JSON to the letter (RFC 8259), as programs less forgiving than ours demand it. Text comes
// in pieces of any size; about a gigabyte per second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skyline::ingest::kineto_json {

class JsonValidator {
 public:
  // False from the first byte on that cannot stand where it stands.
  bool take(std::string_view text);

  // Whether what came so far is one whole value.
  bool is_complete() const;

 private:
  enum class State : uint8_t {
    kValue,         // a value must follow
    kFirstElement,  // behind '[': a value or ']'
    kFirstKey,      // behind '{': a key or '}'
    kKey,           // behind ',' in an object
    kColon,
    kAfterValue,
    kString,
    kEscape,        // behind '\'
    kHex,           // digits of \uXXXX
    kContinuation,  // bytes of one UTF-8 character
    kWord,          // true, false, null
    kMinus,
    kZero,
    kInteger,
    kPoint,
    kFraction,
    kExponent,
    kExponentSign,
    kExponentDigits,
    kBroken,
  };

  State next(unsigned char c);
  State begin_value(unsigned char c);
  State after_value(unsigned char c);
  State close(char open);
  State in_string(unsigned char c);
  State in_word(unsigned char c);
  State end_of_string() const { return is_key_ ? State::kColon : State::kAfterValue; }

  State state_ = State::kValue;
  std::string open_;          // '{' or '[' for every open container
  bool is_key_ = false;       // the string is a key
  std::string_view word_;     // what is left of the word
  int left_ = 0;              // hex digits or continuation bytes
  unsigned char low_ = 0x80;  // the next continuation byte is in low_..high_
  unsigned char high_ = 0xbf;
};

bool is_json(std::string_view text);

}  // namespace skyline::ingest::kineto_json

#include "ingest/kineto_json/json_validator.h"

#include <array>

namespace skyline::ingest::kineto_json {
namespace {

bool is_space(unsigned char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_hex(unsigned char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Bytes that change nothing inside a string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain = {};
  for (unsigned c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

}  // namespace

bool JsonValidator::take(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end && state_ != State::kBroken) {
    if (state_ == State::kString) {
      while (p < end && kPlain[static_cast<unsigned char>(*p)]) ++p;
      if (p == end) break;
    }
    state_ = next(static_cast<unsigned char>(*p++));
  }
  return state_ != State::kBroken;
}

bool JsonValidator::is_complete() const {
  if (!open_.empty()) return false;
  return state_ == State::kAfterValue || state_ == State::kZero || state_ == State::kInteger ||
         state_ == State::kFraction || state_ == State::kExponentDigits;
}

JsonValidator::State JsonValidator::next(unsigned char c) {
  switch (state_) {
    case State::kValue:
      return is_space(c) ? state_ : begin_value(c);
    case State::kFirstElement:
      if (c == ']') return close('[');
      return is_space(c) ? state_ : begin_value(c);
    case State::kFirstKey:
      if (c == '}') return close('{');
      [[fallthrough]];
    case State::kKey:
      is_key_ = true;
      if (c == '"') return State::kString;
      return is_space(c) ? state_ : State::kBroken;
    case State::kColon:
      if (c == ':') return State::kValue;
      return is_space(c) ? state_ : State::kBroken;
    case State::kAfterValue:
      return after_value(c);
    case State::kString:
      return in_string(c);
    case State::kEscape:
      left_ = 4;
      if (c == 'u') return State::kHex;
      return std::string_view("\"\\/bfnrt").find(static_cast<char>(c)) != std::string_view::npos
                 ? State::kString
                 : State::kBroken;
    case State::kHex:
      if (!is_hex(c)) return State::kBroken;
      return --left_ == 0 ? State::kString : State::kHex;
    case State::kContinuation:
      if (c < low_ || c > high_) return State::kBroken;
      low_ = 0x80;
      high_ = 0xbf;
      return --left_ == 0 ? State::kString : State::kContinuation;
    case State::kWord:
      return in_word(c);
    case State::kMinus:
      if (c == '0') return State::kZero;
      return is_digit(c) ? State::kInteger : State::kBroken;
    case State::kInteger:
      if (is_digit(c)) return state_;
      [[fallthrough]];
    case State::kZero:
      if (c == '.') return State::kPoint;
      if (c == 'e' || c == 'E') return State::kExponent;
      return after_value(c);
    case State::kPoint:
      return is_digit(c) ? State::kFraction : State::kBroken;
    case State::kFraction:
      if (is_digit(c)) return state_;
      if (c == 'e' || c == 'E') return State::kExponent;
      return after_value(c);
    case State::kExponent:
      if (c == '+' || c == '-') return State::kExponentSign;
      [[fallthrough]];
    case State::kExponentSign:
      return is_digit(c) ? State::kExponentDigits : State::kBroken;
    case State::kExponentDigits:
      return is_digit(c) ? state_ : after_value(c);
    case State::kBroken:
      break;
  }
  return State::kBroken;
}

JsonValidator::State JsonValidator::begin_value(unsigned char c) {
  is_key_ = false;
  switch (c) {
    case '{':
      open_ += '{';
      return State::kFirstKey;
    case '[':
      open_ += '[';
      return State::kFirstElement;
    case '"':
      return State::kString;
    case '-':
      return State::kMinus;
    case '0':
      return State::kZero;
    case 't':
      word_ = "rue";
      return State::kWord;
    case 'f':
      word_ = "alse";
      return State::kWord;
    case 'n':
      word_ = "ull";
      return State::kWord;
    default:
      return is_digit(c) ? State::kInteger : State::kBroken;
  }
}

JsonValidator::State JsonValidator::after_value(unsigned char c) {
  if (is_space(c)) return State::kAfterValue;
  if (open_.empty()) return State::kBroken;
  if (c == ',') return open_.back() == '{' ? State::kKey : State::kValue;
  if (c == '}') return close('{');
  return c == ']' ? close('[') : State::kBroken;
}

JsonValidator::State JsonValidator::close(char open) {
  if (open_.empty() || open_.back() != open) return State::kBroken;
  open_.pop_back();
  return State::kAfterValue;
}

JsonValidator::State JsonValidator::in_string(unsigned char c) {
  if (c == '"') return end_of_string();
  if (c == '\\') return State::kEscape;
  if (c < 0x20) return State::kBroken;
  if (c < 0x80) return State::kString;
  // The first byte of a UTF-8 character; overlong forms and surrogates are none.
  low_ = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
  high_ = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
  left_ = c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2 : c >= 0xf0 && c <= 0xf4 ? 3 : 0;
  return left_ == 0 ? State::kBroken : State::kContinuation;
}

JsonValidator::State JsonValidator::in_word(unsigned char c) {
  if (static_cast<unsigned char>(word_.front()) != c) return State::kBroken;
  word_.remove_prefix(1);
  return word_.empty() ? State::kAfterValue : State::kWord;
}

bool is_json(std::string_view text) {
  JsonValidator validator;
  return validator.take(text) && validator.is_complete();
}

}  // namespace skyline::ingest::kineto_json

// Exact decimal numbers: the digits of the text become an integer, no double in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/hash.h"

namespace skyline::ingest::kineto_json {

struct Decimal {
  Wide magnitude = 0;  // |value| · 10^scale, cut towards zero
  bool negative = false;
  bool exact = true;  // false: digits were cut off

  std::optional<int64_t> as_int64() const;
  std::optional<uint64_t> as_uint64() const;
};

// Reads a JSON number (also with a leading '+' or zeros, which some writers produce) times
// 10^scale. Nothing when the text is not a number or is beyond 128 bits.
std::optional<Decimal> parse_decimal(std::string_view text, int scale);

// Reads "0x7f00"; nothing when it is not that or beyond 64 bits.
std::optional<Decimal> parse_hex(std::string_view text);

// Microseconds as text to nanoseconds. Nothing when it is not a number or beyond ±2^62 ns.
struct TimeNs {
  int64_t ns;
  bool exact;
};
std::optional<TimeNs> parse_time_ns(std::string_view microseconds);

// How many bytes from p are digits, and their value: at most 19 of them.
struct Digits {
  uint64_t value;
  uint32_t count;
};

[[gnu::always_inline]] inline Digits read_digits(const char* p) {
  uint64_t value = 0;
  uint32_t count = 0;
  // Eight at a time: subtract '0' from each byte, then combine neighbours.
  while (count < 16) {
    const uint64_t chunk = load_u64(p + count);
    const uint64_t digits = chunk - 0x3030303030303030;
    if (((chunk + 0x4646464646464646) | digits) & 0x8080808080808080) break;
    uint64_t pairs = (digits * 10) + (digits >> 8);
    pairs = ((pairs & 0x000000ff000000ff) * 0x000f424000000064 +
             ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
            32;
    value = value * 100000000 + static_cast<uint32_t>(pairs);
    count += 8;
  }
  while (count < 19) {
    const auto digit = static_cast<uint8_t>(p[count] - '0');
    if (digit > 9) break;
    value = value * 10 + digit;
    ++count;
  }
  return {value, count};
}

}  // namespace skyline::ingest::kineto_json

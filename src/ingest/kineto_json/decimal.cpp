#include "ingest/kineto_json/decimal.h"

#include <algorithm>
#include <charconv>

namespace skyline::ingest::kineto_json {
namespace {

constexpr int kMaxDigits = 36;  // fits into 128 bits with room for the check below

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<int64_t> Decimal::as_int64() const {
  if (!exact) return std::nullopt;
  constexpr Wide kLimit = static_cast<Wide>(1) << 63;
  if (magnitude > kLimit || (!negative && magnitude == kLimit)) return std::nullopt;
  const auto bits = static_cast<uint64_t>(magnitude);
  return static_cast<int64_t>(negative ? ~bits + 1 : bits);
}

std::optional<uint64_t> Decimal::as_uint64() const {
  if (!exact || magnitude > UINT64_MAX || (negative && magnitude != 0)) return std::nullopt;
  return static_cast<uint64_t>(magnitude);
}

std::optional<Decimal> parse_decimal(std::string_view text, int scale) {
  Decimal result;
  const char* p = text.data();
  const char* const end = p + text.size();
  if (p < end && (*p == '-' || *p == '+')) result.negative = *p++ == '-';

  // The digits as one integer, and the power of ten it has to be multiplied with.
  int64_t power = scale;
  int kept = 0;
  bool any = false, behind_point = false, rest_is_zero = true;
  for (; p < end; ++p) {
    if (*p == '.' && !behind_point) {
      behind_point = true;
    } else if (is_digit(*p)) {
      any = true;
      if (kept < kMaxDigits) {
        result.magnitude = result.magnitude * 10 + static_cast<Wide>(*p - '0');
        if (result.magnitude != 0) ++kept;
        if (behind_point) --power;
      } else {
        if (*p != '0') rest_is_zero = false;
        if (!behind_point) ++power;
      }
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool negative_exponent = false;
    if (p < end && (*p == '-' || *p == '+')) negative_exponent = *p++ == '-';
    if (p == end) return std::nullopt;
    int64_t exponent = 0;
    for (; p < end && is_digit(*p); ++p) exponent = std::min<int64_t>(exponent * 10 + (*p - '0'), 1'000'000);
    power += negative_exponent ? -exponent : exponent;
  }
  if (p != end) return std::nullopt;
  if (!rest_is_zero) result.exact = false;
  if (result.magnitude == 0) return result;

  for (; power > 0; --power) {
    if (result.magnitude > ~static_cast<Wide>(0) / 10) return std::nullopt;
    result.magnitude *= 10;
  }
  for (; power < 0 && result.magnitude != 0; ++power) {
    if (result.magnitude % 10 != 0) result.exact = false;
    result.magnitude /= 10;
  }
  return result;
}

std::optional<Decimal> parse_hex(std::string_view text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.size() < 3) return std::nullopt;
  const std::from_chars_result read = std::from_chars(text.data() + 2, end, value, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  Decimal result;
  result.magnitude = value;
  return result;
}

std::optional<TimeNs> parse_time_ns(std::string_view microseconds) {
  const std::optional<Decimal> decimal = parse_decimal(microseconds, 3);
  constexpr Wide kLimit = static_cast<Wide>(1) << 62;
  if (!decimal || decimal->magnitude >= kLimit) return std::nullopt;
  const auto ns = static_cast<int64_t>(decimal->magnitude);
  return TimeNs{decimal->negative ? -ns : ns, decimal->exact};
}

}  // namespace skyline::ingest::kineto_json

#include "cli/terminal/units.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "base/memory_budget.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

constexpr std::string_view kNothing = "–";

uint64_t magnitude(int64_t value) {
  return value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
}

std::string grouped(uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ' ');
  return digits;
}

struct TimeScale {
  uint64_t below_ns;  // what this line is for, after rounding
  uint64_t unit_ns;
  uint64_t quantum_ns;  // of the last digit shown
  int decimals;
  std::string_view suffix;
};

constexpr uint64_t kMicro = 1'000, kMilli = 1'000'000, kSecond = 1'000'000'000;
constexpr std::array<TimeScale, 9> kTimeScales = {{
    {kMicro, 1, 1, 0, "ns"},
    {kMilli, kMicro, kMicro / 10, 1, "µs"},
    {10 * kMilli, kMilli, kMilli / 1000, 3, "ms"},
    {100 * kMilli, kMilli, kMilli / 100, 2, "ms"},
    {kSecond, kMilli, kMilli / 10, 1, "ms"},
    {10 * kSecond, kSecond, kSecond / 1000, 3, "s"},
    {100 * kSecond, kSecond, kSecond / 100, 2, "s"},
    {1000 * kSecond, kSecond, kSecond / 10, 1, "s"},
    {UINT64_MAX, kSecond, kSecond, 0, "s"},
}};

}  // namespace

std::string format_ns(int64_t ns) {
  const uint64_t size = magnitude(ns);
  for (const TimeScale& scale : kTimeScales) {
    const uint64_t quanta =
        size / scale.quantum_ns + (size % scale.quantum_ns * 2 >= scale.quantum_ns ? 1 : 0);
    if (scale.quantum_ns * quanta >= scale.below_ns) continue;
    const uint64_t quanta_per_unit = scale.unit_ns / scale.quantum_ns;
    std::string number = grouped(quanta / quanta_per_unit);
    if (scale.decimals > 0) number += fmt::format(".{:0{}}", quanta % quanta_per_unit, scale.decimals);
    return fmt::format("{}{} {}", ns < 0 ? "-" : "", number, scale.suffix);
  }
  return "";  // the last line takes everything
}

std::string format_bytes(int64_t bytes) {
  return (bytes < 0 ? "-" : "") + bytes_for_people(magnitude(bytes));
}

std::string format_count(uint64_t count) { return grouped(count); }

std::string format_count(int64_t count) {
  return fmt::format("{}{}", count < 0 ? "-" : "", grouped(magnitude(count)));
}

std::string format_utc(int64_t unix_ns) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds(unix_ns)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss<milliseconds> clock(floor<milliseconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::string format_share(double share) {
  if (!std::isfinite(share)) return std::string(kNothing);
  const double percent = share * 100;
  if (percent > 0 && percent < 0.5) return "<1 %";
  if (percent < 100 && percent >= 99.5) return ">99 %";
  return fmt::format("{:.0f} %", std::abs(percent) < 0.5 ? 0.0 : percent);
}

std::string format_counted(uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", format_count(count), count == 1 ? singular : plural);
}

std::string format_cell(const analyze::Cell& cell, analyze::Unit unit) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  if (const auto* number = std::get_if<double>(&cell)) {
    if (unit == analyze::Unit::kShare) return format_share(*number);
    if (!(std::abs(*number) < 9e18)) return std::string(kNothing);
    if (unit == analyze::Unit::kNanoseconds) return format_ns(std::llround(*number));
    if (unit == analyze::Unit::kBytes) return format_bytes(std::llround(*number));
    if (unit == analyze::Unit::kBytesPerSecond) return format_bytes(std::llround(*number)) + "/s";
    if (unit == analyze::Unit::kPerSecond && std::abs(*number) >= 100)
      return format_count(int64_t{std::llround(*number)});
    return fmt::format("{:.1f}", *number);
  }
  if (const auto* number = std::get_if<int64_t>(&cell)) {
    switch (unit) {
      case analyze::Unit::kNanoseconds:
        return format_ns(*number);
      case analyze::Unit::kBytes:
        return format_bytes(*number);
      case analyze::Unit::kBytesPerSecond:
        return format_bytes(*number) + "/s";
      case analyze::Unit::kShare:
        return format_share(static_cast<double>(*number));
      case analyze::Unit::kNumber:
        return fmt::format("{}", *number);
      case analyze::Unit::kCount:
      case analyze::Unit::kPerSecond:
      case analyze::Unit::kText:
        return format_count(*number);
    }
  }
  return std::string(kNothing);
}

}  // namespace skyline::cli

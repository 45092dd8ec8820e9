// Numbers for people. Machines get integers (base/json_writer.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyze/analyze.h"

namespace skyline::cli {

// "0 ns", "12.3 µs", "1.234 ms", "61.20 s": four digits, but never below 0.1 µs, which is finer than
// the clocks of many traces.
std::string format_ns(int64_t ns);

// "512 B", "3.2 GiB".
std::string format_bytes(int64_t bytes);

// "1 234 567". The cells of a terminal are equally wide, so the thin space is a plain one.
std::string format_count(int64_t count);
std::string format_count(uint64_t count);

// "2024-03-05 12:34:56.789 UTC" of nanoseconds since 1970.
std::string format_utc(int64_t unix_ns);

// "61 %". What is not quite nothing or not quite all says so: "<1 %", ">99 %".
std::string format_share(double share);

// A count with its word: "1 step", "6 steps".
std::string format_counted(uint64_t count, std::string_view singular, std::string_view plural);

// A cell or figure in its unit; "–" when there is no value. Texts become printable.
std::string format_cell(const analyze::Cell& cell, analyze::Unit unit);

}  // namespace skyline::cli

// The report for people: the answer, one picture of the whole, then what one would ask next.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/console.h"
#include "cli/views/report.h"

namespace skyline::cli {

// At most 40 lines at a width of 100. There must be a rank.
std::string render_report_text(const Report& report, const Console& console);

inline constexpr size_t kScreenLines = 40;

size_t count_lines(std::string_view text);
std::string render_wrapped(std::string_view text, const Console& console);
std::string render_sentence(std::string_view sentence, const Console& console);

// Everything about one rank below its sentence, on so many lines if that can be done.
std::string render_rank(const analyze::RankDigest& rank, const RankDetail& detail, const Console& console,
                        size_t lines, size_t top_rows);

}  // namespace skyline::cli

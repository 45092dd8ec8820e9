// The verdict in one sentence for people, of at most 160 characters.
#pragma once

#include <string>

#include "analyze/health/verdict.h"
#include "analyze/time/time_parts.h"

namespace skyline::analyze {

// The time of the parts in which this one is waited for.
int64_t time_of(WaitsFor owner, const TimeParts::Times& times);

// Rounded to the nearest whole number.
int64_t percent(int64_t part, int64_t whole);

// Cuts a text to so many bytes, between characters, and shows that it was cut.
std::string shorten(std::string_view text, size_t bytes);

std::string verdict_sentence(const AnalyzedTrace& analyzed, const TimeParts::Times& times, WaitsFor owner);

}  // namespace skyline::analyze

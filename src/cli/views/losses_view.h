// What could not be used of a trace, for people and for programs. Every command shows it.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "cli/terminal/console.h"
#include "trace/losses.h"

namespace skyline::cli {

std::string_view name_of(Severity severity);  // "data loss", "notice"

// A few lines, the severe ones first; "Nothing was dropped." if there are none. `most_kinds`: further kinds
// are only counted.
std::string render_losses(const LossCounts& losses, const Console& console, size_t most_kinds = SIZE_MAX);

// One line without place, for a note on standard error; empty if there are none.
std::string losses_sentence(const LossCounts& losses);

// The field "losses" of an open object.
void write_losses(JsonWriter& json, const LossCounts& losses);

}  // namespace skyline::cli

// Arguments that several commands take.
#pragma once

#include <array>

#include "cli/setup/command.h"

namespace skyline::cli {

inline constexpr std::array<std::string_view, 2> kTextOrJson = {"text", "json"};
inline constexpr std::array<std::string_view, 3> kColorChoices = {"auto", "always", "never"};

inline constexpr Argument kTraceArgument = {
    .name = "TRACE",
    .value = "TRACE…",
    .doc = "traces (.json, .json.gz, .json.zst, .skyline), folders of them, or - for standard input",
    .kind = ArgumentKind::kTexts,
    .required = true,
};
inline constexpr Argument kFormatArgument = {
    .name = "--format",
    .value = "text|json",
    .doc = "text for people (the default), json for programs",
    .otherwise = "text",
    .choices = kTextOrJson,
};
inline constexpr Argument kThreadsArgument = {
    .name = "--threads",
    .value = "N",
    .doc = "how many threads read a trace; the result is the same for any number (default: all cores)",
    .kind = ArgumentKind::kNumber,
    .min = 1,
    .max = 1024,
};
inline constexpr Argument kMaxMemoryArgument = {
    .name = "--max-memory",
    .value = "SIZE",
    .doc = "most that a trace may take, as 800M or 4G (default: 3/4 of RAM or of the limit below it)",
    .kind = ArgumentKind::kSize,
    .min = 1,
};
inline constexpr Argument kNoCacheArgument = {
    .name = "--no-cache",
    .value = "",
    .doc = "neither use nor keep copies of large traces (in ~/.cache/skyline)",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kColorArgument = {
    .name = "--color",
    .value = "auto|always|never",
    .doc = "colour the text; auto, the default, does so on a terminal unless NO_COLOR is set",
    .otherwise = "auto",
    .choices = kColorChoices,
};

}  // namespace skyline::cli

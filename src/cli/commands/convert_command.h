// skyline convert: the same trace in another format.
#pragma once

#include <array>

#include "cli/commands/common_arguments.h"
#include "cli/setup/command.h"

namespace skyline {

Result<Answer> run_convert(const Arguments& arguments, const Context& context);

inline constexpr Argument kConvertTraceArgument = {
    .name = "TRACE",
    .value = "TRACE",
    .doc = "a trace file (.json, .json.gz, .json.zst, .skyline), or - for standard input",
    .target = &Arguments::traces,
    .required = true,
};
inline constexpr Argument kOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "what to write: FILE.skyline, FILE.json or FILE.json.gz, told by the ending of its name",
    .target = &Arguments::output,
    .required = true,
    .short_name = "-o",
};
inline constexpr Argument kForceArgument = {
    .name = "--force",
    .value = "",
    .doc = "replace FILE if it exists",
    .target = &Arguments::force,
};

inline constexpr std::array<const Argument*, 8> kConvertArguments = {
    &kConvertTraceArgument, &kOutputArgument,    &kForceArgument,   &kFormatArgument,
    &kThreadsArgument,      &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kConvertCommand = {
    .name = "convert",
    .summary = "The same trace as .skyline, which opens in a moment, or as JSON for other viewers.",
    .example = "skyline convert trace.json.gz -o trace.skyline",
    .arguments = kConvertArguments,
    .run = run_convert,
};

}  // namespace skyline

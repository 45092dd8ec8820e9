// skyline convert: the same trace in another format.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_convert(const Arguments& arguments, const Context& context);

inline constexpr Argument kConvertTraceArgument = {
    .name = "TRACE",
    .value = "TRACE",
    .doc = "a trace file (.json, .json.gz, .json.zst, .skyline), or - for standard input",
    .kind = ArgumentKind::kTexts,
    .required = true,
};
inline constexpr Argument kOutputArgument = {
    .name = "--output",
    .value = "FILE",
    .doc = "what to write: FILE.skyline, FILE.json or FILE.json.gz, told by the ending of its name",
    .required = true,
    .short_name = "-o",
};
inline constexpr Argument kDeviceArgument = {
    .name = "--device",
    .value = "DEVICE_TRACE",
    .doc =
        "another recording of the same process, of which device work and the calls that launch it are taken",
};
inline constexpr Argument kForceArgument = {
    .name = "--force",
    .value = "",
    .doc = "replace FILE if it exists",
    .kind = ArgumentKind::kSwitch,
};

inline constexpr std::array<const Argument*, 9> kConvertArguments = {
    &kConvertTraceArgument, &kOutputArgument,    &kDeviceArgument,  &kForceArgument, &kFormatArgument,
    &kThreadsArgument,      &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kConvertCommand = {
    .name = "convert",
    .summary = "The same trace as .skyline, which opens in a moment, or as JSON for other viewers.",
    .example = "skyline convert trace.json.gz -o trace.skyline",
    .arguments = kConvertArguments,
    .run = run_convert,
};

}  // namespace skyline::cli

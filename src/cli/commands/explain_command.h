// skyline explain: what a name in our output means.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_explain(const Arguments& arguments, const Context& context);

inline constexpr Argument kNameArgument = {
    .name = "NAME",
    .value = "NAME",
    .doc =
        "a figure (device.busy), column (ops.host_self), loss, or a whole group (device, ops); without it, "
        "all names are listed",
};

inline constexpr std::array<const Argument*, 3> kExplainArguments = {
    &kNameArgument,
    &kFormatArgument,
    &kColorArgument,
};

inline constexpr Command kExplainCommand = {
    .name = "explain",
    .summary = "What a name in the output means: its unit and its definition.",
    .example = "skyline explain device.exposed_communication",
    .arguments = kExplainArguments,
    .run = run_explain,
};

}  // namespace skyline::cli

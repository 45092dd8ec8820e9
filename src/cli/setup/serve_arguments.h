// Arguments of the commands that serve a page.
#pragma once

#include "cli/setup/command.h"

namespace skyline::cli {

inline constexpr Argument kPortArgument = {
    .name = "--port",
    .value = "N",
    .doc = "listen on this port (default: any free one)",
    .kind = ArgumentKind::kNumber,
    .min = 0,
    .max = 65535,
};
inline constexpr Argument kHostArgument = {
    .name = "--host",
    .value = "ADDRESS",
    .doc = "listen on this address (default: 127.0.0.1, which other machines do not reach)",
};
inline constexpr Argument kNoOpenArgument = {
    .name = "--no-open",
    .value = "",
    .doc = "print the address, but do not open a browser",
    .kind = ArgumentKind::kSwitch,
};

}  // namespace skyline::cli

// Colours, one per role and the same everywhere. Colour is never the only carrier of meaning: the same
// text without it says the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skyline::cli {

enum class Ink : uint8_t {
  kPlain,
  kStrong,
  kFaint,
  kCompute,
  kCommunication,
  kCopy,
  kInput,
  kHost,
  kIdle,
  kError,
};

// The text as it is, or between the escape sequences of its colour.
std::string paint(Ink ink, std::string_view text, bool color);

}  // namespace skyline::cli

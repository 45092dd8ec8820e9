// Values in files stand at any address.
#pragma once
#include <cstring>

namespace skyline::tracefile {

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

}  // namespace skyline::tracefile

#pragma once

#include <string>

namespace skyline::collect {

// What c10d says about the collective that the calling thread is starting: name, dtype, group name,
// group ranks, elements in, elements out and group size, separated by tabs. Empty when it says nothing.
std::string describe_collective();

}  // namespace skyline::collect

// What is in a folder. libstdc++'s directory_iterator ends the program when memory runs out while it opens
// one.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace skyline {

// Names of entries, without "." and "..", in no particular order.
Result<std::vector<std::string>> names_in(const std::string& folder);

// The same; none if the folder cannot be listed.
std::vector<std::string> names_if_any(const std::string& folder);

}  // namespace skyline

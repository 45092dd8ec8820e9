// Which Python runs the user's code: the one that was named, else the active virtual environment's, else
// python3; of those the first that has torch.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace skyline::session {

struct PythonRequest {
  std::string named = {};  // --python: a path, a name to look up in PATH, or a virtual environment's folder
  std::string virtual_env = {};                // VIRTUAL_ENV
  std::string search_path = {};                // PATH
  std::chrono::milliseconds patience{20'000};  // for each; cold disks are slow
};

struct Python {
  std::string path;           // as it is to be started
  std::string version;        // 3.11.2
  std::string torch_version;  // 2.13.0+cpu; empty if torch's package does not tell
};

// Starts candidates, but imports nothing in them. Nothing else is tried when one was named.
Result<Python> find_python(const PythonRequest& request);

}  // namespace skyline::session

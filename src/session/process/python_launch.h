// How Python is started.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skyline::session {

struct PythonLaunch {
  std::string python;          // path, or a name in PATH
  std::string package_folder;  // that holds the package skyline
  std::string binary;          // this program, for the package
  std::string python_path;     // PYTHONPATH as it was; empty: not set
};

// A process as it is to be started.
struct Launch {
  std::vector<std::string> words;                                     // the first is looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment = {};  // set besides ours
  std::vector<int> descriptors = {};                                  // open in it under the same numbers
  bool dies_with_us = true;                                           // else it must notice by itself
  int output = -1, error = -1;                                        // its standard streams; -1: ours
};

// Starts our "module:function" in Python, without the current folder, which may be a stranger's.
Launch python_launch(const PythonLaunch& python, std::string_view module, std::vector<std::string> words);

}  // namespace skyline::session

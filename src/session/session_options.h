// How an entry point is to be profiled.
#pragma once

#include <cstdint>
#include <string>

#include "session/process/python_launch.h"
#include "session/profile/profile_options.h"

namespace skyline::session {

struct SessionOptions {
  ProfileOptions profile;  // `folder` is set by the session
  PythonLaunch python;
  std::string scratch_folder = "/tmp";  // recordings lie there for a moment
  std::string cache_folder;             // remembers what to import beforehand; empty: nothing is remembered
  bool once = false;                    // one profile, then run() returns
  bool watch_by_polling = false;
  int64_t patience_ns = 60'000'000'000;
};

}  // namespace skyline::session

// Every environment variable that Skyline reads, read here and nowhere else.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace skyline::cli {

struct Environment {
  std::optional<unsigned> threads;      // SKYLINE_THREADS: 1 to 1024
  std::optional<size_t> chunk_bytes;    // SKYLINE_CHUNK_BYTES: 1 to 1 GiB; for tests, changes no result
  std::string cache_folder;             // XDG_CACHE_HOME or HOME/.cache, with /skyline; empty: neither is set
  std::optional<uint64_t> cache_bytes;  // SKYLINE_CACHE_BYTES: how large it may grow; 0: no cache
  std::optional<uint64_t> cache_min_bytes;  // SKYLINE_CACHE_MIN_BYTES: of a trace's text; for tests
  std::string virtual_env;                  // VIRTUAL_ENV: the folder of the active Python environment
  std::string python_path;                  // PYTHONPATH: as the user's own code is to see it
  std::string search_path;                  // PATH
  std::string temporary_folder = "/tmp";    // TMPDIR
  std::string ssh_connection;               // SSH_CONNECTION: who is logged in from where; empty: nobody
  std::string user;                         // USER
  bool has_display = false;                 // DISPLAY or WAYLAND_DISPLAY: a browser could be shown
  bool timings = false;           // SKYLINE_TIMINGS=1: `report` and `interactive` tell how long what took
  bool no_color = false;          // NO_COLOR: set and not empty (no-color.org)
  bool dumb_terminal = false;     // TERM is "dumb" or missing
  std::optional<size_t> columns;  // COLUMNS: width of the terminal
};

// The value of a variable, or null if it is not set; std::getenv in the program.
using ReadVariable = std::function<const char*(const char* name)>;

// Fails on a value of ours that makes no sense. The terminal's own variables are ignored in that case.
Result<Environment> read_environment(const ReadVariable& variable);

// A whole number without sign or anything around it.
std::optional<int64_t> parse_number(std::string_view text);

// The same in bytes, or in 1024, 1024² … of them: "1500000", "800M", "4G", "4GB", "4GiB", "0.5T".
std::optional<int64_t> parse_size(std::string_view text);

}  // namespace skyline::cli

// Recording is Python's: commands that need it become a Python process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/setup/command.h"
#include "cli/terminal/environment.h"

namespace skyline::cli {

// The file of this program.
std::string own_path();

// Where the package lies that belongs to the program at `binary`: the checkout's `python` folder, or the
// folder that the installed package stands in. Empty: neither is there.
std::string package_folder(const std::string& binary);

// That the package is not there.
Error no_package();

// The interpreter to use: the active environment's, else python3. A name without a slash is looked up in
// PATH.
std::string default_python(const Environment& environment);

// Before any Python is started: takes parts out of PYTHONPATH that mean the current folder, which may be a
// stranger's. The user's own code has them again (python/skyline/_python_path.py).
void guard_python_path(const Environment& environment);

// `path` without its empty and relative parts.
std::string absolute_parts(std::string_view path);

// Replaces this process by our package with these words, in Python. Returns only if that fails.
Error become_python(const std::string& python, const std::vector<std::string>& words,
                    const Environment& environment);

// The same for a command whose words are the package's to read, but for a leading `--python P`.
Error pass_to_python(const std::string& command, const Arguments& arguments, const Context& context);

}  // namespace skyline::cli

#include "base/out_of_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace skyline {
namespace {

// "ulimit -v" says kilobytes; empty: there is no such limit.
std::string limit_of_shell(int resource, const char* option) {
  rlimit limit = {};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return {};
  if (limit.rlim_cur == RLIM_INFINITY) return {};
  return fmt::format("ulimit {} {}", option, limit.rlim_cur / 1024);
}

}  // namespace

Error out_of_memory(std::string_view verb, std::string_view object) {
  std::string limit = limit_of_shell(RLIMIT_AS, "-v");
  if (limit.empty()) limit = limit_of_shell(RLIMIT_DATA, "-d");
  if (limit.empty()) {
    return {fmt::format("not enough memory to {} {}; free some, or use a larger machine", verb, object),
            true};
  }
  return {fmt::format("not enough memory to {} {}; raise the shell's limit ({}), or use a larger machine",
                      verb, object, limit),
          true};
}

}  // namespace skyline

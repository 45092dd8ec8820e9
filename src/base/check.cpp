#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace skyline::internal {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr,
               "skyline: internal error: %s does not hold (%s:%d).\n"
               "This is a bug in Skyline, not in your data: please report it with the command you ran.\n",
               condition, file, line);
  std::abort();
}

}  // namespace skyline::internal

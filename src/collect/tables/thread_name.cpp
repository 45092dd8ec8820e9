#include "collect/tables/thread_name.h"

#include <fcntl.h>
#include <unistd.h>

namespace skyline::collect {

std::string name_of_thread(int64_t os_id) {
  const std::string path = "/proc/self/task/" + std::to_string(os_id) + "/comm";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};  // the thread has ended
  char name[64];
  const ssize_t size = ::read(file, name, sizeof name);
  ::close(file);
  return std::string(name, size > 0 ? static_cast<size_t>(size - 1) : 0);  // without the newline
}

}  // namespace skyline::collect

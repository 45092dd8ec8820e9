#include "collect/sampling/system_counters.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>

namespace skyline::collect {
namespace {

int open_file(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

// From its beginning; files of the kernel are made anew for each reader.
std::string_view read_file(int file, char (&room)[1024]) {
  const ssize_t size = file < 0 ? -1 : ::pread(file, room, sizeof room, 0);
  return {room, size > 0 ? static_cast<size_t>(size) : 0};
}

// Of the process's group, by version 2 or 1 of the kernel's control groups.
int open_throttling() {
  char room[1024];
  const int groups = open_file("/proc/self/cgroup");
  const std::string_view text = read_file(groups, room);
  if (groups >= 0) ::close(groups);
  if (const size_t at = text.find("0::"); at != std::string_view::npos) {
    std::string_view path = text.substr(at + 3);
    path = path.substr(0, path.find('\n'));
    const int file = open_file("/sys/fs/cgroup" + std::string(path) + "/cpu.stat");
    if (file >= 0) return file;
  }
  for (const char* path : {"/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"}) {
    const int file = open_file(path);
    if (file >= 0) return file;
  }
  return -1;
}

double ns_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

}  // namespace

double number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return -1;
  double value = -1;
  const char* const begin = text.data() + at + word.size();
  const std::from_chars_result read = std::from_chars(begin, text.data() + text.size(), value);
  return read.ec == std::errc() ? value : -1;
}

SystemCounters::SystemCounters()
    : memory_(open_file("/proc/self/statm")),
      pressure_cpu_(open_file("/proc/pressure/cpu")),
      pressure_memory_(open_file("/proc/pressure/memory")),
      pressure_io_(open_file("/proc/pressure/io")),
      throttling_(open_throttling()) {}

SystemCounters::~SystemCounters() {
  for (const int file : {memory_, pressure_cpu_, pressure_memory_, pressure_io_, throttling_}) {
    if (file >= 0) ::close(file);
  }
}

void SystemCounters::read(uint64_t ticks, bool with_shared, std::vector<CounterRow>& to) const {
  const auto add = [&](std::string_view name, double value) {
    if (value >= 0) to.push_back({ticks, name, value});
  };
  char room[1024];
  rusage usage;
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    add("cpu.user_ns", ns_of(usage.ru_utime));
    add("cpu.system_ns", ns_of(usage.ru_stime));
    add("faults.minor", static_cast<double>(usage.ru_minflt));
    add("faults.major", static_cast<double>(usage.ru_majflt));
    add("switches.voluntary", static_cast<double>(usage.ru_nvcsw));
    add("switches.involuntary", static_cast<double>(usage.ru_nivcsw));
  }
  const double pages = number_behind(read_file(memory_, room), " ");
  if (pages >= 0) add("memory.resident_bytes", pages * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  if (!with_shared) return;
  const auto add_pressure = [&](int file, std::string_view some, std::string_view full) {
    const std::string_view text = read_file(file, room);
    add(some, number_behind(text, "total="));
    const size_t behind = text.find("full ");
    if (behind != std::string_view::npos) add(full, number_behind(text.substr(behind), "total="));
  };
  add_pressure(pressure_cpu_, "pressure.cpu.some_us", "pressure.cpu.full_us");
  add_pressure(pressure_memory_, "pressure.memory.some_us", "pressure.memory.full_us");
  add_pressure(pressure_io_, "pressure.io.some_us", "pressure.io.full_us");
  const std::string_view throttled = read_file(throttling_, room);
  add("cgroup.throttled_periods", number_behind(throttled, "nr_throttled "));
  const double us = number_behind(throttled, "throttled_usec "),
               ns = number_behind(throttled, "throttled_time ");
  add("cgroup.throttled_us", us >= 0 ? us : ns >= 0 ? ns / 1e3 : -1);
}

}  // namespace skyline::collect

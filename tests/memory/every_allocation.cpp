#include "every_allocation.h"

#include <dirent.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

// glibc keeps what it has allocated for a library whose loading then fails for want of memory.
extern "C" const char* __lsan_default_suppressions() { return "leak:_dl_map_object_deps\n"; }

namespace skyline::faults {
namespace {

constexpr int kPatienceSeconds = 60;  // quiet, none takes 2
constexpr int kMostComplaints = 5;

// For the signal handlers, which may not look for it.
char now_running[256] = "";

void die(const char* what) {
  const auto say = [](const char* text) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
  };
  say("\n");
  say(now_running);
  say(what);
}

void on_alarm(int) {
  die(": it does not end\n");
  ::abort();
}

void on_abort(int) { die(": the program was aborted\n"); }

size_t open_files() {
  size_t count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

// Other threads may still be about to close theirs, as the server does after a client has gone.
bool are_closed_again(size_t files) {
  for (int waited_ms = 0; waited_ms < kPatienceSeconds * 1000; ++waited_ms) {
    if (open_files() <= files) return true;
    ::usleep(1000);
  }
  return false;
}

const char* words(Kind kind) { return kind == Kind::kOnce ? "fails" : "and all later ones fail"; }

// What one trial gave; empty if it threw std::bad_alloc.
struct Outcome {
  std::string text;
  bool is_thrown = false;
  uint64_t allocations = 0;
};

Outcome attempt(const Case& tried, uint64_t number, Kind kind) {
  std::snprintf(now_running, sizeof now_running, "%s: allocation %llu %s", tried.name.c_str(),
                static_cast<unsigned long long>(number), words(kind));
  ::alarm(kPatienceSeconds);
  Outcome outcome;
  Trial trial(number, kind);
  try {
    outcome.text = tried.run(trial);
  } catch (const std::bad_alloc&) {
    outcome.is_thrown = true;
  }
  outcome.allocations = trial.allocations();
  ::alarm(0);
  return outcome;
}

bool is_fine(const Case& tried, const Outcome& outcome, const std::string& good, Kind kind) {
  // If there is no memory at all, there may be none for the sentence; the program has one that needs none.
  if (outcome.is_thrown) return tried.may_throw || kind == Kind::kForGood;
  if (outcome.text == good) return true;
  return outcome.text.starts_with("error: ") && outcome.text.find("memory") != std::string::npos;
}

}  // namespace

bool try_every_allocation(const Case& tried) {
  ::signal(SIGALRM, on_alarm);
  ::signal(SIGABRT, on_abort);
  const auto begun = std::chrono::steady_clock::now();
  // Twice: what is made once and kept must not be counted.
  const size_t before = open_files();
  attempt(tried, 0, Kind::kOnce);
  const size_t files = are_closed_again(before) ? before : open_files();
  const Outcome good = attempt(tried, 0, Kind::kOnce);
  const uint64_t all = good.allocations;
  const uint64_t stride = tried.samples == 0 ? 1 : std::max<uint64_t>(1, all / tried.samples);
  int complaints = 0;
  uint64_t trials = 0, refused = 0;
  for (const Kind kind : {Kind::kOnce, Kind::kForGood}) {
    for (uint64_t number = 1; number <= all && complaints < kMostComplaints; number += stride) {
      const Outcome outcome = attempt(tried, number, kind);
      ++trials;
      if (outcome.is_thrown || outcome.text != good.text) ++refused;
      const bool is_closed = are_closed_again(files);
      if (is_fine(tried, outcome, good.text, kind) && is_closed) continue;
      ++complaints;
      std::printf("%s: %s%s; it should be: %.300s\n", now_running,
                  outcome.is_thrown ? "std::bad_alloc" : outcome.text.substr(0, 300).c_str(),
                  is_closed ? "" : " (and a file is left open)", good.text.c_str());
    }
  }
#if defined(__SANITIZE_ADDRESS__)
  if (__lsan_do_recoverable_leak_check() != 0) ++complaints;
#endif
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  std::printf("%-28s %6llu allocations, %6llu trials, %6llu refused, %5.1f s%s\n", tried.name.c_str(),
              static_cast<unsigned long long>(all), static_cast<unsigned long long>(trials),
              static_cast<unsigned long long>(refused), took.count(), complaints == 0 ? "" : "  FAILED");
  std::fflush(stdout);
  return complaints == 0 && !good.is_thrown && !good.text.starts_with("error: ");
}

}  // namespace skyline::faults

#include "collect/sampling/control_page.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>

namespace skyline::collect {
namespace {

static_assert(std::atomic<uint32_t>::is_always_lock_free && sizeof(std::atomic<uint32_t>) == 4);

ControlPage* make_page() {
  void* const memory =
      ::mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) ControlPage;
}

ControlPage* current = nullptr;
pid_t maker = 0;

void copy_text(char* to, size_t room, const std::string& from) {
  const size_t size = std::min(from.size(), room - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}

}  // namespace

ControlPage* ControlPage::shared() { return current; }

ControlPage* ControlPage::own() {
  if (current == nullptr || maker != ::getpid()) {
    current = make_page();
    maker = ::getpid();
  }
  return current;
}

void ControlPage::open(uint32_t hz, const std::string& folder, const std::string& recording) {
  writing = 0;
  hz_ = hz;
  copy_text(folder_, sizeof folder_, folder);
  copy_text(recording_, sizeof recording_, recording);
  word_.store((word_.load() | 1) + (is_open() ? 2 : 0), std::memory_order_release);
  wake();
}

void ControlPage::close() {
  if (!is_open()) return;
  word_.fetch_add(1, std::memory_order_release);
  wake();
}

void ControlPage::wake() { syscall(SYS_futex, &word_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

ControlPage::Order ControlPage::order() const {
  const uint32_t before = word();
  if ((before & 1) == 0) return {};
  Order order{before, hz_, folder_, recording_};
  return word() == before ? order : Order{};
}

void ControlPage::wait(uint32_t word, int64_t at_most_ns) const {
  const timespec time = {static_cast<time_t>(at_most_ns / 1'000'000'000), at_most_ns % 1'000'000'000};
  syscall(SYS_futex, &word_, FUTEX_WAIT, word, &time, nullptr, 0);
}

}  // namespace skyline::collect

#include "collect/sampling/control_page.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <new>

namespace skyline::collect {
namespace {

static_assert(std::atomic<uint32_t>::is_always_lock_free && sizeof(std::atomic<uint32_t>) == 4);

constexpr int kNoFile = -1;
int file = kNoFile;  // of the page that this process has made; stays open for those who open it by its path

void* map(int of) {
  const int flags = of == kNoFile ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory = ::mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, flags, of, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

ControlPage* make_page() {
  // One of the process that this one was forked from stays open: its number may be the program's by now.
  file = ::memfd_create("skyline-control", MFD_CLOEXEC);
  if (file != kNoFile && ::ftruncate(file, sizeof(ControlPage)) != 0) {
    ::close(file);
    file = kNoFile;
  }
  void* const memory = map(file);
  return memory == nullptr ? nullptr : new (memory) ControlPage;
}

ControlPage* current = nullptr;
pid_t maker = 0;

}  // namespace

ControlPage* ControlPage::shared() { return current; }

ControlPage* ControlPage::own() {
  if (current == nullptr || maker != ::getpid()) {
    current = make_page();
    maker = ::getpid();
  }
  return current;
}

std::string ControlPage::path_of_own() {
  if (current == nullptr || maker != ::getpid() || file == kNoFile) return {};
  return "/proc/" + std::to_string(maker) + "/fd/" + std::to_string(file);
}

bool ControlPage::attach(const std::string& path) {
  const int opened = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return false;
  struct stat about = {};
  const bool fits = ::fstat(opened, &about) == 0 && S_ISREG(about.st_mode) &&
                    about.st_size == static_cast<off_t>(sizeof(ControlPage));
  void* const memory = fits ? map(opened) : nullptr;
  ::close(opened);
  if (memory == nullptr) return false;
  auto* const page = static_cast<ControlPage*>(memory);
  if (page->magic_ != kMagic) {
    ::munmap(memory, sizeof(ControlPage));
    return false;
  }
  current = page;
  maker = 0;
  return true;
}

void ControlPage::open(uint32_t hz, const std::string& folder, const std::string& recording) {
  writing = 0;
  hz_.store(hz, std::memory_order_release);
  folder_.store(folder);
  recording_.store(recording);
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
  Order order{before, hz_.load(std::memory_order_acquire), folder_.load(), recording_.load()};
  return word() == before ? order : Order{};
}

void ControlPage::wait(uint32_t word, int64_t at_most_ns) const {
  const timespec time = {static_cast<time_t>(at_most_ns / 1'000'000'000), at_most_ns % 1'000'000'000};
  syscall(SYS_futex, &word_, FUTEX_WAIT, word, &time, nullptr, 0);
}

}  // namespace skyline::collect

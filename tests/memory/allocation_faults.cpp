// The program defines the allocating functions itself. It comes first in the search for symbols, so shared
// libraries use them too. Memory still comes from the sanitizer's allocator, where there is one, or from
// libc's.
#include "allocation_faults.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(SKYLINE_ABOVE_SANITIZER)
#define BELOW(name) __interceptor_##name
#else
#define BELOW(name) __libc_##name
#endif

extern "C" {
void* BELOW(malloc)(size_t size);
void* BELOW(calloc)(size_t count, size_t size);
void* BELOW(realloc)(void* block, size_t size);
void* BELOW(memalign)(size_t alignment, size_t size);
#if defined(SKYLINE_ABOVE_SANITIZER)
int BELOW(pthread_create)(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* argument);
#endif
}

namespace skyline::faults {
namespace {

std::atomic<bool> is_counting = false;
std::atomic<uint64_t> count = 0;
std::atomic<uint64_t> first_failing = 0;
std::atomic<Kind> failing = Kind::kOnce;
std::atomic<unsigned> refused_threads = 0;
// A thread is exempt until it runs our code: the sanitizer, which allocates to make its books, cannot do
// without.
thread_local int exemptions = 1;
thread_local bool has_begun = false;

void begin_thread() {
  if (!has_begun) --exemptions;
  has_begun = true;
}

bool fails() {
  if (!is_counting.load(std::memory_order_relaxed) || exemptions > 0) return false;
  const uint64_t number = count.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t first = first_failing.load(std::memory_order_relaxed);
  if (first == 0 || number < first) return false;
  return number == first || failing.load(std::memory_order_relaxed) == Kind::kForGood;
}

}  // namespace

void begin(uint64_t first, Kind kind) {
  begin_thread();
  count = 0;
  first_failing = first;
  failing = kind;
  is_counting = true;
}

uint64_t end() {
  is_counting = false;
  return count;
}

void refuse_threads(unsigned number) { refused_threads = number; }

Exempt::Exempt() { ++exemptions; }
Exempt::~Exempt() { --exemptions; }

}  // namespace skyline::faults

namespace {

void* refuse() {
  errno = ENOMEM;
  return nullptr;
}

struct ThreadStart {
  void* (*run)(void*);
  void* argument;
};

void* run_thread(void* at) {
  const ThreadStart start = *static_cast<ThreadStart*>(at);
  std::free(at);
  skyline::faults::begin_thread();
  return start.run(start.argument);
}

void* new_block(size_t size, size_t alignment = 0) {
  if (skyline::faults::fails()) return nullptr;
  return alignment == 0 ? BELOW(malloc)(size == 0 ? 1 : size) : BELOW(memalign)(alignment, size);
}

void* new_or_throw(size_t size, size_t alignment = 0) {
  void* block = new_block(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

extern "C" {

void* malloc(size_t size) { return skyline::faults::fails() ? refuse() : BELOW(malloc)(size); }
void* calloc(size_t count, size_t size) {
  return skyline::faults::fails() ? refuse() : BELOW(calloc)(count, size);
}
void* realloc(void* block, size_t size) {
  return skyline::faults::fails() ? refuse() : BELOW(realloc)(block, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
  if (skyline::faults::fails()) return ENOMEM;
  *block = BELOW(memalign)(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void* aligned_alloc(size_t alignment, size_t size) {
  return skyline::faults::fails() ? refuse() : BELOW(memalign)(alignment, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  for (unsigned left = skyline::faults::refused_threads; left > 0;) {
    if (skyline::faults::refused_threads.compare_exchange_weak(left, left - 1)) return EAGAIN;
  }
#if defined(SKYLINE_ABOVE_SANITIZER)
  // By name: clang's sanitizer is part of this program, so that the next in the search would be libc's.
  const auto below = &BELOW(pthread_create);
#else
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static Create* const below = reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, "pthread_create"));
#endif
  auto* start = static_cast<ThreadStart*>(BELOW(malloc)(sizeof(ThreadStart)));
  *start = {run, argument};
  const int error = below(thread, attributes, run_thread, start);
  if (error != 0) std::free(start);
  return error;
}
}

void* operator new(size_t size) { return new_or_throw(size); }
void* operator new[](size_t size) { return new_or_throw(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return new_block(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return new_block(size); }
void* operator new(size_t size, std::align_val_t alignment) {
  return new_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return new_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_block(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_block(size, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t, std::align_val_t) noexcept { std::free(block); }

// Makes the n-th allocation fail, whoever asks for it: operator new, malloc, calloc and realloc of this
// program and of every shared library in it (zstd, ISA-L, SQLite, simdjson, libstdc++, libc). Threads count
// together.
#pragma once

#include <cstdint>

namespace skyline::faults {

enum class Kind : uint8_t {
  kOnce,     // only this one: whoever goes on must be right
  kForGood,  // this one and all that follow: no sentence may need memory that is not there
};

// From now on allocations are counted, and number `first` fails (1 is the next). 0: none does.
void begin(uint64_t first, Kind kind);

// Nothing fails any more; how many allocations there were since begin().
uint64_t end();

// Threads that cannot be made: the first `count` from now on are refused.
void refuse_threads(unsigned count);

// Allocations of this thread neither count nor fail while this lives.
class Exempt {
 public:
  Exempt();
  ~Exempt();
  Exempt(const Exempt&) = delete;
  Exempt& operator=(const Exempt&) = delete;
};

}  // namespace skyline::faults

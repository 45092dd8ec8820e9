// Memory that runs out is trouble of the user's world that can strike anywhere. Inside the engine it is an
// exception, on whatever thread; a door turns it into the one sentence that it is for everybody outside:
//
//   Result<Trace> read_trace(path) {
//     return or_out_of_memory("read", path, [&] { return read(path); });
//   }
#pragma once

#include <new>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace skyline {

// What there was not enough memory for: "read", "big.json".
Error out_of_memory(std::string_view verb, std::string_view object);

// The result of `work`, or the sentence.
template <typename Work>
std::invoke_result_t<Work> or_out_of_memory(std::string_view verb, std::string_view object, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return out_of_memory(verb, object);
  } catch (const std::length_error&) {  // more than any machine has
    return out_of_memory(verb, object);
  }
}

// What a C library gave, which says with null that there was no memory.
template <typename T>
T* allocated(T* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace skyline

// simdjson says with the same word whether a text is no JSON and whether there was no memory to read it. Only
// the first is told of the text.
#pragma once

#include <simdjson.h>

#include <new>

namespace skyline {

inline bool is_json_error(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return error != simdjson::SUCCESS;
}

}  // namespace skyline

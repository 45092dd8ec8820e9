#pragma once

#include <cstdint>
#include <string>

namespace skyline::collect {

// What the system calls a thread of this process; empty when it has ended.
std::string name_of_thread(int64_t os_id);

}  // namespace skyline::collect

// CHECK: an invariant of our own. It stays on in release builds; when it fails, Skyline is wrong,
// not the user, so it prints what a bug report needs and aborts.
#pragma once

namespace skyline::internal {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

// torch defines a CHECK of its own; where both meet (collect/ includes torch first), ours is meant.
#undef CHECK
#define CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::skyline::internal::check_failed(#condition, __FILE__, __LINE__))

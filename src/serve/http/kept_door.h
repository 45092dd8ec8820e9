// What a server leaves for its successor in a file that only its user can read: the port, so that pages find
// it where they were, and the secret by which they know each other (resumption.h).
#pragma once

#include <cstdint>
#include <string>

namespace skyline::serve {

struct KeptDoor {
  uint16_t port = 0;   // 0: any free one
  std::string secret;  // never empty
};

// A new secret if there is no file, or one that others could have read or written. An empty path: nothing is
// kept.
KeptDoor kept_door(const std::string& path);

// Of no weight if it fails: the next server has another port then.
void keep_door(const std::string& path, const KeptDoor& door);

}  // namespace skyline::serve

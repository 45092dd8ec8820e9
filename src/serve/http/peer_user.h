// Which user of this machine holds the other end of a TCP connection.
#pragma once

#include <sys/types.h>

#include <optional>

namespace skyline::serve {

// None: it ends on another machine, or the system does not tell.
std::optional<uid_t> user_at_other_end(int socket);

// Whether that is the user we run as, or root, who could look into our memory anyway.
bool is_our_user_at_other_end(int socket);

}  // namespace skyline::serve

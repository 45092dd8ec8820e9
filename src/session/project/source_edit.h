// Changing the batch size in the user's source: one number is replaced, every other byte stays.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "session/worker_messages.h"

namespace skyline::session {

// Everything that an editor, or apply(), needs to replace the literal by new_text.
struct Edit {
  BatchLiteral literal;
  std::string new_text;
};

// batch_size >= 1.
Edit make_edit(const BatchLiteral& literal, int64_t batch_size);

// What stands in the file where the edit would write: "32", "1_024", "0x20". Refuses when apply() would.
Result<std::string> replaced_text(const Edit& edit);

// Replaces the file in one step by one with the same mode and, where permitted, owner; through a symbolic
// link its target. Refuses when the file is not the one the literal was found in. A file with several hard
// links loses the link that is edited.
Status apply(const Edit& edit);

}  // namespace skyline::session

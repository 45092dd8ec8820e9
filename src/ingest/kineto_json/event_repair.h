// Mending an event that is not valid JSON, as files from the wild contain them.
#pragma once

#include <string>

namespace skyline::kineto_json {

struct Repair {
  enum class Status { kIncomplete, kRepaired, kHopeless };
  Status status;
  const char* end;   // behind the event's text: where reading goes on
  std::string text;  // kRepaired: the event as it was probably meant, not padded
};

// `p` stands on the '{' of an event that scan_event called malformed. kIncomplete: more text is
// needed to see where the event ends (never when at_end_of_file).
Repair repair_event(const char* p, const char* end, bool at_end_of_file);

}  // namespace skyline::kineto_json

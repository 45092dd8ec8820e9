// Mending an event that is not valid JSON, as files from the wild contain them.
#pragma once

#include <string>

namespace skyline::ingest::kineto_json {

struct Repair {
  enum class Status {
    kIncomplete,  // more text is needed to see where the event ends
    kRepaired,
    kLost,      // it cannot be read, but where it ends is known
    kHopeless,  // not even that; reading goes on at the next event (find_next_event)
  };
  Status status;
  const char* end;   // behind the event's text: where reading goes on
  std::string text;  // kRepaired: the event as it was probably meant, not padded
};

// `p` stands on the '{' of an event that scan_event did not like. `is_all`: there will be no more
// text to judge by than this; then the answer is never kIncomplete.
Repair repair_event(const char* p, const char* end, bool is_all);

// p stands behind a '}': does another event visibly begin there?
bool next_event_follows(const char* p, const char* end);

// The '}' before the next event that visibly begins behind p, or one that may turn out to be it when
// there is more text; `end` when there is none.
const char* find_next_event(const char* p, const char* end, bool is_all);

}  // namespace skyline::ingest::kineto_json

// Does something again and again, each time with another allocation that fails, and looks at how it ends:
// with what it gives when nothing fails, or with a sentence about memory. Anything else is a failure: another
// result, another sentence, a crash, a leak, a file descriptor left open, or no end within ten seconds.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "allocation_faults.h"

namespace skyline::faults {

// Handed to a case: runs the part that is under test, so that preparing and describing cannot fail.
class Trial {
 public:
  Trial(uint64_t first, Kind kind) : first_(first), kind_(kind) {}

  template <typename Work>
  std::invoke_result_t<Work> operator()(Work work) {
    const Armed armed(*this);
    return work();
  }

  uint64_t allocations() const { return allocations_; }

 private:
  struct Armed {
    explicit Armed(Trial& of) : trial(of) { begin(trial.first_, trial.kind_); }
    ~Armed() { trial.allocations_ = end(); }
    Armed(const Armed&) = delete;
    Armed& operator=(const Armed&) = delete;
    Trial& trial;
  };

  const uint64_t first_;
  const Kind kind_;
  uint64_t allocations_ = 0;
};

struct Case {
  std::string name;
  // What came of it, in a few words; an error as "error: sentence".
  std::function<std::string(Trial&)> run;
  // Not at a door: std::bad_alloc may come out of it, and the door behind it says the sentence.
  bool may_throw = false;
  // How many allocations are tried; 0: every one. More than there are: every one.
  uint64_t samples = 0;
};

inline std::string error_text(const std::string& sentence) { return "error: " + sentence; }

using Cases = std::vector<Case>;

// True if all went well; what did not is printed.
bool try_every_allocation(const Case& tried);

void add_reading_cases(Cases& cases);
void add_analysing_cases(Cases& cases);
void add_writing_cases(Cases& cases);
void add_serving_cases(Cases& cases);
void add_program_cases(Cases& cases);

}  // namespace skyline::faults

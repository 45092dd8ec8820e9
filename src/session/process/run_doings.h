// RunDoings: where the user's code tells what it does (python/skyline/_doings.py).
#pragma once

#include <vector>

#include "base/descriptor.h"
#include "session/process/messages.h"

namespace skyline::session {

class RunDoings {
 public:
  static Result<RunDoings> make();

  // Readable when take() has something to give.
  int descriptor() const { return ours_.get(); }
  // For workers.
  int theirs() const { return theirs_.get(); }
  // What has been told since the last call; never waits.
  std::vector<Doing> take();

 private:
  RunDoings(Descriptor ours, Descriptor theirs) : ours_(std::move(ours)), theirs_(std::move(theirs)) {}

  Descriptor ours_, theirs_;
};

}  // namespace skyline::session

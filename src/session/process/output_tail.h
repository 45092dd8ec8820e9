// OutputTail: the end of what a process has printed. However much it is, only the last part is kept.
#pragma once

#include <string>

#include "base/descriptor.h"

namespace skyline::session {

class OutputTail {
 public:
  explicit OutputTail(Descriptor pipe) : pipe_(std::move(pipe)) {}

  int descriptor() const { return pipe_.get(); }  // -1: all has been read
  // Takes what is there, but gives others their turn: a flood has no end.
  void read();
  const std::string& text() const { return text_; }
  // Its last line that is not empty.
  std::string last_line() const;

 private:
  Descriptor pipe_;
  std::string text_;
};

}  // namespace skyline::session

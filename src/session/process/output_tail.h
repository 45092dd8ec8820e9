// OutputTail: the end of what a process has printed. However much it is, only the last part is kept; a file
// may hold the beginning as well.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace skyline::session {

class OutputTail {
 public:
  // `log`: a file that is written anew; empty: none.
  explicit OutputTail(Descriptor pipe, const std::string& log = {});

  int descriptor() const { return pipe_.get(); }  // -1: all has been read
  // Takes what is there, but gives others their turn: a flood has no end.
  void read();
  const std::string& text() const { return text_; }
  // Its last line that is not empty.
  std::string last_line() const;

 private:
  void log(std::string_view more);

  Descriptor pipe_, log_;
  size_t logged_ = 0;  // bytes
  std::string text_;
};

}  // namespace skyline::session

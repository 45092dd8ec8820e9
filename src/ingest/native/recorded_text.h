// Texts of a recording become strings of the trace. A recorder writes whatever bytes the program's names
// have.
#pragma once

#include <string>
#include <string_view>

#include "ingest/kineto_json/text_decode.h"
#include "trace/trace.h"

namespace skyline::ingest::native {

class RecordedText {
 public:
  explicit RecordedText(Trace& draft) : draft_(draft) {}

  // What is not UTF-8 is repaired, and counted.
  StringId intern(std::string_view text) {
    if (kineto_json::is_plain(text)) return draft_.strings.intern(text);
    if (!kineto_json::repair_utf8(text, scratch_)) draft_.losses.add(Loss::kRepairedText, 0);
    return draft_.strings.intern(scratch_);
  }

 private:
  Trace& draft_;
  std::string scratch_;
};

}  // namespace skyline::ingest::native

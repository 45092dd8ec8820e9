// Whatever a Python process says to the session: understood, or refused in one sentence.
#include "session/process/messages.h"
#include "session/process/worker.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(skyline::session::parse_zygote_message(text));
  static_cast<void>(skyline::session::parse_loaded(text));
  static_cast<void>(skyline::session::parse_iterated(text));
  static_cast<void>(skyline::session::parse_recording(text));
  static_cast<void>(skyline::session::parse_recorded(text));
  static_cast<void>(skyline::session::place_in_stack(text, "/project"));
  return 0;
}

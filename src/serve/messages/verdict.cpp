#include "serve/messages/verdict.h"

#include "serve/messages/enums.h"

namespace skyline::serve {

protocol::Verdict to_message(const analyze::Verdict& verdict) {
  protocol::Verdict message;
  message.waits_for = to_message(verdict.waits_for);
  message.share = verdict.share;
  message.sentence = verdict.sentence;
  message.judged_ns = verdict.judged_ns;
  for (const analyze::VerdictPart& part : verdict.parts) {
    message.parts.push_back({std::string(part.name), std::string(part.definition), part.time_ns});
  }
  return message;
}

}  // namespace skyline::serve

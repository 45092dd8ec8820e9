// A session as pages see it: the newest of every event, the history of its profiles, and what they may tell
// it.
//
//   LiveSession live(options, traces);
//   Session session(options, [&](const SessionView& view) { live.show(view); });
//   live.set_session(&session);
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/messages/protocol.h"
#include "serve/served/opened_traces.h"
#include "session/session.h"

namespace skyline::serve {

class LiveSession {
 public:
  // Name of the event and its whole text.
  using Tell = std::function<void(const std::string& kind, std::string text)>;

  using Now = std::chrono::steady_clock::time_point (*)();

  LiveSession(const session::SessionOptions& options, OpenedTraces& traces,
              Now now = std::chrono::steady_clock::now);
  ~LiveSession();

  // The listener of the Session: turns a view into events, tells those that are news. On the session's
  // thread. What it has recorded can then be found among the traces as "time" and "memory", or, if that is
  // one recording, as "time".
  void show(const session::SessionView& view);

  // Profiles of sessions before are shown as well, and those of this one kept. Before the first show().
  void keep_history_in(const std::string& path);

  void set_tell(Tell tell);
  // Who does what pages ask for; null: nobody, any more.
  void set_session(session::Session* session);
  // What a page that has just come must hear: the newest of every event. From any thread.
  std::vector<std::string> greeting() const;

  // What pages may ask for, from any thread.
  protocol::SessionAbout about() const;
  Result<protocol::Edit> edit(const protocol::EditParams& params) const;
  Status apply(const protocol::ApplyParams& params);
  protocol::Output output() const;
  void set_unsaved(bool is_unsaved);
  void profile_again();
  void cancel();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyline::serve

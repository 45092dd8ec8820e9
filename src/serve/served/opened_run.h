// OpenedRun: the opened traces as ranks of one run. Every trace is read once for its digest, one after
// another, in the background, from the moment that somebody asks; digests are small and stay, also when the
// trace is let go of.
//
//   OpenedRun run(traces);
//   run.on_change([&] { server->broadcast("run", event_text("run", run.now())); });
//   protocol::Run first = run.ask();   // what is known by now; the rest is told
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "analyze/analyze.h"
#include "base/result.h"
#include "serve/served/opened_traces.h"

namespace skyline::serve {

class OpenedRun {
 public:
  explicit OpenedRun(OpenedTraces& traces) : traces_(traces) {}  // which must outlive it
  ~OpenedRun();                                                  // once the trace that is being read is read
  OpenedRun(const OpenedRun&) = delete;
  OpenedRun& operator=(const OpenedRun&) = delete;

  // May be called from any thread.
  protocol::Run ask();        // and begins to read what nobody has read for this
  protocol::Run now() const;  // and begins nothing
  // `tell` is called whenever more is known. Once this returns, the one before is not called any more.
  void on_change(std::function<void()> tell);

 private:
  void read_all();
  bool read_next();

  OpenedTraces& traces_;
  mutable std::mutex mutex_;                                  // of what follows
  std::map<std::string, Result<analyze::RankDigest>> known_;  // by the trace's id; or why there is none
  bool is_reading_ = false, is_ending_ = false;
  std::thread reader_;
  std::mutex telling_;
  std::function<void()> tell_;
};

}  // namespace skyline::serve

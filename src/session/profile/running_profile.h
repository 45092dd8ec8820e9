// RunningProfile: what the steps of a profile share: the process that runs the user's code, what it has found
// so far and what that has cost of the budget.
#pragma once

#include <limits>
#include <memory>
#include <string_view>

#include "session/profile/profile.h"

namespace skyline::session {

// An iteration that takes more than this share of the budget is not repeated for the sake of warmth, and is
// not recorded again when it has been recorded.
inline constexpr int64_t kLongShare = 20;
inline constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
inline constexpr size_t kMaxWarmUp = 10;
inline constexpr int64_t kMaxChunk = 100;  // iterations that are asked for at once

class RunningProfile {
 public:
  RunningProfile(const ProfileOptions& wanted, const StartWorker& start_worker,
                 const Interruption& interruption, const ProfileObserver& observer)
      : options(wanted), start_worker_(start_worker), interruption_(interruption), observer_(observer) {}

  // Starts a process and loads the entry point into it, recording from before that to this file.
  Attempt<Loaded> load(std::string_view recording);
  bool is_fresh_process() const { return worker_->is_fresh_process(); }
  // The process keeps the memory it has freed from now on, and so does one that comes after it.
  Attempt<MemoryKept> keep_memory();
  // The process has died: a new one, as far as the first iteration.
  Attempt<Done> start_again();

  Attempt<Iterated> iterate(int64_t batch_size, int64_t count, int64_t limit_ns = kForever);
  // One iteration; how long it took without compilation.
  Attempt<int64_t> iterate_once(int64_t batch_size);
  // Some iterations more of a batch size, as many as take a moment.
  Attempt<Done> time_chunk(BatchMeasurement& of, int64_t expected_ns, int64_t left_ns);

  Attempt<Recording> record(std::string_view name, RecordedKind what);
  Attempt<std::shared_ptr<const analyze::AnalyzedTrace>> stop_and_read();
  // Of a recording that an error has cut short.
  void forget_recording();

  void tell(std::string_view phase, double fraction) const;
  void publish() const;

  const ProfileOptions& options;
  ProfileResult result;

 private:
  const StartWorker& start_worker_;
  const Interruption& interruption_;
  const ProfileObserver& observer_;
  std::unique_ptr<Worker> worker_;
  bool keeps_memory_ = false;
};

}  // namespace skyline::session

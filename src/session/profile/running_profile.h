// RunningProfile: what the steps of a profile share: the processes that run the user's code, what has been
// found so far and what that has cost of the budget.
//
// An entry point is asked for inputs of any batch size in one process. A training script has a process for
// each size: it is started with the very edit that would be applied, and stands still after a step while
// another one runs.
#pragma once

#include <limits>
#include <map>
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

  // Starts a process and loads the user's code into it, recording from before that to this file.
  Attempt<Loaded> load(std::string_view recording);
  // Of a script: the same with another batch size than it has.
  Attempt<Done> load_with(int64_t batch_size, std::string_view recording);
  bool is_fresh_process() const { return worker_->is_fresh_process(); }
  bool is_script() const { return result.loaded.is_script; }
  // Of a script: from now on its process with this batch size is meant, started unless it stands still
  // somewhere.
  Attempt<Done> select(int64_t batch_size);
  // Whether iterations of this size can be had without a new process.
  bool has_process(int64_t batch_size) const;
  // Whether other sizes can be had at all.
  bool has_other_sizes() const { return !is_script() || !result.loaded.other_sizes.empty(); }
  // Whether starts of a script have taken too long for more than the most needful.
  bool has_spent_starts() const { return in_starts_ns_ > options.budget_ns + options.refine_ns; }
  // The process keeps the memory it has freed from now on, and so does one that comes after it.
  Attempt<MemoryKept> keep_memory();
  // The process has died: a new one, as far as the first iteration.
  Attempt<Done> start_again();

  // A script that has ended is started again, but not while it is recorded: then there may be no iterations.
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
  // A script's process that stands still.
  struct Standing {
    std::unique_ptr<Worker> worker;
    bool is_over = false;  // the script has ended
    int64_t resident_bytes = 0;
  };

  Load what_to_load(std::string_view recording, int64_t batch_size) const;
  Attempt<Loaded> load_into(std::string_view recording, int64_t batch_size);
  Attempt<Done> start_with(int64_t batch_size);
  Attempt<Done> start_recorded(int64_t batch_size, std::string_view recording);
  void make_room();
  void put_aside();
  void keep_usual(Iterated& iterated) const;
  Attempt<Iterated> take_turn(int64_t batch_size, int64_t count, int64_t limit_ns);

  const StartWorker& start_worker_;
  const Interruption& interruption_;
  const ProfileObserver& observer_;
  std::unique_ptr<Worker> worker_;
  bool keeps_memory_ = false;
  bool is_recording_ = false;
  // Of a script.
  int64_t in_starts_ns_ = 0;
  int64_t selected_ = 0;  // batch size of worker_; 0: the script's own
  bool is_over_ = false;  // the script has ended in worker_
  int64_t resident_bytes_ = 0;
  std::map<int64_t, Standing> standing_;  // by batch size
};

}  // namespace skyline::session

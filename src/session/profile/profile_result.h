// What one profile has found out so far; it grows while the profile runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "session/batch/batch_choice.h"
#include "session/batch/batch_model.h"
#include "session/batch/capacity.h"
#include "session/profile/timing.h"
#include "session/worker_messages.h"
#include "trace/trace.h"

namespace skyline::session {

// One batch size that was run.
struct BatchMeasurement {
  int64_t batch_size = 0;
  IterationTime time;
  std::vector<int64_t> durations_ns;  // in the order in which they ran
  // Medians of the times it was run, between which other sizes were: a machine is faster and slower for
  // seconds at a time, which iterations in a row do not show.
  std::vector<int64_t> visits_ns;
  std::vector<int64_t> visit_faults;  // page faults of an iteration in each of them
  std::vector<int64_t> steady_ns;  // those in turns, or all if they are few, at the level of the first of all
  double level = 1;                // what `time` is to be multiplied with, to be at that level
  int64_t page_faults = 0;         // when it was timed first, in all iterations
  bool is_kept_later = false;      // a second visit before all turns, in a process that keeps freed memory
  int64_t batches = 1;             // in an iteration, where a script accumulates gradients
  int64_t data_ns = 0;             // of all durations, waiting for DataLoaders
  int64_t peak_bytes = 0;          // in torch's allocator
  int64_t resident_bytes = 0;      // of the whole process, at most
};

struct BatchFailure {
  int64_t batch_size = 0;
  std::string sentence;
};

// How time and memory depend on the batch size.
struct BatchModels {
  BatchModel time_ns;
  BatchModel peak_bytes;
  BatchModel resident_bytes;
  BatchLimit largest;        // that fits the capacity
  ThroughputPeak peak;       // up to the largest that fits
  bool is_verified = false;  // the largest has been run
  bool is_on_cpu = true;

  // On the CPU the whole process must fit; on a device what torch has allocated there.
  const BatchModel& memory_that_must_fit() const { return is_on_cpu ? resident_bytes : peak_bytes; }

  // Why the largest should not be relied upon. What has been run needs no model.
  BatchDoubt doubt_of_largest() const {
    return is_verified ? BatchDoubt::kNone : memory_that_must_fit().doubt();
  }
};

// Where the time of one recorded iteration goes.
struct TimeBreakdown {
  const Trace& trace() const { return analyzed->trace(); }

  std::shared_ptr<const analyze::AnalyzedTrace> analyzed;
  analyze::Breakdown breakdown;
};

// Where the memory goes: recorded from before the model was made, in an iteration that has settled.
struct MemoryBreakdown {
  const Trace& trace() const { return analyzed->trace(); }

  std::shared_ptr<const analyze::AnalyzedTrace> analyzed;
  analyze::MemoryAtPeak peak;
  analyze::MemoryTree modules;
  std::vector<analyze::MemoryLine> lines;
};

struct ProfileResult {
  // What was run.
  Loaded loaded;
  std::string source_hash;  // of the project's files that were run, and their names
  int64_t batch_size = 0;
  bool in_fresh_process = false;

  // How long an iteration takes. Recording is off meanwhile.
  std::optional<BatchMeasurement> measured;
  bool is_timed = false;            // as well as the budget allows; else the number is a first one
  std::vector<int64_t> warm_up_ns;  // iterations before, without compilation
  int64_t compile_ns = 0;           // by torch.compile
  int64_t tokens = 0;               // in a batch; 0: the input is not a sequence of token ids

  std::shared_ptr<const TimeBreakdown> time;
  std::shared_ptr<const MemoryBreakdown> memory;
  MemoryCapacity capacity;

  // How both depend on the batch size; the first sample is of the own one.
  std::vector<BatchMeasurement> samples;
  std::vector<BatchMeasurement> held_out;  // not shown to the models
  std::vector<BatchFailure> failures;
  std::optional<BatchModels> models;

  bool is_complete = false;
  int64_t spent_ns = 0;  // in iterations, without compilation

  int64_t samples_per_iteration() const;  // more than a batch, where a script accumulates gradients
  double data_share() const;              // of the iterations, waiting for DataLoaders
  double samples_per_second() const;
  double tokens_per_second() const;
};

// Fills steady_ns and level of all of them, which brings them to the level of the first sample's first visit:
// to the machine's usual pace, and to a process that keeps freed memory no better than the user's
// (page_faults.h). Both are learnt from the samples alone.
void level_visits(std::vector<BatchMeasurement>& samples, std::vector<BatchMeasurement>& held_out);

// Its visits as they are to be judged: at a steady pace, if there are enough of them to tell that.
const std::vector<int64_t>& steady_visits(const BatchMeasurement& measured);

// What the model of time learns of it: the median of its visits and how far they lie apart.
BatchSample time_sample(const BatchMeasurement& measured);

// Tokens in a batch, if the first input is a sequence of token ids: whole numbers in at least two dimensions.
int64_t tokens_in(const std::vector<InputTensor>& inputs);

// One hash for all files and their names.
std::string hash_of_sources(const std::vector<SourceFileHash>& files);

// The largest sum of live bytes in torch's allocator during the last step, on the device that has the most.
int64_t peak_of_last_step(const Trace& trace);

}  // namespace skyline::session

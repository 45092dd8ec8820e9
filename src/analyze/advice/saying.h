// How rules put what they found: one shape of sentence for all, and one of gains.
#pragma once

#include <string>
#include <string_view>

#include "analyze/advice/training_facts.h"

namespace skyline::analyze {

std::string time_text(int64_t time_ns);             // "59.3 ms"
std::string bytes_text(int64_t bytes);              // "4.0 MiB"
std::string place_text(const FindingPlace& place);  // " (train.py:12)"; empty if it is not known

// Less of the step is a note, no advice.
inline constexpr double kWorthSaying = 0.01;

struct Saying {
  std::string_view id;
  std::string what;  // behind "34 % of the step "
  std::string cure;  // before "saves up to …"; what to do
  FindingPlace place = {};
  IntervalSet claims = {};
  int64_t time_ns = 0;  // per step, of what was found
  int64_t gain_ns = 0;  // per step, at most
  Confidence confidence = Confidence::kHigh;
  std::vector<std::string_view> figures = {};
  std::vector<SliceId> slices = {};
  int64_t count = 0;
};

// "34 % of the step waits for batches (train.py:12): num_workers > 0 saves up to 59.3 ms."
Finding found_time(const TrainingFacts& facts, Saying saying);
// The same of operators: place, claims, time and count are those of their work.
Finding found_work(const TrainingFacts& facts, const Work& work, Saying saying);

Finding not_found(std::string_view id, std::string sentence);
// "… cannot be judged: …"; the sentence says what is missing, the cure how to record it.
Finding cannot_judge(std::string_view id, std::string sentence, std::string cure);

inline constexpr std::string_view kSampleCure =
    "Record with skyline run, or with skyline.profile(samples_hz=100).";
inline constexpr std::string_view kShapesCure = "Record with record_shapes=True.";
inline constexpr std::string_view kMemoryCure = "Record with profile_memory=True.";

}  // namespace skyline::analyze

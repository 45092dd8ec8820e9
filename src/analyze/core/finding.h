// Finding: what is wrong, or could be better, and what to do about it. One type for all advice, whether it is
// about the training or about its recording, and for pages, reports and editors alike.
// analyze/advice/rules.cpp lists the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/core/analysis.h"
#include "analyze/core/intervals.h"

namespace skyline::analyze {

enum class FindingState : uint8_t {
  kFound,
  kNotFound,     // the sentence says what was looked at and is in order
  kCannotJudge,  // the sentence says what is missing
};

enum class FindingSeverity : uint8_t {
  kNote,    // worth knowing
  kAdvice,  // the training could be faster or need less memory
  kWrong,   // some figure would be wrong
};

// Where it is. Each part may be unknown: empty, 0 or none.
struct FindingPlace {
  std::string file;
  int64_t line = 0;
  std::string module;
  std::string op;
  std::vector<int64_t> ranks;
};

// What it rests on: figures by name, and slices to look at in the timeline.
struct FindingEvidence {
  std::vector<std::string_view> figures;
  std::vector<SliceId> slices;
};

// What following the advice would save, per step.
struct FindingGain {
  enum class Origin : uint8_t {
    kEstimated,  // from what was recorded
    kTried,      // measured with the change made
  };
  int64_t time_ns = 0;
  int64_t low_ns = 0, high_ns = 0;  // the interval in which it is believed to be
  Origin origin = Origin::kEstimated;
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

// A change in a file that an editor can make.
struct FindingEdit {
  std::string file;
  int64_t line = 0;  // the first that is replaced
  std::string before, after;
};

struct Finding {
  std::string_view id;  // "kernels.unlinked": that of its rule
  FindingState state = FindingState::kFound;
  FindingSeverity severity = FindingSeverity::kNote;
  int64_t count = 0;          // how often it was seen
  std::string sentence = {};  // for people
  std::string cure = {};      // what to do, or to switch on next time; empty when nothing
  FindingPlace place = {};
  FindingEvidence evidence = {};
  std::optional<FindingGain> gain = {};
  Confidence confidence = Confidence::kHigh;
  std::optional<FindingEdit> edit = {};
  std::string_view doc_page = {};  // below docs/; empty: none
  // The moments that following it could save, on the host or on the device: what two findings share, one of
  // them explains. Empty: it is not about time.
  IntervalSet claims = {};
};

using Findings = std::vector<Finding>;

}  // namespace skyline::analyze

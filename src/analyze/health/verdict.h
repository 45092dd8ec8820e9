// The verdict: what is this step waiting for?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

enum class WaitsFor : uint8_t { kInput, kHost, kDevice, kCommunication, kUnknown };

struct VerdictPart {
  std::string_view name;  // "device compute", "communication", "copy", "input", "host", …
  std::string_view definition;
  int64_t time_ns;
};

struct Verdict {
  WaitsFor waits_for;
  double share;          // of the judged time, 0–1; 0 when unknown
  std::string sentence;  // for people
  int64_t judged_ns;     // the time the parts add up to, exactly
  std::vector<VerdictPart> parts;
};

Verdict judge(const AnalyzedTrace& analyzed);

// The verdict as a finding: its sentence, or what is missing for one.
void rule_waits_for(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze

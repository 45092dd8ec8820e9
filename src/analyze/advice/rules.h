// All rules, one line each in rules.cpp, and what they find. A new rule is a function with its tests, and a
// line there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyze/advice/live_evidence.h"
#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

enum class RuleTopic : uint8_t {
  kTraining,   // what the training waits for, and what would make it faster
  kRecording,  // whether the figures are right, and what could be recorded next time
};

struct Rule {
  std::string_view name;
  RuleTopic topic;
  std::string_view question;
  // One of these is set: what the rule goes by.
  void (*ask_trace)(const AnalyzedTrace&, Findings&) = nullptr;
  void (*ask_live)(const LiveEvidence&, Findings&) = nullptr;
};

std::span<const Rule> rules();

// What the rules of a topic find, in their order. A rule whose question makes no sense for this trace adds
// nothing.
Findings find_findings(const AnalyzedTrace& analyzed, RuleTopic topic);

// The same for what a live session has tried out.
Findings find_live_findings(const LiveEvidence& evidence);

}  // namespace skyline::analyze

#include "analyze/advice/rules.h"

#include "analyze/advice/live_rules.h"

namespace skyline {

Findings find_live_findings(const LiveEvidence& evidence) {
  Findings findings;
  if (evidence.page_faults) findings.push_back(rule_page_faults(*evidence.page_faults));
  if (evidence.batch) findings.push_back(rule_batch_size(*evidence.batch));
  return findings;
}

}  // namespace skyline

// What a profile has tried out, as the rules of analyze/advice want it.
#pragma once

#include "analyze/analyze.h"
#include "session/profile/profile_result.h"

namespace skyline::session {

analyze::LiveEvidence live_evidence(const ProfileResult& result);

}  // namespace skyline::session

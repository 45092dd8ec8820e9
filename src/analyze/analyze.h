// The door of analyze: a Trace goes in; named figures, tables, a verdict and a health report come out; many
// ranks make a Run.
#pragma once

#include "analyze/advice/rules.h"
#include "analyze/core/analysis.h"
#include "analyze/core/analyzed_trace.h"
#include "analyze/core/open_table.h"
#include "analyze/core/recorded.h"
#include "analyze/core/step_window.h"
#include "analyze/health/health.h"
#include "analyze/health/verdict.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/curve.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/flame.h"
#include "analyze/places/forward_calls.h"
#include "analyze/places/program_lines.h"
#include "analyze/places/user_files.h"
#include "analyze/ranks/run.h"
#include "analyze/timeline/timeline.h"

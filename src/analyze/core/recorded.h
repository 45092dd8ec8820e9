// What was recorded at all: the questions that come before every judgement.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "trace/trace.h"

namespace skyline::analyze {

// Operators, annotations, Python frames or runtime calls.
bool has_host_events(const Trace& trace);

// Operators, annotations or Python frames: what tells why the host did something.
bool has_host_ranges(const Trace& trace);

// Calls of operators, wherever; ranges that torch puts around them are none.
bool has_operators(const Trace& trace);

// `skyline run` has watched the program (trace/marks.h), whoever recorded it.
bool has_own_marks(const Trace& trace);

// Skyline's own recorder made it, or `skyline run` had it made.
bool is_own_recording(const AnalyzedTrace& analyzed);

// Calls that put a kernel on a device; copies and sets aside.
bool starts_a_kernel(std::string_view call_name);

// An operator or range that shows a device at work, in a trace that has no device activities; none
// when there is no such sign.
SliceId sign_of_unrecorded_device(const Trace& trace);

// Whether slices of unknown categories stand elsewhere than on threads of the host: they may be anybody's
// work.
bool has_unknown_work(const Trace& trace);

}  // namespace skyline::analyze

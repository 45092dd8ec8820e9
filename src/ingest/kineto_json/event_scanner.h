// Reads one event of traceEvents. This is where a gigabyte of trace spends its time.
#pragma once

#include "ingest/kineto_json/raw_event.h"

namespace skyline::ingest::kineto_json {

enum class ScanStatus : uint8_t { kOk, kIncomplete, kMalformed };

struct ScanResult {
  ScanStatus status;
  const char* position;  // kOk: behind the event; otherwise where reading stopped
};

// `p` stands on the event's '{'. Any layout and order of keys; of keys that occur twice the last
// wins, as everywhere in JSON. The text must be padded (scan.h).
ScanResult scan_event(const char* p, const char* end, RawEvent& event);

}  // namespace skyline::ingest::kineto_json

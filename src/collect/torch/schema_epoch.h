// Since when operators' schemas have stood where they do, so that one can be known by its place.
#pragma once

#include <atomic>
#include <cstdint>

namespace skyline::collect {

// Changes whenever an operator is taken away, as another one's schema may stand in its place afterwards.
extern std::atomic<uint32_t> schema_epoch;

// Once, before it is used.
void watch_schemas();

}  // namespace skyline::collect

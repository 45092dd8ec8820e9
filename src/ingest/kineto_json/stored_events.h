#pragma once

#include "ingest/text/text_source.h"
#include "trace/args_source.h"

namespace skyline::ingest {

// Events of JSON text, fetched from a store of it.
std::unique_ptr<ArgsSource> stored_events(std::unique_ptr<TextStore> store);

// The store behind such a source; nullptr for any other kind.
const TextStore* store_behind(const ArgsSource& args);

}  // namespace skyline::ingest

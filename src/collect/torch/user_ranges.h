// Ranges of the user's own (record_function): unlike operators, these may overlap, end on another thread, or
// be open when the recording ends. So each is kept by torch, as the context of its observer.
#pragma once

#include <ATen/record_function.h>

#include <cstdint>
#include <memory>

#include "collect/log/thread_log.h"

namespace skyline::collect::user_ranges {

// nullptr: it is not recorded.
std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) noexcept;
void end(at::ObserverContext& context) noexcept;

// When nobody records any more: those of this recording that have not ended are written into `log` as far as
// they came.
void cut_open(ThreadLog& log, uint64_t session, uint64_t now);

// Around fork().
void lock();
void unlock();

}  // namespace skyline::collect::user_ranges

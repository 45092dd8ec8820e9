// One profile of an entry point: it is loaded, warmed up, timed, recorded and run with other batch sizes.
#pragma once

#include <functional>
#include <memory>

#include "session/process/worker.h"
#include "session/profile/profile_options.h"
#include "session/profile/profile_result.h"

namespace skyline::session {

// Hears of everything that becomes known.
struct ProfileObserver {
  std::function<void(const Progress&)> progress;
  std::function<void(const ProfileResult&)> result;
};

// Makes a worker for it. Called again when one has died of a batch size.
using StartWorker = std::function<Attempt<std::unique_ptr<Worker>>()>;

Attempt<ProfileResult> run_profile(const ProfileOptions& options, const StartWorker& start_worker,
                                   const Interruption& interruption, const ProfileObserver& observer);

}  // namespace skyline::session

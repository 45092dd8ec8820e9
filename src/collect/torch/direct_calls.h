// Operators, without torch's observers in between.
//
// For each operator that is observed torch collects its observers, makes a guard with room for whatever they
// might ask, walks through them at the beginning and at the end, and takes the guard apart: more work than
// recording it. While nobody else observes a thread all that is needed is the recorder. So torch's steps are
// replaced (torch_steps.h), and here it is decided for each operator whether torch's own are taken after all,
// with ours among the observers, or the short way.
//
//   torch's step            the short way
//   step_callbacks          says that somebody observes, and whether inputs are wanted
//   construct               marks the guard, which stays empty otherwise
//   run, before             begin_range()
//   destroy                 end_range()
//
// Nobody gets this who has not asked for it (Options::direct), and only in builds of torch that were tried
// (the Python package has the list). The first operators of a process go torch's way and are compared
// (direct_trial.h); the short way opens when they agree, and never if one differs. When the recording stops
// torch gets its own steps back, those that end operators as soon as none is left that has begun with us.
//
// The range that the autograd engine puts around each backward function is known by where it is made; its
// name, which torch would put together each time, by the function's class.
#pragma once

#include <ATen/record_function.h>

#include <string_view>

namespace skyline::collect::direct_calls {

// From now on, for this recording. `observer` is known to torch as well; it is always the same. `alone`:
// nobody else observes all threads.
void begin(at::StepCallbacks::StartEndPair observer, bool alone);
// True: the short way was open until now.
bool end();
// After end(), when every thread has seen it: torch takes its own steps again.
void undo();
// Why the short way was closed, if it was asked for.
std::string_view why_not();

// An observer of ours has come or gone: torch tells each thread at its next operator, under a lock.
void observers_changed();

// Around fork(), so that its child does not inherit that lock from a thread that does not exist there.
void lock_for_fork();
void unlock_after_fork();

// In the child of a fork(): torch's lock on observers may have been held by a thread that does not exist
// here, so ours stays, but is not called at operators.
void leave();

// After torch has told our observer of a beginning: learns from it who else observes, and what the engine's
// ranges are like.
void learn(const at::RecordFunction& guard);

}  // namespace skyline::collect::direct_calls

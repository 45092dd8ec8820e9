#include "session/session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <chrono>
#include <map>

#include "base/sha256.h"
#include "session/prepared_python.h"
#include "session/process.h"
#include "session/scratch_folder.h"
#include "session/watch_files.h"

namespace skyline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kNoticeNs = 500'000'000;  // between two notices that a phase lasts

int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

}  // namespace

class Session::Loop {
 public:
  Loop(SessionOptions options, SessionListener listener)
      : options_(std::move(options)),
        listener_(std::move(listener)),
        python_(options_.python, options_.cache_folder, options_.profile.project_root),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  Status run() {
    SKYLINE_TRY(ScratchFolder scratch, ScratchFolder::make(options_.scratch_folder));
    options_.profile.folder = scratch.path();
    SKYLINE_TRY(FileWatcher watcher, FileWatcher::start(options_.profile.project_root,
                                                        {.is_polling_forced = options_.watch_by_polling}));
    watcher_ = &watcher;
    notify();
    while (!is_stopping_) {
      SKYLINE_TRY(const bool ready, python_.make_ready([this] { return wait_for_python(); }));
      if (!ready) break;
      profile();
      if (view_.result != nullptr) learn(view_.result->loaded.modules);
      if (options_.once) break;
      while (!is_wanted()) wait();
    }
    python_.end();
    return Done{};
  }

  void wake(std::atomic<bool>& flag) {
    flag = true;
    const uint64_t one = 1;
    static_cast<void>(!::write(wake_.get(), &one, sizeof(one)));
  }

  std::atomic<bool> is_stopping_ = false, is_asked_ = false, is_cancelled_ = false, is_unsaved_ = false,
                    has_notice_ = false;

 private:
  bool wait_for_python() {
    view_.state = SessionState::kStarting;
    if (const std::string said = python_.last_words(); said != view_.note) {
      view_.note = said;
      notify();
    }
    wait();
    return !is_stopping_;
  }

  void learn(const std::vector<std::string>& modules) {
    if (options_.once) {
      python_.remember(modules);  // the next session will have them
    } else {
      python_.learn(modules);
    }
  }

  // ---- One profile. -----------------------------------------------------------------------------

  void profile() {
    is_asked_ = is_cancelled_ = false;
    ++view_.save;
    view_.changed = std::exchange(pending_, {});
    view_.state = SessionState::kProfiling;
    view_.trouble.reset();
    view_.note.clear();
    view_.is_stale = view_.result != nullptr;
    notify();
    Attempt<ProfileResult> outcome = run_in(python_.zygote());
    if (!outcome.ok() && outcome.error().kind == Trouble::Kind::kStalled) {
      view_.note = "ran in a fresh process, because the copy of the prepared one did nothing";
      outcome = run_in(nullptr);
    }
    if (outcome.ok()) {
      take_result(outcome.value());
    } else if (outcome.error().kind != Trouble::Kind::kInterrupted) {
      view_.trouble = outcome.error();
    } else if (is_cancelled_) {
      view_.note = "cancelled";
    }
    view_.state = SessionState::kIdle;
    notify();
  }

  Attempt<ProfileResult> run_in(Zygote* zygote) {
    Interruption interruption;
    interruption.descriptors = {wake_.get(), watcher_->descriptor()};
    interruption.is_due = [this] { return is_wanted(); };
    interruption.patience_ns = options_.patience_ns;
    interruption.on_wait = [this] { tell_of_long_phase(); };
    const ProfileObserver observer = {[this](const Progress& progress) { take_progress(progress); },
                                      [this](const ProfileResult& result) {
                                        if (result.measured) take_result(result);
                                      }};
    const StartWorker start = [&] { return Worker::start(python_.launch(), zygote); };
    return run_profile(options_.profile, start, interruption, observer);
  }

  void take_progress(const Progress& progress) {
    if (progress.phase != view_.progress.phase) phase_begin_ = last_notice_ = Clock::now();
    view_.progress = progress;
    view_.in_phase_ns = since(phase_begin_);
    notify();
  }

  // One iteration may take a minute: that time passes is news as well.
  void tell_of_long_phase() {
    if (since(last_notice_) < kNoticeNs) return;
    last_notice_ = Clock::now();
    view_.in_phase_ns = since(phase_begin_);
    notify();
  }

  void take_result(const ProfileResult& result) {
    view_.result = std::make_shared<const ProfileResult>(result);
    view_.result_save = view_.save;
    view_.is_stale = false;
    notify();
  }

  // ---- Waiting. ---------------------------------------------------------------------------------

  // Whether something is to be done: to stop, or to profile what was saved or asked for.
  bool is_wanted() {
    uint64_t count = 0;
    static_cast<void>(!::read(wake_.get(), &count, sizeof(count)));
    for (std::string& path : watcher_->changed()) {
      if (is_news(path)) pending_.push_back(std::move(path));
    }
    if (has_notice_.exchange(false)) {
      view_.is_unsaved = is_unsaved_;
      notify();
    }
    // There may be nothing to cancel; then it is no wish that waits for the next profile.
    const bool is_cancelled = view_.state == SessionState::kProfiling && is_cancelled_;
    return is_stopping_ || is_asked_ || is_cancelled || (!pending_.empty() && !options_.once);
  }

  // A save that changes nothing is a wish to see it again; but a program that writes the same file in every
  // run must not begin the next one.
  bool is_news(const std::string& path) {
    const std::string hash = sha256(read_file(path));
    const bool is_same = std::exchange(hashes_[path], hash) == hash;
    return !is_same || view_.state != SessionState::kProfiling;
  }

  void wait() {
    pollfd waiting[] = {
        {wake_.get(), POLLIN, 0}, {watcher_->descriptor(), POLLIN, 0}, {python_.descriptor(), POLLIN, 0}};
    ::poll(waiting, std::size(waiting), 500);
    if (python_.zygote() != nullptr) python_.zygote()->hear();  // or it would be readable for ever
  }

  void notify() const {
    if (listener_) listener_(view_);
  }

  SessionOptions options_;
  SessionListener listener_;
  PreparedPython python_;
  Descriptor wake_;
  FileWatcher* watcher_ = nullptr;
  SessionView view_;
  std::map<std::string, std::string> hashes_;  // of files that have changed, by path
  std::vector<std::string> pending_;           // files that changed since the last profile began
  Clock::time_point phase_begin_ = Clock::now(), last_notice_ = phase_begin_;
};

Session::Session(SessionOptions options, SessionListener listener)
    : loop_(std::make_unique<Loop>(std::move(options), std::move(listener))) {}

Session::~Session() = default;

Status Session::run() { return loop_->run(); }
void Session::stop() { loop_->wake(loop_->is_stopping_); }
void Session::profile_again() { loop_->wake(loop_->is_asked_); }
void Session::cancel() { loop_->wake(loop_->is_cancelled_); }
void Session::set_unsaved(bool is_unsaved) {
  loop_->is_unsaved_ = is_unsaved;
  loop_->wake(loop_->has_notice_);
}

}  // namespace skyline

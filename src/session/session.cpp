#include "session/session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <chrono>

#include "session/process/prepared_python.h"
#include "session/process/process.h"
#include "session/process/run_doings.h"
#include "session/process/scratch_folder.h"
#include "session/profile/profile.h"
#include "session/project/watch_files.h"
#include "session/saves.h"

namespace skyline::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kNoticeNs = 500'000'000;  // between two notices that a phase lasts

std::string output_log(const SessionOptions& options) { return options.profile.folder + "/output.log"; }

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
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        saves_(options_.profile.project_root) {}

  Status run() {
    SKYLINE_TRY(ScratchFolder scratch, ScratchFolder::make(options_.scratch_folder));
    options_.profile.folder = scratch.path();
    SKYLINE_TRY(FileWatcher watcher, FileWatcher::start(options_.profile.project_root,
                                                        {.is_polling_forced = options_.watch_by_polling}));
    SKYLINE_TRY(RunDoings doings, RunDoings::make());
    watcher_ = &watcher;
    doings_ = &doings;
    notify();
    while (!is_stopping_) {
      SKYLINE_TRY(const bool ready, python_.make_ready([this] { return wait_for_python(); }));
      if (!ready) break;
      profile();
      if (view_.result != nullptr) learn(view_.result->loaded.modules);
      if (options_.once) break;
      while (!is_wanted()) rest();
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
    if (view_.state != SessionState::kStarting) take_progress({"starting Python", 0});
    view_.state = SessionState::kStarting;
    if (const std::string said = python_.last_words(); said != view_.note) {
      view_.note = said;
      notify();
    }
    tell_of_long_phase();
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
    view_.changed = saves_.take_all();
    view_.state = SessionState::kProfiling;
    view_.trouble.reset();
    remark_.clear();
    view_.note = saves_.note();
    view_.is_stale = view_.result != nullptr;
    take_progress({"loading", 0});
    saves_.begin_run();
    Attempt<ProfileResult> outcome = run_prepared();
    if (!outcome.ok() && outcome.error().kind == Trouble::Kind::kStalled) {
      remark_ = "ran in a fresh process, because the copy of the prepared one did nothing";
      outcome = run_in(nullptr);
    }
    take_changes(watcher_->changed_by_now());
    saves_.end_run();
    if (outcome.ok()) {
      take_result(outcome.value());
    } else if (outcome.error().kind != Trouble::Kind::kInterrupted) {
      view_.trouble = explained(outcome.error());
    } else if (is_cancelled_) {
      remark_ = "cancelled";
    }
    update_note();
    view_.state = SessionState::kIdle;
    notify();
  }

  // If the prepared Python turns out to be gone before it could be copied, in a copy of the next one.
  Attempt<ProfileResult> run_prepared() {
    has_begun_ = false;
    Attempt<ProfileResult> outcome = run_in(python_.zygote());
    if (outcome.ok() || has_begun_ || !python_.is_lost()) return outcome;
    const std::string remark = how_python_went();
    const Result<bool> ready = python_.make_ready([this] { return wait_for_python(); });
    if (!ready.ok()) return Trouble{Trouble::Kind::kOurs, ready.error().sentence};
    if (!ready.value()) return Trouble{Trouble::Kind::kInterrupted, "interrupted"};
    remark_ = remark;
    view_.state = SessionState::kProfiling;
    return run_in(python_.zygote());
  }

  Attempt<ProfileResult> run_in(Zygote* zygote) {
    Interruption interruption;
    interruption.descriptors = {wake_.get(), watcher_->descriptor(), doings_->descriptor()};
    interruption.is_due = [this] { return is_wanted(); };
    interruption.patience_ns = options_.patience_ns;
    interruption.on_wait = [this] { tell_of_long_phase(); };
    const ProfileObserver observer = {[this](const Progress& progress) { take_progress(progress); },
                                      [this](const ProfileResult& result) {
                                        if (result.measured) take_result(result);
                                      }};
    const StartWorker start = [&] {
      // The first one runs the user's own batch size: what it prints is kept.
      const std::string log = has_begun_ ? "" : output_log(options_);
      auto worker = Worker::start(python_.launch(), zygote, doings_->theirs(), log);
      has_begun_ |= worker.ok();
      return worker;
    };
    return run_profile(options_.profile, start, interruption, observer);
  }

  // "Python was killed (SIGKILL)": what has become of the one that was prepared.
  std::string how_python_went() const {
    const ProcessEnd& end = python_.zygote()->end();
    const std::string how = end.signal.empty()    ? fmt::format("ended (exit code {})", end.code)
                            : is_stop(end.signal) ? fmt::format("was stopped ({})", end.signal)
                                                  : fmt::format("was killed ({})", end.signal);
    return fmt::format("the prepared Python {}; it was started again", how);
  }

  // Of code that ended because of what it, or somebody else, did to its parent.
  Trouble explained(Trouble trouble) const {
    const std::string again = python_.is_lost() && !options_.once ? "; it was started again" : "";
    if (trouble.kind != Trouble::Kind::kEnded) return trouble;
    if (const std::optional<KillsParent>& kill = saves_.kill()) {
      trouble.sentence = fmt::format("your code {} its parent process ({}){}",
                                     is_stop(kill->signal) ? "stopped" : "killed", kill->signal, again);
      trouble.path = kill->path;
      trouble.line = kill->line;
    } else if (python_.is_lost()) {
      trouble.sentence += fmt::format(": {}", how_python_went());
    }
    return trouble;
  }

  static bool is_stop(std::string_view signal) { return signal == "SIGSTOP" || signal == "SIGTSTP"; }

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
    view_.output_log = result.loaded.is_script ? output_log(options_) : "";
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
    take_changes(watcher_->changed());
    if (has_notice_.exchange(false)) {
      view_.is_unsaved = is_unsaved_;
      notify();
    }
    // There may be nothing to cancel; then it is no wish that waits for the next profile.
    const bool is_cancelled = view_.state == SessionState::kProfiling && is_cancelled_;
    return is_stopping_ || is_asked_ || is_cancelled || (saves_.has_any() && !options_.once);
  }

  // What the code has announced is heard after the changes are known: it announces them first.
  void take_changes(const std::vector<FileChange>& changes) {
    for (const Doing& doing : doings_->take()) saves_.receive(doing);
    saves_.take(changes, view_.progress.phase);
    update_note();
  }

  void update_note() {
    if (view_.state == SessionState::kStarting) return;  // it has words of its own
    const std::string files = saves_.note();
    view_.note = remark_ + (remark_.empty() || files.empty() ? "" : "; ") + files;
  }

  void wait() {
    pollfd waiting[] = {
        {wake_.get(), POLLIN, 0}, {watcher_->descriptor(), POLLIN, 0}, {python_.descriptor(), POLLIN, 0}};
    ::poll(waiting, std::size(waiting), 500);
    if (python_.zygote() != nullptr) python_.zygote()->receive();  // or it would be readable for ever
  }

  // While nothing is to be done; the next save should find a Python that is ready.
  void rest() {
    wait();
    if (!python_.is_lost()) return;
    if (!view_.trouble) remark_ = how_python_went();
    static_cast<void>(python_.is_ready());  // if it cannot be, the next save tells
    update_note();
    notify();
  }

  void notify() const {
    if (listener_) listener_(view_);
  }

  SessionOptions options_;
  SessionListener listener_;
  PreparedPython python_;
  Descriptor wake_;
  FileWatcher* watcher_ = nullptr;
  RunDoings* doings_ = nullptr;
  Saves saves_;
  SessionView view_;
  std::string remark_;      // what is to be said of the profile, besides what saves_ has to say
  bool has_begun_ = false;  // a process for the user's code
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

}  // namespace skyline::session

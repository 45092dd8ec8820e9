#include "collect/sampling/process_part.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "collect/python/frames.h"
#include "collect/sampling/control_page.h"
#include "collect/sampling/stack_walk.h"
#include "collect/sampling/system_counters.h"

namespace skyline::collect::process_part {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kFlushEvery = kSecond / 2;      // what kill -9 may cost
constexpr int64_t kWorkersMayTake = kSecond / 4;  // to write what they have when a recording ends
constexpr int64_t kCountEvery = kSecond / 100;    // at most
constexpr uint64_t kMostPartBytes = uint64_t{128} << 20;
constexpr size_t kMostRows = size_t{1} << 20;  // that wait to be written
constexpr uint32_t kGuardedHz = 1000;          // faster than this is an experiment, whose cost is meant
constexpr int64_t kMostCostShare = 100;        // one of so many nanoseconds

int64_t now_ns() { return read_ns(CLOCK_MONOTONIC); }

// What the program's threads hand in.
class Inbox {
 public:
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  std::atomic<bool> is_open = false;

  template <typename Work>
  void add(Work work) {
    if (!is_open.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    if (rows_.pauses.size() + rows_.ranges.size() + rows_.counters.size() < kMostRows) {
      work(rows_);
    } else {
      ++dropped_;
    }
  }
  // Moves everything behind what `to` has.
  uint64_t take(PartRows& to) {
    PartRows rows;
    uint64_t dropped = 0;
    {
      const std::lock_guard lock(mutex_);
      std::swap(rows, rows_);
      dropped = std::exchange(dropped_, 0);
    }
    const auto move = [](auto& from, auto& into) {
      into.insert(into.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
    };
    move(rows.pauses, to.pauses);
    move(rows.ranges, to.ranges);
    move(rows.counters, to.counters);
    move(rows.settings, to.settings);
    return dropped;
  }

 private:
  std::mutex mutex_;
  PartRows rows_;
  uint64_t dropped_ = 0;
};

Inbox& inbox() {
  static Inbox* const instance = new Inbox;  // threads may outlive static destruction
  return *instance;
}

// One part from its first row to its end, on the thread that writes it.
class Part {
 public:
  Part(PartFile file, uint32_t hz, bool is_worker, std::pair<int64_t, int64_t> renamed)
      : file_(std::move(file)), hz_(hz), is_worker_(is_worker), renamed_(renamed) {
    if (hz_ > 0 && !memory_.works())
      end_sampling("this system lets no process read its own memory: nothing is sampled");
    if (hz_ > 0 && !kHasFrames) end_sampling("the frames of this Python are not known: nothing is sampled");
    begin_ns_ = last_flush_ns_ = last_check_ns_ = now_ns();
    period_ns_ = hz_ == 0 ? kFlushEvery : kSecond / hz_;
    cost_ns_ = first_cost_ns_ = read_ns(CLOCK_THREAD_CPUTIME_ID);
  }

  // One round; how long to wait for the next.
  int64_t work(uint32_t step) {
    if (samples() && !is_over_) sample();
    const int64_t now = now_ns();
    if (step != step_ || now - last_count_ns_ > kFlushEvery) count(step, now);
    if (now - last_flush_ns_ > kFlushEvery) flush(now);
    keep_cheap(now);
    return jittered(period_ns_);
  }

  Outcome finish() {
    count(step_, now_ns());
    flush(now_ns());
    outcome_.cost_ns = static_cast<uint64_t>(read_ns(CLOCK_THREAD_CPUTIME_ID) - first_cost_ns_);
    PartRows last;
    const auto tell = [&](std::string_view key, uint64_t value) {
      last.meta.emplace_back(key, std::to_string(value));
    };
    tell("samples.taken", outcome_.samples);
    tell("samples.torn", outcome_.torn);
    tell("samples.cost_ns", outcome_.cost_ns);
    if (!is_over_) end_with(file_.flush(last, tree_));
    if (!is_over_ && !outcome_.trouble.empty())
      end_with(file_.add_loss("recorder.sampling", 1, outcome_.trouble));
    const uint64_t lost = dropped_ + tree_.refused();
    if (!is_over_ && lost > 0)
      end_with(file_.add_loss("recorder.too_many", lost, "samples or pauses beyond the recorder's memory"));
    if (!is_over_) end_with(file_.finish());
    return outcome_;
  }

  void abandon() { file_.abandon(); }

 private:
  bool samples() const { return hz_ > 0; }

  void sample() {
    const uint64_t ticks = read_ticks();
    walk_.walk_all([&](int64_t thread, StackWalk::Outcome outcome, uint32_t stack) {
      if (thread == 0) return;  // it is being made
      ++outcome_.samples;
      if (outcome == StackWalk::Outcome::kTorn) {
        ++outcome_.torn;
        return;
      }
      if (thread == renamed_.first) thread = renamed_.second;
      if (rows_.samples.size() < kMostRows) rows_.samples.push_back({thread, ticks, stack});
    });
  }

  void count(uint32_t step, int64_t now) {
    step_ = step;
    if (now - last_count_ns_ < kCountEvery) return;
    last_count_ns_ = now;
    counters_.read(read_ticks(), !is_worker_, rows_.counters);
  }

  void flush(int64_t now) {
    last_flush_ns_ = now;
    dropped_ += inbox().take(rows_);
    if (!is_over_) end_with(file_.flush(rows_, tree_));
    rows_ = PartRows();
    if (!is_over_ && file_.bytes() > kMostPartBytes) {
      end_sampling("a part of the recording has reached its limit of " +
                   std::to_string(kMostPartBytes >> 20) + " MiB");
    }
  }

  // Where the walk costs more than it should (very deep stacks, very many threads), it is done less often.
  void keep_cheap(int64_t now) {
    const int64_t wall = now - last_check_ns_;
    if (wall < kSecond || hz_ > kGuardedHz) return;
    const int64_t cost = read_ns(CLOCK_THREAD_CPUTIME_ID);
    if ((cost - cost_ns_) * kMostCostShare > wall) period_ns_ = std::min(period_ns_ * 2, kSecond);
    cost_ns_ = cost;
    last_check_ns_ = now;
  }

  // Half to one and a half times as long: a program that does the same every 10 ms is met everywhere.
  int64_t jittered(int64_t period) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return period / 2 + static_cast<int64_t>((random_ >> 33) % static_cast<uint64_t>(period + 1));
  }

  void end_sampling(std::string why) {
    hz_ = 0;
    if (outcome_.trouble.empty()) outcome_.trouble = std::move(why);
  }
  void end_with(const Status& status) {
    if (status.ok()) return;
    is_over_ = true;
    end_sampling(status.error().sentence);
  }

  PartFile file_;
  uint32_t hz_;
  const bool is_worker_;
  const std::pair<int64_t, int64_t>
      renamed_;  // a thread's number as Python knows it from before the fork, and now
  const OwnMemory memory_;
  const SystemCounters counters_;
  SampleTree tree_;
  StackWalk walk_{memory_, tree_};
  PartRows rows_;
  Outcome outcome_;
  bool is_over_ = false;  // nothing can be written any more
  uint64_t dropped_ = 0;
  uint32_t step_ = 0;
  uint64_t random_ = 0x9e3779b97f4a7c15;
  int64_t period_ns_ = 0, begin_ns_ = 0, last_flush_ns_ = 0, last_check_ns_ = 0, last_count_ns_ = 0;
  int64_t cost_ns_ = 0, first_cost_ns_ = 0;
};

// The thread, and what it was told.
struct Writer {
  bool is_worker = false;
  Pairs meta;
  std::pair<int64_t, int64_t> renamed = {-1, -1};
  std::atomic<bool> is_leaving = false, has_left = false;
  std::unique_ptr<Part> part;  // the thread's own
  Outcome outcome;
  std::thread thread;

  void run() noexcept;
  void follow(ControlPage& page);
  bool begin_part(const ControlPage::Order& order);
  void end_part();
};

// Guarded by the GIL, and by forks happening with it.
Writer* writer = nullptr;

std::string path_of_part(const ControlPage::Order& order, bool is_worker) {
  return order.folder + (is_worker ? "/worker-" : "/trainer-") + std::to_string(::getpid()) + ".part";
}

bool Writer::begin_part(const ControlPage::Order& order) {
  Pairs all = meta;
  all.emplace_back(tracefile::meta::kRecordingId, order.recording);
  all.emplace_back(tracefile::meta::kProcessId, std::to_string(::getpid()));
  all.emplace_back(tracefile::meta::kProcessParent, std::to_string(::getppid()));
  all.emplace_back("samples.hz", std::to_string(order.hz));
  Result<PartFile> file = PartFile::create(path_of_part(order, is_worker), all);
  if (!file.ok()) {
    outcome.trouble = file.error().sentence;
    inbox().is_open = false;
    return false;
  }
  part = std::make_unique<Part>(std::move(file).value(), order.hz, is_worker, renamed);
  inbox().is_open = true;
  return true;
}

void Writer::end_part() {
  inbox().is_open = false;
  outcome = part->finish();
  part.reset();
}

void Writer::follow(ControlPage& page) {
  uint32_t refused = 0;  // a recording whose part cannot be written
  while (!is_leaving.load(std::memory_order_acquire)) {
    const ControlPage::Order order = page.order();
    if (order.number == 0 || order.number == refused) {
      if (!is_worker) return;
      page.wait(page.word(), kSecond);
      continue;
    }
    if (!begin_part(order)) {
      refused = order.number;
      continue;
    }
    if (is_worker) ++page.writing;
    while (page.word() == order.number && !is_leaving.load(std::memory_order_acquire))
      page.wait(order.number, part->work(page.step.load(std::memory_order_relaxed)));
    end_part();
    if (is_worker) --page.writing;
  }
}

void Writer::run() noexcept {
  pthread_setname_np(pthread_self(), "skyline-sampler");
  try {
    follow(*ControlPage::shared());
  } catch (const std::exception& error) {  // no memory
    inbox().is_open = false;
    outcome.trouble = error.what();
  }
  has_left = true;
}

// Signals are for the program's own threads.
void start_thread(Writer& of) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    of.thread = std::thread([&of] { of.run(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// The thread does not exist in the child, and its file is the parent's.
void forget_in_child() {
  inbox().unlock();
  inbox().is_open = false;
  if (writer == nullptr) return;
  if (writer->part != nullptr) writer->part->abandon();
  writer = nullptr;  // left behind: a thread that is gone cannot be joined
}

void watch_forks() {
  static const int done = pthread_atfork([] { inbox().lock(); }, [] { inbox().unlock(); }, forget_in_child);
  static_cast<void>(done);
}

Status start(std::unique_ptr<Writer> fresh) {
  try {
    start_thread(*fresh);
  } catch (const std::exception& error) {
    return Error{std::string("nothing is sampled: ") + error.what()};
  }
  writer = fresh.release();
  return Done{};
}

Outcome stop_thread() {
  if (writer == nullptr) return {};
  writer->is_leaving = true;
  ControlPage::shared()->close();
  writer->thread.join();
  const Outcome outcome = std::move(writer->outcome);
  delete writer;
  writer = nullptr;
  return outcome;
}

}  // namespace

std::string prepare() {
  ControlPage::own();
  return ControlPage::path_of_own();
}

Status attach(const std::string& path) {
  if (ControlPage::attach(path)) return Done{};
  return Error{"the process that has started this one tells nothing at " + path};
}

Status begin(const Order& order) {
  if (writer != nullptr)
    return Error{"this process is being sampled already"};  // a worker keeps its trainer's page
  ControlPage* const page = ControlPage::own();
  if (page == nullptr) return Error{"there is no memory for sampling"};
  if (order.folder.size() >= ControlPage::kLongestFolder)
    return Error{"the path " + order.folder + " is too long for sampling"};
  watch_forks();
  auto fresh = std::make_unique<Writer>();
  fresh->meta = order.meta;
  page->open(order.hz, order.folder, order.recording);
  inbox().is_open = true;  // from here on, though the part begins a moment later
  Status status = start(std::move(fresh));
  if (!status.ok()) {
    inbox().is_open = false;
    page->close();
  }
  return status;
}

Outcome end() {
  if (writer == nullptr || writer->is_worker) return {};
  ControlPage& page = *ControlPage::shared();
  Outcome outcome = stop_thread();
  const int64_t until = now_ns() + kWorkersMayTake;
  while (page.writing.load() > 0 && now_ns() < until) ::usleep(1000);
  return outcome;
}

Status join(const Pairs& meta) {
  ControlPage* const page = ControlPage::shared();
  if (page == nullptr || writer != nullptr)
    return Error{"this process is being sampled already, or there is no memory for it"};
  watch_forks();
  auto fresh = std::make_unique<Writer>();
  fresh->is_worker = true;
  fresh->meta = meta;
  fresh->renamed = {static_cast<int64_t>(PyThreadState_Get()->native_thread_id), ::syscall(SYS_gettid)};
  return start(std::move(fresh));
}

void leave() {
  if (writer == nullptr || !writer->is_worker) return;
  writer->is_leaving = true;
  while (!writer->has_left.load()) {  // it may be about to wait
    ControlPage::shared()->wake();
    ::usleep(500);
  }
  writer->thread.join();
  delete writer;
  writer = nullptr;
}

bool is_writing() { return inbox().is_open.load(std::memory_order_relaxed); }
void add_pause(const PauseRow& row) {
  inbox().add([&](PartRows& rows) { rows.pauses.push_back(row); });
}
void add_range(RangeRow row) {
  inbox().add([&](PartRows& rows) { rows.ranges.push_back(std::move(row)); });
}
void add_settings(Pairs settings) {
  inbox().add([&](PartRows& rows) {
    rows.settings.insert(rows.settings.end(), std::move_iterator(settings.begin()),
                         std::move_iterator(settings.end()));
  });
}
void count_step() {
  if (ControlPage* const page = ControlPage::shared()) ++page->step;
}

}  // namespace skyline::collect::process_part

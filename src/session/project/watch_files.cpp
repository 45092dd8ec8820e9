#include "session/project/watch_files.h"

#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "session/project/folder_events.h"
#include "session/project/project_files.h"

namespace skyline::session {
namespace {

using Clock = std::chrono::steady_clock;

// File systems on which other machines write, or whose server does not tell: their f_type.
constexpr uint32_t kRemote[] = {
    NFS_SUPER_MAGIC,  CIFS_SUPER_MAGIC, SMB_SUPER_MAGIC, SMB2_SUPER_MAGIC, V9FS_MAGIC,
    FUSE_SUPER_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, AFS_FS_MAGIC,     CODA_SUPER_MAGIC,
    0x0bd00bd0,  // Lustre
    0x47504653,  // GPFS
    0x786f4256,  // VirtualBox's shared folders
};

bool is_remote(const std::string& root) {
  struct statfs status;
  if (::statfs(root.c_str(), &status) != 0) return true;
  return std::find(std::begin(kRemote), std::end(kRemote), static_cast<uint32_t>(status.f_type)) !=
         std::end(kRemote);
}

// What changes when a file is written or replaced.
using Look = std::tuple<int64_t, int64_t, uint64_t, int64_t>;
using Looks = std::map<std::string, Look>;

int64_t nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

Looks look(const ProjectFiles& files, size_t& folder_count) {
  Looks looks;
  folder_count = 0;
  files.walk(
      "",
      [&](const std::string&) {
        ++folder_count;
        return true;
      },
      [&](const std::string& file) {
        struct stat status;
        if (::stat(files.absolute(file).c_str(), &status) != 0) return;
        if (!S_ISREG(status.st_mode)) return;  // others' times change when they are used
        looks[file] = {nanoseconds(status.st_mtim), int64_t{status.st_size}, uint64_t{status.st_ino},
                       nanoseconds(status.st_ctim)};
      });
  return looks;
}

void add_differences(const Looks& before, const Looks& after, ChangeCounts& changed) {
  for (const auto& [file, look] : after) {
    const auto old = before.find(file);
    if (old == before.end() || old->second != look) changed.try_emplace(file, kAnyTimes);
  }
  for (const auto& [file, look] : before) {
    if (!after.contains(file)) changed.try_emplace(file, kAnyTimes);
  }
}

// Readable when a moment has come.
class Timer {
 public:
  Timer() : descriptor_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
    CHECK(descriptor_ >= 0);
  }
  ~Timer() { ::close(descriptor_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  int descriptor() const { return descriptor_; }

  // From now; at least a nanosecond, as zero would stop it.
  void set(Clock::duration after) {
    const int64_t ns = std::max<int64_t>(1, std::chrono::nanoseconds(after).count());
    itimerspec time{};
    time.it_value = {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
    CHECK(::timerfd_settime(descriptor_, 0, &time, nullptr) == 0);
  }

  bool has_come() {
    uint64_t times = 0;
    return ::read(descriptor_, &times, sizeof times) == sizeof times;
  }

 private:
  int descriptor_;
};

}  // namespace

class FileWatcher::State {
 public:
  State(std::string root, const WatchOptions& options)
      : options_(options), files_(std::move(root)), all_(::epoll_create1(EPOLL_CLOEXEC)) {
    CHECK(all_ >= 0);
    watch(settle_timer_.descriptor());
    watch(poll_timer_.descriptor());
    if (options.is_polling_forced) {
      poll_because("it was asked for");
    } else if (is_remote(files_.root())) {
      poll_because("the project is on a network file system");
    } else {
      events_.emplace(files_, options.most_folders);
      if (events_->is_working()) {
        watch(events_->descriptor());
      } else {
        poll_because("the kernel's limit of watches is reached");
      }
    }
  }
  ~State() { ::close(all_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  int descriptor() const { return all_; }
  const std::string& why_polling() const { return why_polling_; }
  size_t folder_count() const { return events_ ? events_->folder_count() : folder_count_; }

  std::vector<FileChange> changed() {
    ChangeCounts now;
    if (events_) read_events(now);
    if (!why_polling_.empty() && poll_timer_.has_come()) poll(now);
    const bool is_settled = settle_timer_.has_come();
    if (!now.empty()) {
      if (pending_.empty()) first_change_ = Clock::now();
      add(now);
      settle_timer_.set(
          std::min<Clock::duration>(options_.settle, first_change_ + options_.settle_most - Clock::now()));
      return {};
    }
    return is_settled ? give_out() : std::vector<FileChange>();
  }

  std::vector<FileChange> changed_by_now() {
    ChangeCounts now;
    if (events_) read_events(now);
    if (!why_polling_.empty()) poll(now);
    add(now);
    return give_out();
  }

 private:
  void watch(int descriptor) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
    CHECK(::epoll_ctl(all_, EPOLL_CTL_ADD, descriptor, &event) == 0);
  }

  void read_events(ChangeCounts& now) {
    events_->read(now);
    if (events_->is_working()) return;
    poll_because("the kernel could not tell every change");
    now.try_emplace("", kAnyTimes);
  }

  void poll_because(std::string why) {
    why_polling_ = std::move(why);
    events_.reset();  // closing its descriptor takes it out of all_
    const Clock::time_point begin = Clock::now();
    looks_ = look(files_, folder_count_);
    poll_timer_.set(std::max<Clock::duration>(options_.poll_every, 20 * (Clock::now() - begin)));
  }

  void poll(ChangeCounts& now) {
    const Clock::time_point begin = Clock::now();
    Looks after = look(files_, folder_count_);
    add_differences(looks_, after, now);
    looks_ = std::move(after);
    poll_timer_.set(std::max<Clock::duration>(options_.poll_every, 20 * (Clock::now() - begin)));
  }

  void add(const ChangeCounts& now) {
    for (const auto& [path, times] : now) {
      size_t& sum = pending_[path];
      sum = sum == kAnyTimes || times == kAnyTimes ? kAnyTimes : sum + times;
    }
  }

  std::vector<FileChange> give_out() {
    std::vector<FileChange> changes;
    for (const auto& [path, times] : std::exchange(pending_, {})) {
      changes.push_back({files_.absolute(path), times});
    }
    return changes;
  }

  const WatchOptions options_;
  const ProjectFiles files_;
  int all_;
  Timer settle_timer_, poll_timer_;
  std::optional<FolderEvents> events_;
  std::string why_polling_;
  Looks looks_;
  size_t folder_count_ = 0;
  ChangeCounts pending_;
  Clock::time_point first_change_;
};

FileWatcher::FileWatcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWatcher::FileWatcher(FileWatcher&&) noexcept = default;
FileWatcher& FileWatcher::operator=(FileWatcher&&) noexcept = default;
FileWatcher::~FileWatcher() = default;

Result<FileWatcher> FileWatcher::start(const std::string& root, const WatchOptions& options) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(root.c_str(), nullptr), &std::free);
  struct stat status;
  if (!real || ::stat(real.get(), &status) != 0) {
    return Error{"cannot watch " + root + ": " + std::strerror(errno) +
                 "; name the project's folder with --project-root"};
  }
  if (!S_ISDIR(status.st_mode)) {
    return Error{"cannot watch " + root + ": it is no folder; name the project's folder with --project-root"};
  }
  return FileWatcher(std::make_unique<State>(real.get(), options));
}

int FileWatcher::descriptor() const { return state_->descriptor(); }
std::vector<FileChange> FileWatcher::changed() { return state_->changed(); }
std::vector<FileChange> FileWatcher::changed_by_now() { return state_->changed_by_now(); }
const std::string& FileWatcher::why_polling() const { return state_->why_polling(); }
size_t FileWatcher::folder_count() const { return state_->folder_count(); }

}  // namespace skyline::session

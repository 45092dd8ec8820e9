#include "session/project/folder_events.h"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace skyline::session {
namespace {

// A file counts when it is complete: closed after writing, or renamed to its name, as most editors do.
// IN_CREATE is for folders and links, which are complete at once.
constexpr uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE |
                             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

// Links are complete at once, and nobody will close them.
bool is_link(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && (S_ISLNK(status.st_mode) || status.st_nlink > 1);
}

}  // namespace

FolderEvents::FolderEvents(const ProjectFiles& files, size_t most_folders)
    : files_(files), most_folders_(most_folders), descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  is_working_ = descriptor_ >= 0;
  if (is_working_) add_tree("", nullptr);
}

FolderEvents::~FolderEvents() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FolderEvents::add_folder(const std::string& folder) {
  if (paths_.size() >= most_folders_) return false;
  // The root may be a link, nothing below it.
  const uint32_t mask = folder.empty() ? kEvents & ~uint32_t{IN_DONT_FOLLOW} : kEvents;
  const int watch = ::inotify_add_watch(descriptor_, files_.absolute(folder).c_str(), mask);
  if (watch < 0)
    return !folder.empty() && (errno == ENOENT || errno == ENOTDIR || errno == EACCES);  // gone again
  // A folder keeps its watch when it is renamed.
  if (const auto old = paths_.find(watch); old != paths_.end()) watches_.erase(old->second);
  paths_[watch] = folder;
  watches_[folder] = watch;
  return true;
}

// The watch comes before the listing, so that nothing is missed between the two.
void FolderEvents::add_tree(const std::string& folder, ChangeCounts* changed) {
  is_working_ = files_.walk(
                    folder, [&](const std::string& path) { return add_folder(path); },
                    [&](const std::string& file) {
                      if (changed != nullptr) changed->try_emplace(file, 0);
                    }) &&
                is_working_;
}

void FolderEvents::remove_tree(const std::string& folder) {
  for (auto it = watches_.lower_bound(folder); it != watches_.end() && it->first.starts_with(folder);) {
    if (it->first.size() > folder.size() && it->first[folder.size()] != '/') {
      ++it;  // "models2" is not in "models"
      continue;
    }
    ::inotify_rm_watch(descriptor_, it->second);
    paths_.erase(it->second);
    it = watches_.erase(it);
  }
}

void FolderEvents::read(ChangeCounts& changed) {
  alignas(inotify_event) char buffer[16 * 1024];
  while (is_working_) {
    const ssize_t size = ::read(descriptor_, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    for (const char* at = buffer; at < buffer + size;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      const char* name = at + sizeof event;
      on_event(event.wd, event.mask, event.len > 0 ? std::string(name) : std::string(), changed);
      at = name + event.len;
    }
  }
}

void FolderEvents::on_event(int watch, uint32_t mask, const std::string& name, ChangeCounts& changed) {
  if ((mask & IN_Q_OVERFLOW) != 0) {
    is_working_ = false;
    return;
  }
  const auto folder = paths_.find(watch);
  if (folder == paths_.end()) return;  // of a watch that was removed meanwhile
  const std::string parent = folder->second;
  if ((mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0) {
    if (parent.empty()) {
      is_working_ = false;
    } else if ((mask & IN_MOVE_SELF) == 0) {  // of a move its parent tells, with both names
      watches_.erase(parent);
      paths_.erase(watch);
    }
    return;
  }
  const std::string path = parent.empty() ? name : parent + "/" + name;
  if ((mask & IN_ISDIR) == 0) {
    const bool is_complete = (mask & IN_CREATE) == 0 || is_link(files_.absolute(path));
    if (is_complete && files_.has_file(path)) ++changed[path];
  } else if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) {
    add_tree(path, &changed);
  } else if ((mask & IN_MOVED_FROM) != 0 && watches_.contains(path)) {
    remove_tree(path);
    changed.try_emplace(path, 0);
  }
}

}  // namespace skyline::session

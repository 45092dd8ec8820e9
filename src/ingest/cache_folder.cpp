#include "ingest/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <vector>

#include "base/folder_names.h"

namespace skyline::ingest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".skyline";
constexpr std::string_view kUnfinished = ".part-";  // of OutputFile
constexpr auto kCrashedAfter = std::chrono::hours(1);

constexpr std::string_view kLinkEnding = ".source";
constexpr size_t kHashDigits = 32;

std::string link_of(const std::string& folder, const std::string& identity) {
  return folder + "/" + identity + std::string(kLinkEnding);
}

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Nobody else can have put something there, or in the place of something else.
bool is_ours_alone(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct Entry {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type used;
};

std::vector<Entry> list(const std::string& folder) {
  std::vector<Entry> entries;
  for (const std::string& name : names_if_any(folder)) {
    const fs::path path = fs::path(folder) / name;
    std::error_code gone;  // by another process, meanwhile
    if (!fs::is_regular_file(fs::symlink_status(path, gone))) continue;
    const uint64_t bytes = fs::file_size(path, gone);
    const fs::file_time_type used = gone ? fs::file_time_type() : fs::last_write_time(path, gone);
    if (!gone) entries.push_back({path, bytes, used});
  }
  return entries;
}

// Links whose entry is gone.
void remove_dangling_links(const std::string& folder, const std::set<std::string>& hashes) {
  for (const std::string& name : names_if_any(folder)) {
    const fs::path link = fs::path(folder) / name;
    std::error_code gone;
    if (link.extension() != kLinkEnding || !fs::is_symlink(fs::symlink_status(link, gone))) continue;
    if (!hashes.contains(fs::read_symlink(link, gone).string())) ::unlink(link.c_str());
  }
}

// What stands before the program in "size-hash-program.skyline".
std::string source_of(const std::string& name) { return name.substr(0, name.find('-', name.find('-') + 1)); }

std::string in_a_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
    name += is_plain ? c : '_';
  }
  return name;
}

}  // namespace

CacheFolder::CacheFolder(std::string folder, std::string_view engine)
    : folder_(std::move(folder)), suffix_("-" + in_a_name(engine) + std::string(kEnding)) {}

// Links that lead nowhere: their target is the hash. They appear in one step and hold nothing else.
std::string CacheFolder::known_hash(const std::string& identity) const {
  if (identity.empty()) return {};
  char target[64];
  const ssize_t size = ::readlink(link_of(folder_, identity).c_str(), target, sizeof target);
  const std::string hash(target, size > 0 ? static_cast<size_t>(size) : 0);
  return is_hash(hash) ? hash : std::string();
}

void CacheFolder::remember_hash(const std::string& identity, const std::string& hash) const {
  if (identity.empty()) return;
  const std::string link = link_of(folder_, identity);
  ::unlink(link.c_str());
  if (::symlink(hash.c_str(), link.c_str()) != 0) return;  // then it is computed again next time
}

bool CacheFolder::may_hold(uint64_t source_bytes) const {
  const std::string prefix = std::to_string(source_bytes) + "-";
  for (const std::string& name : names_if_any(folder_)) {
    if (name.starts_with(prefix) && name.ends_with(suffix_)) return true;
  }
  return false;
}

std::string CacheFolder::entry(uint64_t source_bytes, const std::string& hash) const {
  return folder_ + "/" + std::to_string(source_bytes) + "-" + hash + suffix_;
}

bool CacheFolder::is_there(const std::string& entry) const {
  struct stat status;
  return ::lstat(entry.c_str(), &status) == 0 && S_ISREG(status.st_mode) && is_ours_alone(status) &&
         ::stat(folder_.c_str(), &status) == 0 && is_ours_alone(status);
}

bool CacheFolder::prepare() const {
  // One level after the other, so that none is open to others even for a moment.
  for (size_t slash = folder_.find('/', 1);; slash = folder_.find('/', slash + 1)) {
    ::mkdir(folder_.substr(0, slash).c_str(), 0700);
    if (slash == std::string::npos) break;
  }
  struct stat status;
  return ::stat(folder_.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours_alone(status);
}

void CacheFolder::mark_used(const std::string& entry) const {
  ::utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);
}

void CacheFolder::remove(const std::string& entry) const { ::unlink(entry.c_str()); }

void CacheFolder::tidy(const std::string& newest, uint64_t max_bytes) const {
  const std::string newest_name = fs::path(newest).filename().string();
  std::vector<Entry> entries;
  uint64_t sum = 0;
  for (Entry& entry : list(folder_)) {
    const std::string name = entry.path.filename().string();
    const bool is_unfinished = name.find(kUnfinished) != std::string::npos;
    if (!is_unfinished && !name.ends_with(kEnding)) continue;  // not ours to judge
    const bool crashed = is_unfinished && fs::file_time_type::clock::now() - entry.used > kCrashedAfter;
    const bool is_outdated =
        !is_unfinished && name != newest_name && source_of(name) == source_of(newest_name);
    if (crashed || is_outdated) {
      remove(entry.path.string());
    } else if (!is_unfinished) {
      sum += entry.bytes;
      entries.push_back(std::move(entry));
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  std::set<std::string> hashes;
  for (const Entry& entry : entries) {
    if (sum > max_bytes) {
      remove(entry.path.string());
      sum -= entry.bytes;
    } else {
      const std::string source = source_of(entry.path.filename().string());
      hashes.insert(source.substr(source.find('-') + 1));
    }
  }
  remove_dangling_links(folder_, hashes);
}

}  // namespace skyline::ingest

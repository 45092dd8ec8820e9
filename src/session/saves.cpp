#include "session/saves.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/sha256.h"
#include "session/project/project_files.h"
#include "session/project/project_paths.h"
#include "session/project/source_text.h"

namespace skyline::session {
namespace {

constexpr int kMostCuts = 2;            // of runs in a row, by the same file
constexpr size_t kMostNamed = 3;        // files in one note
constexpr size_t kMostLooked = 10'000;  // files that are looked at beforehand

// "runs/version_7/hparams.yaml" and "runs/version_8/hparams.yaml" are written by the same code.
std::string without_numbers(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) text += c;
    if (is_digit && !text.ends_with('#')) text += '#';
  }
  return text;
}

std::string parent_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

Saves::Saves(std::string project_root) : project_root_(std::move(project_root)) {
  size_t count = 0;
  const ProjectFiles files(project_root_);
  files.walk(
      "", [&](const std::string&) { return count < kMostLooked; },
      [&](const std::string& file) {
        ++count;
        if (const auto why = why_left_out(files.absolute(file))) left_out_[files.absolute(file)] = *why;
      });
}

void Saves::begin_run() {
  ++run_;
  is_running_ = true;
  has_programs_ = false;
  changed_by_code_.clear();
  kill_.reset();
}

void Saves::end_run() {
  is_running_ = false;
  announced_.clear();
  saves_.insert(saves_.end(), later_.begin(), later_.end());
  later_.clear();
}

void Saves::receive(const Doing& doing) {
  if (const auto* write = std::get_if<WritesFile>(&doing)) ++announced_[write->path];
  if (std::holds_alternative<StartsPrograms>(doing)) has_programs_ = true;
  if (const auto* kill = std::get_if<KillsParent>(&doing)) kill_ = *kill;
}

void Saves::take(const std::vector<FileChange>& changes, std::string_view phase) {
  for (const FileChange& change : changes) {
    if (is_save(change, phase)) saves_.push_back(change.path);
  }
}

// A save that changes nothing is a wish to see it again, but not while that is being done.
bool Saves::is_save(const FileChange& change, std::string_view phase) {
  const std::optional<std::string> hash = hash_of(change.path);
  const bool is_own = take_announced(change);
  if (!hash) return false;
  const bool is_same = std::exchange(hashes_[change.path], *hash) == *hash;
  if (!is_running_) return true;
  if (is_same) return false;
  if (!is_own) return cuts_short(change.path, phase);
  if (continue_streak(own_, change.path, "").length > 1) changed_by_code_.insert(change.path);
  return false;
}

// What nobody has announced; if it does not cut the run short now, it may begin another one later.
bool Saves::cuts_short(const std::string& path, std::string_view phase) {
  const Streak& streak = continue_streak(unannounced_, path, phase);
  if (streak.length <= kMostCuts) return true;
  changed_by_code_.insert(path);
  if (streak.length == kMostCuts + 1 || !has_programs_) later_.push_back(path);
  return false;
}

const Saves::Streak& Saves::continue_streak(Streaks& streaks, const std::string& path,
                                            std::string_view phase) const {
  Streak& streak = streaks[without_numbers(path)];
  if (streak.run == run_) return streak;
  const bool goes_on = streak.run + 1 == run_ && streak.phase == phase;
  streak = {run_, phase, goes_on ? streak.length + 1 : 1};
  return streak;
}

// Whether the code has announced all of it: for the file, or for a folder that it has moved to this place.
bool Saves::take_announced(const FileChange& change) {
  for (std::string path = change.path; path.size() > project_root_.size(); path = parent_of(path)) {
    const auto announced = announced_.find(path);
    if (announced == announced_.end()) continue;
    if (change.times == 0 || path != change.path) return true;
    const bool is_all = change.times == kAnyTimes ? announced->second > 0 : change.times <= announced->second;
    announced->second = change.times == kAnyTimes || !is_all ? 0 : announced->second - change.times;
    return is_all;
  }
  return false;
}

// None: it is left out. A folder, or a file that is gone, has nothing to be hashed and is news all the same.
std::optional<std::string> Saves::hash_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::directory) {
    return "a folder";
  }
  const Result<std::optional<std::string>> text = read_source_text(path);
  if (!text.ok()) {
    left_out_[path] = text.error().sentence;
    return std::nullopt;
  }
  left_out_.erase(path);
  return text.value() ? sha256(*text.value()) : "nothing";
}

std::string Saves::note() const {
  std::string note;
  size_t count = 0;
  const auto add = [&](const std::string& sentence) {
    if (++count <= kMostNamed) note += (note.empty() ? "" : "; ") + sentence;
  };
  for (const std::string& path : changed_by_code_) {
    add(fmt::format("your code changes {} each time", in_project(path, project_root_)));
  }
  for (const auto& [path, why] : left_out_) {
    add(fmt::format("{} is left out: it is {}", in_project(path, project_root_), why));
  }
  if (count > kMostNamed) note += fmt::format("; and so on, {} files in all", count);
  return note;
}

}  // namespace skyline::session

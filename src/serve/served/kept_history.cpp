#include "serve/served/kept_history.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/json_fields.h"
#include "base/json_writer.h"

namespace skyline::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 4 << 20;  // more is no history of ours

protocol::HistoryEntry entry_of(const JsonFields& fields) {
  protocol::HistoryEntry entry;
  entry.save = fields.integer("save");
  entry.time_ms = fields.integer("time_ms");
  entry.is_earlier = true;
  entry.changed = fields.texts("changed");
  entry.batch_size = fields.integer("batch_size");
  entry.samples_per_second = fields.number("samples_per_second");
  entry.uncertainty = fields.number("uncertainty");
  entry.peak_bytes = fields.integer("peak_bytes");
  entry.trouble = fields.text("trouble");
  entry.is_complete = fields.boolean("is_complete");
  return entry;
}

}  // namespace

std::vector<protocol::HistoryEntry> read_history(const std::string& path) {
  std::vector<protocol::HistoryEntry> history;
  std::error_code error;
  if (path.empty() || fs::file_size(path, error) > kMostBytes || error) return history;
  std::ifstream file(path);
  simdjson::dom::parser parser;
  for (std::string line; std::getline(file, line) && history.size() < kMostKeptProfiles;) {
    simdjson::dom::element element;
    if (parser.parse(line).get(element) != simdjson::SUCCESS) continue;
    bool is_wrong = false;
    protocol::HistoryEntry entry = entry_of(JsonFields(element, is_wrong));
    if (!is_wrong) history.push_back(std::move(entry));
  }
  return history;
}

void keep_history(const std::string& path, const std::vector<protocol::HistoryEntry>& history) {
  if (path.empty()) return;
  std::vector<const protocol::HistoryEntry*> kept;
  for (const protocol::HistoryEntry& entry : history) {
    if (entry.samples_per_second > 0) kept.push_back(&entry);
  }
  const size_t first = kept.size() - std::min(kept.size(), kMostKeptProfiles);
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  ::chmod(fs::path(path).parent_path().c_str(), 0700);
  const std::string draft = fmt::format("{}.{}", path, ::getpid());
  {
    std::ofstream file(draft, std::ios::trunc);
    for (size_t i = first; i < kept.size(); ++i) {
      JsonWriter json;
      protocol::write(json, *kept[i]);
      std::string line = std::move(json).finish();
      std::erase(line, '\n');
      file << line << '\n';
    }
    if (!file.flush()) {
      fs::remove(draft, ignored);
      return;
    }
  }
  ::chmod(draft.c_str(), 0600);
  fs::rename(draft, path, ignored);
}

}  // namespace skyline::serve

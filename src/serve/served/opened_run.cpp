#include "serve/served/opened_run.h"

#include <new>
#include <system_error>
#include <utility>

#include "base/median.h"
#include "base/out_of_memory.h"
#include "serve/messages/verdict.h"

namespace skyline::serve {
namespace {

protocol::RunRank known_rank(const analyze::Run& run, size_t place, std::string name) {
  const analyze::RankDigest& digest = run.ranks()[place];
  protocol::RunRank rank;
  rank.trace = digest.label.file;
  rank.name = std::move(name);
  rank.is_known = true;
  rank.rank = digest.label.known ? digest.label.rank : -1;
  rank.host = digest.host;
  rank.offset_ns = run.offset_ns(place);
  rank.steps = static_cast<int64_t>(digest.step_ns.size());
  if (!digest.step_ns.empty()) rank.median_step_ns = lower_median(digest.step_ns);
  rank.verdict = serve::to_message(digest.verdict);
  rank.dropped = static_cast<int64_t>(digest.dropped);
  return rank;
}

protocol::RunRank unknown_rank(const protocol::TraceSummary& trace, std::string error) {
  protocol::RunRank rank;
  rank.trace = trace.id;
  rank.name = trace.name;
  rank.error = std::move(error);
  rank.rank = trace.rank;
  rank.verdict.waits_for = protocol::WaitsFor::kUnknown;
  return rank;
}

}  // namespace

OpenedRun::~OpenedRun() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  if (reader_.joinable()) reader_.join();
}

protocol::Run OpenedRun::ask() {
  {
    const std::vector<protocol::TraceSummary> all = traces_.summaries();
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const protocol::TraceSummary& each : all) {
      // What could not be read has been read since.
      const auto known = known_.find(each.id);
      if (known != known_.end() && !known->second.ok() && each.is_read) known_.erase(known);
    }
    if (!is_reading_ && !is_ending_ && known_.size() < all.size()) {
      if (reader_.joinable()) reader_.join();  // it has said that it is done
      try {
        reader_ = std::thread([this] { read_all(); });
        is_reading_ = true;
      } catch (const std::system_error&) {
        // The system has no thread for us: the next one who asks may have more luck.
      }
    }
  }
  return now();
}

protocol::Run OpenedRun::now() const {
  const std::vector<protocol::TraceSummary> all = traces_.summaries();
  const std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, std::string> names;
  std::vector<analyze::RankDigest> digests;
  for (const protocol::TraceSummary& each : all) {
    names[each.id] = each.name;
    const auto known = known_.find(each.id);
    if (known != known_.end() && known->second.ok()) digests.push_back(known->second.value());
  }
  const analyze::Run run(std::move(digests));

  protocol::Run message;
  message.is_one_run = run.ranks().size() > 1 && run.is_one_run();
  message.sentence = run.sentence();
  for (const size_t place : run.by_need()) message.by_need.push_back(static_cast<int64_t>(place));
  for (size_t i = 0; i < run.ranks().size(); ++i) {
    message.ranks.push_back(known_rank(run, i, names[run.ranks()[i].label.file]));
  }
  for (const protocol::TraceSummary& each : all) {
    const auto known = known_.find(each.id);
    if (known != known_.end() && known->second.ok()) continue;
    const bool is_pending = known == known_.end();
    message.pending += is_pending ? 1 : 0;
    message.ranks.push_back(unknown_rank(each, is_pending ? "" : known->second.error().sentence));
  }
  return message;
}

void OpenedRun::on_change(std::function<void()> tell) {
  const std::lock_guard<std::mutex> lock(telling_);
  tell_ = std::move(tell);
}

void OpenedRun::read_all() {
  try {
    while (read_next()) {
      const std::lock_guard<std::mutex> lock(telling_);
      if (tell_) tell_();
    }
  } catch (const std::bad_alloc&) {
    // There is no memory even for saying so. Who asks again begins again.
    const std::lock_guard<std::mutex> lock(mutex_);
    is_reading_ = false;
  }
}

// False: there is nothing left to read.
bool OpenedRun::read_next() {
  const std::vector<protocol::TraceSummary> all = traces_.summaries();
  std::string id;
  size_t place = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    while (place < all.size() && known_.contains(all[place].id)) ++place;
    is_reading_ = place < all.size() && !is_ending_;
    if (!is_reading_) return false;
    id = all[place].id;
  }
  Result<analyze::RankDigest> digested =
      or_out_of_memory("compare", all[place].name, [&]() -> Result<analyze::RankDigest> {
        SKYLINE_TRY(const OpenedTracePtr opened, traces_.glance(id));
        return analyze::digest(*opened->analyzed, analyze::label_of(opened->trace(), id, place));
      });
  traces_.trim();
  const std::lock_guard<std::mutex> lock(mutex_);
  known_.insert_or_assign(id, std::move(digested));
  return true;
}

}  // namespace skyline::serve

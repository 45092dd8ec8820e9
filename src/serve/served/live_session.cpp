#include "serve/served/live_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <mutex>

#include "base/utf8.h"
#include "serve/messages/breakdown.h"
#include "serve/messages/event_text.h"
#include "serve/messages/memory.h"
#include "serve/messages/session.h"
#include "serve/served/kept_history.h"

namespace skyline::serve {
namespace {

using Clock = std::chrono::steady_clock;

// Between two events that differ in nothing but progress, or in the number of iterations timed so far.
constexpr std::chrono::milliseconds kStatePause(50), kResultPause(100);
constexpr size_t kMostHistory = 50;  // profiles; every event has them all

// In the order in which a page wants to hear them: a state that speaks of a result comes after it.
enum Kind : size_t { kResult, kBreakdown, kMemory, kState };
constexpr std::array<const char*, 4> kKinds = {"result", "breakdown", "memory", "session"};

constexpr const char *kTimeTrace = "time", *kMemoryTrace = "memory";  // ids

// Where iterations take long, the recording of the first ones serves for time as well: it stands among the
// traces once.
bool is_one_recording(const session::ProfileResult& result) {
  return result.time != nullptr && result.memory != nullptr &&
         result.time->analyzed == result.memory->analyzed;
}

int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// All of a state that must not wait.
std::string urgent_part(const session::SessionView& view) {
  return fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(view.state), view.save, view.progress.phase,
                     view.result_save, view.is_stale, view.is_unsaved,
                     view.trouble ? view.trouble->sentence : "", view.note);
}

}  // namespace

struct LiveSession::State {
  State(const session::SessionOptions& options, OpenedTraces& with, Now by)
      : about{options.profile.entry_point, options.profile.project_root},
        batch_size_is_given(options.profile.batch_size.has_value()),
        traces(with),
        clock(by) {}

  struct News {
    Kind kind;
    std::string text;
  };

  void note_history(const session::SessionView& view) {
    if (view.save == 0) return;
    protocol::HistoryEntry entry = history_entry(view);
    const bool is_known = !history.empty() && !history.back().is_earlier && history.back().save == entry.save;
    entry.time_ms = is_known ? history.back().time_ms : unix_ms();
    if (is_known) {
      history.back() = std::move(entry);
    } else {
      history.push_back(std::move(entry));
    }
    if (history.size() > kMostKeptProfiles) history.erase(history.begin());
    // What a profile has found is kept when it is over.
    if (view.state != session::SessionState::kIdle || kept_save == view.save) return;
    kept_save = view.save;
    keep_history(history_path, history);
  }

  // The newest: every event has them all.
  std::vector<protocol::HistoryEntry> shown_history() const {
    const auto count = static_cast<std::ptrdiff_t>(std::min(history.size(), kMostHistory));
    return {history.end() - count, history.end()};
  }

  // What a newer save has replaced never comes back.
  bool is_old(const session::SessionView& view) const {
    return view.result == nullptr || view.result_save < told_save;
  }

  // Takes the newest text; whether it says something new.
  bool take(Kind kind, std::string text) {
    const std::lock_guard lock(mutex);
    if (newest[kind] == text) return false;
    newest[kind] = std::move(text);
    return true;
  }

  // The edit of the newest result's literal, which must be the one that the page has seen.
  Result<session::Edit> find_edit(int64_t save, int64_t batch_size) const {
    std::shared_ptr<const session::ProfileResult> of;
    uint64_t of_save = 0;
    {
      const std::lock_guard lock(mutex);
      of = result;
      of_save = result_save;
    }
    if (of == nullptr) return Error{"there is no result yet; wait for the first profile"};
    if (static_cast<uint64_t>(save) != of_save) {
      return Error{fmt::format("there is a newer result, of save {}; look at that first", of_save)};
    }
    if (batch_size_is_given) return Error{kGivenBatchSize};
    return session::edit_for(*of, session::BatchSizeTarget{batch_size});
  }

  // ---- One per event, in the order of Kind. On the session's thread. ----------------------------

  void note_result(const session::SessionView& view, Clock::time_point now, std::vector<News>& news) {
    if (view.result == told_result || is_old(view)) return;
    {
      const std::lock_guard lock(mutex);
      result = view.result;
      result_save = view.result_save;
    }
    if (view.result_save == told_save && !view.result->is_timed && now < next_result) return;
    next_result = now + kResultPause;
    told_result = view.result;
    told_save = view.result_save;
    std::string text = event_text("result", to_message(*view.result, view.result_save, batch_size_is_given));
    if (take(kResult, text)) news.push_back({kResult, std::move(text)});
  }

  void note_breakdown(const session::SessionView& view, std::vector<News>& news) {
    if (is_old(view) || view.result->time == nullptr || view.result->time == told_time) return;
    told_time = view.result->time;
    const std::string id = kTimeTrace;
    const char* what = is_one_recording(*view.result) ? "start" : "iteration";
    traces.put(id, fmt::format("{} of save {}", what, view.result_save), told_time->analyzed);
    protocol::SessionBreakdown message{static_cast<int64_t>(view.result_save), id,
                                       serve::to_message(told_time->trace(), told_time->breakdown)};
    std::string text = event_text("breakdown", message);
    if (take(kBreakdown, text)) news.push_back({kBreakdown, std::move(text)});
  }

  void note_memory(const session::SessionView& view, std::vector<News>& news) {
    if (is_old(view) || view.result->memory == nullptr) return;
    const std::string id = is_one_recording(*view.result) ? kTimeTrace : kMemoryTrace;
    if (view.result->memory == told_memory && id == told_memory_trace) return;
    told_memory = view.result->memory;
    told_memory_trace = id;
    if (id == kMemoryTrace) {
      traces.put(id, fmt::format("start of save {}", view.result_save), told_memory->analyzed);
    } else {
      traces.drop(kMemoryTrace);
    }
    protocol::SessionMemory message{static_cast<int64_t>(view.result_save), id,
                                    serve::to_message(*told_memory->analyzed, told_memory->peak,
                                                      told_memory->modules, told_memory->lines)};
    std::string text = event_text("memory", message);
    if (take(kMemory, text)) news.push_back({kMemory, std::move(text)});
  }

  void note_state(const session::SessionView& view, Clock::time_point now, std::vector<News>& news) {
    {
      const std::lock_guard lock(mutex);
      output_log = view.output_log;
    }
    std::string text = event_text("session", to_message(view, shown_history()));
    is_state_owed |= take(kState, text);
    std::string urgent = urgent_part(view);
    if (!is_state_owed || (urgent == told_urgent && now < next_state)) return;
    next_state = now + kStatePause;
    told_urgent = std::move(urgent);
    is_state_owed = false;
    news.push_back({kState, std::move(text)});
  }

  const protocol::SessionAbout about;
  const bool batch_size_is_given;
  OpenedTraces& traces;
  const Now clock;

  // On the session's thread.
  std::string history_path;
  std::vector<protocol::HistoryEntry> history;
  uint64_t kept_save = 0;
  uint64_t told_save = 0;
  std::shared_ptr<const session::ProfileResult> told_result;
  std::shared_ptr<const session::TimeBreakdown> told_time;
  std::shared_ptr<const session::MemoryBreakdown> told_memory;
  std::string told_memory_trace;
  std::string told_urgent;
  bool is_state_owed = false;
  Clock::time_point next_state = {}, next_result = {};

  mutable std::mutex mutex;  // of what follows
  std::string output_log;
  std::array<std::string, kKinds.size()> newest;
  std::shared_ptr<const session::ProfileResult> result;
  uint64_t result_save = 0;
  session::Session* session = nullptr;
  Tell tell;
};

LiveSession::LiveSession(const session::SessionOptions& options, OpenedTraces& traces, Now now)
    : state_(std::make_unique<State>(options, traces, now)) {}

LiveSession::~LiveSession() = default;

void LiveSession::show(const session::SessionView& view) {
  const Clock::time_point now = state_->clock();
  std::vector<State::News> news;
  state_->note_history(view);
  state_->note_result(view, now, news);
  state_->note_breakdown(view, news);
  state_->note_memory(view, news);
  state_->note_state(view, now, news);
  Tell tell;
  {
    const std::lock_guard lock(state_->mutex);
    tell = state_->tell;
  }
  // Without the lock: who listens may hold one of his own while he asks for a greeting.
  for (State::News& each : news) {
    if (tell) tell(kKinds[each.kind], std::move(each.text));
  }
}

void LiveSession::keep_history_in(const std::string& path) {
  state_->history_path = path;
  state_->history = read_history(path);
}

void LiveSession::set_tell(Tell tell) {
  const std::lock_guard lock(state_->mutex);
  state_->tell = std::move(tell);
}

void LiveSession::set_session(session::Session* session) {
  const std::lock_guard lock(state_->mutex);
  state_->session = session;
}

std::vector<std::string> LiveSession::greeting() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> texts;
  for (const std::string& text : state_->newest) {
    if (!text.empty()) texts.push_back(text);
  }
  return texts;
}

protocol::SessionAbout LiveSession::about() const { return state_->about; }

Result<protocol::Edit> LiveSession::edit(const protocol::EditParams& params) const {
  SKYLINE_TRY(const session::Edit edit, state_->find_edit(params.save, params.batch_size));
  SKYLINE_TRY(std::string old_text, session::replaced_text(edit));
  const session::BatchLiteral& literal = edit.literal;
  return protocol::Edit{literal.path,        literal.line,  literal.begin_column, literal.end_column,
                        std::move(old_text), edit.new_text, literal.file_hash};
}

Status LiveSession::apply(const protocol::ApplyParams& params) {
  SKYLINE_TRY(const session::Edit edit, state_->find_edit(params.save, params.batch_size));
  if (edit.literal.file_hash != params.file_hash) {
    return Error{
        fmt::format("{} is not the file that the edit was made for; ask for it again", edit.literal.path)};
  }
  return session::apply(edit);
}

protocol::Output LiveSession::output() const {
  constexpr std::streamoff kShown = 64 << 10;
  std::string path;
  {
    const std::lock_guard lock(state_->mutex);
    path = state_->output_log;
  }
  protocol::Output output{path, "", false};
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (path.empty() || !file) return output;
  const std::streamoff size = file.tellg();
  output.is_cut = size > kShown;
  file.seekg(std::max<std::streamoff>(size - kShown, 0));
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (size_t at = 0; at < bytes.size();) {
    const CodePoint point = decode_utf8(bytes, at);
    append_utf8(output.text, point.valid ? point.value : U'\uFFFD');
    at += point.bytes;
  }
  return output;
}

void LiveSession::set_unsaved(bool is_unsaved) {
  const std::lock_guard lock(state_->mutex);
  if (state_->session != nullptr) state_->session->set_unsaved(is_unsaved);
}

void LiveSession::profile_again() {
  const std::lock_guard lock(state_->mutex);
  if (state_->session != nullptr) state_->session->profile_again();
}

void LiveSession::cancel() {
  const std::lock_guard lock(state_->mutex);
  if (state_->session != nullptr) state_->session->cancel();
}

}  // namespace skyline::serve

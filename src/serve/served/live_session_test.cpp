// Views in, events out.
#include "serve/served/live_session.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "base/test_folder.h"
#include "serve/methods/registry.h"
#include "trace/builder.h"

namespace skyline::serve {
namespace {

using namespace std::chrono_literals;

std::chrono::steady_clock::time_point the_time;

// One step with one operator that allocates.
std::shared_ptr<const Trace> small_trace() {
  TraceBuilder builder;
  Trace& trace = builder.draft;
  const auto text = [&](std::string_view of) { return trace.strings.intern(of); };
  Track track;
  track.process = track.thread = text("1");
  trace.tracks.push_back(track);
  const auto slice = [&](Category category, std::string_view name, int64_t start, int64_t dur) {
    const uint32_t row = trace.slices.add({.start_ns = start,
                                           .dur_ns = dur,
                                           .name = text(name),
                                           .track = TrackId(0),
                                           .category = category,
                                           .detail = static_cast<uint32_t>(trace.ops.size()),
                                           .source_place = trace.slices.size()});
    trace.ops.add({.slice = SliceId(row)});
  };
  slice(Category::kUserAnnotation, "ProfilerStep#1", 100, 1000);
  slice(Category::kCpuOp, "aten::add", 200, 300);
  return std::move(builder).freeze(1);
}

class LiveSessionTest : public testing::Test {
 protected:
  LiveSessionTest() {
    options_.profile.entry_point = "/p/entry_point.py";
    options_.profile.project_root = "/p";
    make();
  }

  void make() {
    live_ = std::make_unique<LiveSession>(options_, traces_, [] { return the_time; });
    live_->set_tell([this](const std::string& kind, std::string text) {
      told_.push_back(kind);
      texts_.push_back(std::move(text));
    });
  }

  // The kinds of events that this view gives.
  std::vector<std::string> show(const session::SessionView& view) {
    told_.clear();
    texts_.clear();
    live_->show(view);
    return told_;
  }

  static std::shared_ptr<session::ProfileResult> timed(int64_t median_ns, bool is_timed) {
    auto result = std::make_shared<session::ProfileResult>();
    result->batch_size = 32;
    session::BatchMeasurement measured;
    measured.batch_size = 32;
    measured.durations_ns = std::vector<int64_t>(9, median_ns);
    measured.time = session::summarize(measured.durations_ns);
    result->measured = measured;
    result->is_timed = is_timed;
    return result;
  }

  static std::shared_ptr<session::ProfileResult> broken_down() {
    auto result = timed(1'000'000, true);
    const auto trace = std::make_shared<const analyze::AnalyzedTrace>(small_trace());
    result->time = std::make_shared<const session::TimeBreakdown>(
        session::TimeBreakdown{trace, analyze::break_down(*trace)});
    analyze::MemoryAtPeak peak;
    analyze::MemoryTree modules = analyze::memory_by_module(*trace, peak);
    const auto first = std::make_shared<const analyze::AnalyzedTrace>(small_trace());
    result->memory =
        std::make_shared<const session::MemoryBreakdown>(session::MemoryBreakdown{first, peak, modules, {}});
    return result;
  }

  static session::SessionView with_result(uint64_t save,
                                          std::shared_ptr<const session::ProfileResult> result) {
    session::SessionView view;
    view.state = session::SessionState::kProfiling;
    view.save = view.result_save = save;
    view.progress = {"timing", 0.1};
    view.result = std::move(result);
    return view;
  }

  bool has(size_t event, const std::string& words) const {
    return texts_.at(event).find(words) != std::string::npos;
  }

  using Kinds = std::vector<std::string>;

  session::SessionOptions options_;
  OpenedTraces traces_;
  std::unique_ptr<LiveSession> live_;
  Kinds told_, texts_;
};

TEST_F(LiveSessionTest, AViewIsAnEventWithItsFrame) {
  EXPECT_EQ(show({}), Kinds{"session"});
  EXPECT_EQ(
      texts_[0],
      R"({"event": "session", "data": {"state": "starting", "save": 0, "phase": "starting Python", "phase_ms": 0, )"
      R"("fraction": 0, "result_save": 0, "is_stale": false, "is_unsaved": false, "note": "", )"
      R"("changed": [], "has_output": false, "history": []}})"
      "\n");
}

TEST_F(LiveSessionTest, TheSameIsToldOnce) {
  EXPECT_EQ(show({}), Kinds{"session"});
  the_time += 1s;
  EXPECT_EQ(show({}), Kinds{});
}

TEST_F(LiveSessionTest, ProgressIsToldTwentyTimesASecondAndTheNewestIsNeverLost) {
  session::SessionView view;
  view.state = session::SessionState::kProfiling;
  view.save = 1;
  int events = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    view.progress = {"timing", 0.001 * ms};
    events += static_cast<int>(show(view).size());
    the_time += 1ms;
  }
  EXPECT_EQ(events, 20);
  EXPECT_EQ(show(view), Kinds{"session"});  // nothing has changed since, but this was not told yet
  EXPECT_TRUE(has(0, R"("fraction": 0.999)"));
  EXPECT_EQ(show(view), Kinds{});
}

TEST_F(LiveSessionTest, WhatMattersDoesNotWait) {
  session::SessionView view;
  view.state = session::SessionState::kProfiling;
  view.save = 1;
  view.progress = {"timing", 0.1};
  show(view);
  view.progress = {"recording", 0.1};
  EXPECT_EQ(show(view), Kinds{"session"});
  view.is_unsaved = true;
  EXPECT_EQ(show(view), Kinds{"session"});
  view.trouble = session::Trouble{session::Trouble::Kind::kUserCode, "it raised", "/p/model.py", 3};
  EXPECT_EQ(show(view), Kinds{"session"});
  EXPECT_TRUE(has(
      0, R"("trouble": {"kind": "user_code", "sentence": "it raised", "path": "/p/model.py", "line": 3})"));
  view.state = session::SessionState::kIdle;
  EXPECT_EQ(show(view), Kinds{"session"});
}

TEST_F(LiveSessionTest, AResultComesBeforeTheStateThatSpeaksOfIt) {
  EXPECT_EQ(show(with_result(1, timed(1'000'000, false))), (Kinds{"result", "session"}));
  EXPECT_TRUE(has(0, R"({"event": "result", "data": {"save": 1, )"));
  EXPECT_TRUE(has(1, R"("result_save": 1, )"));
}

TEST_F(LiveSessionTest, FirstNumbersComeTenTimesASecondTheLastAtOnce) {
  show(with_result(1, timed(1'000'000, false)));
  the_time += 60ms;
  EXPECT_EQ(show(with_result(1, timed(1'100'000, false))), Kinds{"session"});
  the_time += 60ms;
  EXPECT_EQ(show(with_result(1, timed(1'200'000, false))), (Kinds{"result", "session"}));
  the_time += 10ms;
  EXPECT_EQ(show(with_result(1, timed(1'300'000, true))), Kinds{"result"});
  EXPECT_TRUE(has(0, R"("median_ns": 1300000, )"));
}

TEST_F(LiveSessionTest, AnOldSavesResultNeverComesBack) {
  show(with_result(2, broken_down()));
  const std::vector<std::string> greeting = live_->greeting();
  session::SessionView old = with_result(1, broken_down());
  old.save = 2;
  old.state = session::SessionState::kIdle;
  EXPECT_EQ(show(old), Kinds{"session"});
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(live_->greeting()[i], greeting[i]);
  EXPECT_EQ(traces_.find("time").value()->name, "iteration of save 2");
}

TEST_F(LiveSessionTest, BreakdownsAreToldOncePerResultAndTheirTracesOpened) {
  const std::shared_ptr<session::ProfileResult> result = broken_down();
  EXPECT_EQ(show(with_result(3, result)), (Kinds{"result", "breakdown", "memory", "session"}));
  EXPECT_TRUE(has(1, R"({"event": "breakdown", "data": {"save": 3, "trace": "time", "breakdown": {)"));
  EXPECT_TRUE(has(1, R"("start_ns": 0, "end_ns": 1000, )"));  // since the trace's start
  EXPECT_TRUE(has(2, R"({"event": "memory", "data": {"save": 3, "trace": "memory", "memory": {)"));
  ASSERT_TRUE(traces_.find("time").ok());
  EXPECT_EQ(traces_.find("time").value()->name, "iteration of save 3");
  EXPECT_EQ(traces_.find("time").value()->analyzed, result->time->analyzed);
  EXPECT_EQ(traces_.find("memory").value()->name, "start of save 3");
  // The next result of this save has the same breakdowns.
  auto more = std::make_shared<session::ProfileResult>(*result);
  more->is_complete = true;
  EXPECT_EQ(show(with_result(3, more)), Kinds{"result"});
}

TEST_F(LiveSessionTest, OneRecordingOfTimeAndMemoryIsOneTrace) {
  show(with_result(1, broken_down()));
  EXPECT_EQ(traces_.summaries().size(), 2u);
  // Memory is known first; then the same recording turns out to serve for time.
  const std::shared_ptr<session::ProfileResult> both = broken_down();
  auto memory = std::make_shared<session::MemoryBreakdown>(*both->memory);
  memory->analyzed = both->time->analyzed;
  both->memory = memory;
  auto first = std::make_shared<session::ProfileResult>(*both);
  first->time = nullptr;
  EXPECT_EQ(show(with_result(2, first)), (Kinds{"result", "memory", "session"}));
  EXPECT_TRUE(has(1, R"("trace": "memory")"));
  EXPECT_EQ(show(with_result(2, both)), (Kinds{"result", "breakdown", "memory"}));
  EXPECT_TRUE(has(2, R"("trace": "time")"));
  ASSERT_EQ(traces_.summaries().size(), 1u);
  EXPECT_EQ(traces_.summaries()[0].name, "start of save 2");
  show(with_result(3, broken_down()));
  EXPECT_EQ(traces_.summaries().size(), 2u);
}

TEST_F(LiveSessionTest, AGreetingIsTheNewestOfEveryEvent) {
  EXPECT_TRUE(live_->greeting().empty());
  show(with_result(1, timed(1'000'000, true)));
  session::SessionView view = with_result(1, timed(1'000'000, true));
  view.progress.fraction = 0.5;
  EXPECT_EQ(show(view), Kinds{});  // too soon, but who comes now hears of it
  const std::vector<std::string> greeting = live_->greeting();
  ASSERT_EQ(greeting.size(), 2u);
  EXPECT_TRUE(greeting[0].starts_with(R"({"event": "result")"));
  EXPECT_NE(greeting[1].find(R"("fraction": 0.5)"), std::string::npos);
}

TEST_F(LiveSessionTest, HistoryOutlivesTheSession) {
  const TestFolder folder;
  live_->keep_history_in(folder / "history");
  session::SessionView view = with_result(1, timed(1'000'000, true));
  show(view);
  view.state = session::SessionState::kIdle;
  show(view);
  make();
  live_->keep_history_in(folder / "history");
  show(with_result(1, timed(2'000'000, true)));
  const std::string& state = texts_.back();
  EXPECT_NE(state.find(R"("is_earlier": true, )"), std::string::npos);
  EXPECT_NE(state.find(R"("samples_per_second": 32000)"), std::string::npos);
  EXPECT_NE(state.find(R"("is_earlier": false, )"), std::string::npos);
  EXPECT_NE(state.find(R"("samples_per_second": 16000)"), std::string::npos);
}

TEST_F(LiveSessionTest, HistoryHasOneLinePerProfile) {
  show(with_result(1, timed(1'000'000, true)));
  session::SessionView second = with_result(1, timed(1'000'000, true));
  second.save = 2;
  second.changed = {"/p/model.py"};
  second.trouble = session::Trouble{session::Trouble::Kind::kUserCode, "it raised", "/p/model.py", 3};
  show(second);
  EXPECT_TRUE(has(0, R"("is_earlier": false, "changed": [], "batch_size": 32, "samples_per_second": 32000, )"
                     R"("uncertainty": 0, "peak_bytes": 0, "trouble": "", "is_complete": false}, )"
                     R"({"save": 2, )"));
  EXPECT_TRUE(
      has(0, R"("is_earlier": false, "changed": ["/p/model.py"], "batch_size": 0, "samples_per_second": 0, )"
             R"("uncertainty": 0, "peak_bytes": 0, "trouble": "it raised", "is_complete": false}])"));
  for (uint64_t save = 3; save < 100; ++save) show(with_result(save, timed(1'000'000, true)));
  EXPECT_FALSE(has(1, R"({"save": 49, )"));
  EXPECT_TRUE(has(1, R"("history": [{"save": 50, )"));
}

// ---- Edits. -----------------------------------------------------------------------------------

class LiveEditTest : public LiveSessionTest {
 protected:
  void SetUp() override {
    write_file(path_, kSource);
    result_ = timed(1'000'000, true);
    result_->loaded.literal = session::BatchLiteral{path_, 32, 17, 19, 1, 17, 19, sha256(kSource)};
  }
  std::string text() const { return read_file(path_); }

  static constexpr const char* kSource = "def f(batch_size=32): pass\n";
  const TestFolder folder_;
  const std::string path_ = folder_ / "live_edit.py";
  std::shared_ptr<session::ProfileResult> result_;
};

TEST_F(LiveEditTest, AnEditIsShownAndAppliedToTheLiteralAlone) {
  show(with_result(1, result_));
  const Result<protocol::Edit> edit = live_->edit({1, 48});
  ASSERT_TRUE(edit.ok()) << edit.error().sentence;
  EXPECT_EQ(edit.value().path, path_);
  EXPECT_EQ(edit.value().old_text, "32");
  EXPECT_EQ(edit.value().new_text, "48");
  EXPECT_EQ(edit.value().begin_column, 17);
  EXPECT_EQ(text(), kSource);
  ASSERT_TRUE(live_->apply({1, 48, edit.value().file_hash}).ok());
  EXPECT_EQ(text(), "def f(batch_size=48): pass\n");
  // Now it is another file.
  EXPECT_NE(live_->apply({1, 64, edit.value().file_hash}).error().sentence.find("has changed"),
            std::string::npos);
}

TEST_F(LiveEditTest, WhatThePageHasNotSeenIsNotEdited) {
  EXPECT_EQ(live_->edit({1, 48}).error().sentence, "there is no result yet; wait for the first profile");
  show(with_result(2, result_));
  EXPECT_EQ(live_->edit({1, 48}).error().sentence, "there is a newer result, of save 2; look at that first");
  EXPECT_EQ(live_->edit({2, 0}).error().sentence, "a batch size is at least 1");
  EXPECT_FALSE(live_->apply({2, 48, "of another file"}).ok());
  EXPECT_EQ(text(), kSource);
}

TEST_F(LiveEditTest, ABatchSizeFromTheCommandLineCanNotBeEdited) {
  options_.profile.batch_size = 16;
  make();
  show(with_result(1, result_));
  EXPECT_NE(live_->edit({1, 48}).error().sentence.find("--batch-size"), std::string::npos);
}

TEST(SessionMethods, WithoutASessionEachAnswersWithASentence) {
  OpenedTraces traces;
  const Context context = {.program = "skyline test", .traces = traces};
  for (const char* request :
       {R"({"id": 1, "method": "edit", "params": {"save": 1, "batch_size": 2}})",
        R"({"id": 1, "method": "apply", "params": {"save": 1, "batch_size": 2, "file_hash": ""}})",
        R"({"id": 1, "method": "unsaved", "params": {"is_unsaved": true}})",
        R"({"id": 1, "method": "profile_again", "params": {}})",
        R"({"id": 1, "method": "cancel_profile", "params": {}})"}) {
    EXPECT_EQ(answer_request(context, request).body,
              R"({"id":1,"error":{"sentence": "no session runs here, only recorded traces are shown; )"
              R"(start one with skyline interactive"}})");
  }
}

}  // namespace
}  // namespace skyline::serve

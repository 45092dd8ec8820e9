#include "serve/messages/session.h"

#include <gtest/gtest.h>

#include "base/json_writer.h"

namespace skyline::serve {
namespace {

template <typename Message>
std::string text_of(const Message& message) {
  JsonWriter json;
  protocol::write(json, message);
  std::string text = std::move(json).finish();
  text.pop_back();
  return text;
}

session::BatchMeasurement sample(int64_t batch_size, int64_t median_ns, int64_t peak_bytes) {
  session::BatchMeasurement one;
  one.batch_size = batch_size;
  one.durations_ns = std::vector<int64_t>(9, median_ns);
  one.time = session::summarize(one.durations_ns);
  one.peak_bytes = peak_bytes;
  one.resident_bytes = 2 * peak_bytes;
  return one;
}

// 9 ms + 1 ms a sample, 100 bytes + 10 a sample.
session::ProfileResult modelled(const std::vector<int64_t>& sizes, int64_t largest) {
  session::ProfileResult result;
  result.batch_size = sizes.front();
  std::vector<session::BatchSample> time, bytes;
  for (const int64_t size : sizes) {
    result.samples.push_back(sample(size, 9'000'000 + size * 1'000'000, 100 + 10 * size));
    time.push_back({size, result.samples.back().time.median_ns, 0});
    bytes.push_back({size, result.samples.back().peak_bytes, 0});
  }
  result.measured = result.samples.front();
  result.models = session::BatchModels{
      session::BatchModel(time), session::BatchModel(bytes), session::BatchModel(bytes), {}, {}};
  result.models->largest = {largest, false, true};
  result.models->peak = session::throughput_peak(result.models->time_ns, std::max<int64_t>(largest, 1));
  return result;
}

TEST(SessionMessages, AStateIsShort) {
  session::SessionView view;
  view.state = session::SessionState::kProfiling;
  view.save = 3;
  view.progress = {"timing", 0.123456};
  view.changed = {"/p/model.py"};
  EXPECT_EQ(
      text_of(to_message(view, {})),
      R"({"state": "profiling", "save": 3, "phase": "timing", "phase_ms": 0, )"
      R"("fraction": 0.123, "result_save": 0, "is_stale": false, "is_unsaved": false, "note": "", "changed": ["/p/model.py"], )"
      R"("has_output": false, "history": []})");
}

TEST(SessionMessages, NobodyIsToldOfAPhaseThatIsOver) {
  session::SessionView view;
  view.state = session::SessionState::kIdle;
  view.progress = {"all batch sizes again", 0.9};
  EXPECT_EQ(to_message(view, {}).phase, "");
  EXPECT_EQ(to_message(view, {}).fraction, 0);
}

TEST(SessionMessages, TroubleKeepsItsKindAndExhaustedMemoryHasOneOfItsOwn) {
  const auto kind_of = [](session::Trouble::Kind kind, bool is_out_of_memory) {
    session::SessionView view;
    view.trouble = session::Trouble{kind, "x", "/p/a.py", 7, is_out_of_memory};
    return name_of(to_message(view, {}).trouble->kind);
  };
  EXPECT_EQ(kind_of(session::Trouble::Kind::kUserCode, false), "user_code");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kEnded, false), "ended");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kStuck, false), "stuck");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kStalled, false), "stalled");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kInterrupted, false), "interrupted");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kOurs, false), "ours");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kUserCode, true), "out_of_memory");
  EXPECT_EQ(kind_of(session::Trouble::Kind::kEnded, true), "out_of_memory");
}

TEST(SessionMessages, PredictionsReachFromOneToTheLargestBatchThatFits) {
  const session::ProfileResult result = modelled({32, 16, 64, 128}, 200);
  const protocol::SessionResult message = to_message(result, 4, false);
  const protocol::Predictions& all = message.models->predictions;
  ASSERT_EQ(all.batch_size.size(), 200u);
  EXPECT_EQ(all.batch_size.front(), 1);
  EXPECT_EQ(all.batch_size.back(), 200);
  for (const size_t size :
       {all.samples_per_second.size(), all.low.size(), all.high.size(), all.peak_bytes.size(),
        all.peak_low.size(), all.peak_high.size(), all.is_extrapolated.size()}) {
    EXPECT_EQ(size, 200u);
  }
  EXPECT_NEAR(all.samples_per_second[80], 900, 0.1);  // batch 81 in 90 ms
  EXPECT_EQ(all.peak_bytes[80], 910);
  EXPECT_TRUE(all.is_extrapolated[14]);
  EXPECT_FALSE(all.is_extrapolated[15]);
  EXPECT_FALSE(all.is_extrapolated[127]);
  EXPECT_TRUE(all.is_extrapolated[128]);
  for (size_t i = 0; i < 200; ++i) {
    EXPECT_LE(all.low[i], all.samples_per_second[i]);
    EXPECT_LE(all.samples_per_second[i], all.high[i]);
  }
}

TEST(SessionMessages, PredictionsAreNeverShortOfWhatWasRun) {
  EXPECT_EQ(to_message(modelled({32, 16, 64}, 20), 1, false).models->predictions.batch_size.back(), 64);
  EXPECT_EQ(to_message(modelled({32, 16, 64}, 0), 1, false).models->predictions.batch_size.back(), 64);
  EXPECT_EQ(to_message(modelled({32, 16, 64}, 1 << 30), 1, false).models->predictions.batch_size.back(),
            64 * session::kFarthestFactor);
}

TEST(SessionMessages, DoubtsAreSentences) {
  EXPECT_EQ(to_message(modelled({32, 16, 64}, 100), 1, false).models->time_doubt, "");
  EXPECT_EQ(to_message(modelled({32, 16}, 100), 1, false).models->time_doubt,
            sentence_of(session::BatchDoubt::kTooFewSamples));
}

TEST(SessionMessages, SamplesAreInOrderOfSize) {
  const protocol::SessionResult message = to_message(modelled({32, 16, 64}, 100), 1, false);
  ASSERT_EQ(message.samples.size(), 3u);
  EXPECT_EQ(text_of(message.samples[0]),
            R"({"batch_size": 16, "median_ns": 25000000, "samples_per_second": 640, "uncertainty": 0, )"
            R"("peak_bytes": 260})");
  EXPECT_EQ(message.samples[2].batch_size, 64);
}

TEST(SessionMessages, WithoutALiteralThereIsAReason) {
  session::ProfileResult result;
  result.loaded.no_literal = "it is computed";
  EXPECT_EQ(to_message(result, 1, false).no_literal, "it is computed");
  result.loaded.no_literal.clear();
  result.loaded.literal = session::BatchLiteral{"/p/entry_point.py", 32, 100, 102, 7, 20, 22, "aa"};
  EXPECT_EQ(text_of(*to_message(result, 1, false).literal),
            R"({"path": "/p/entry_point.py", "line": 7, "begin_column": 20, "end_column": 22, "value": 32, )"
            R"("file_hash": "aa"})");
  EXPECT_FALSE(to_message(result, 1, true).literal);
  EXPECT_EQ(to_message(result, 1, true).no_literal, kGivenBatchSize);
}

TEST(SessionMessages, WhatIsNotKnownOfTheMedianIsOne) {
  session::ProfileResult result;
  result.batch_size = 8;
  result.measured = session::BatchMeasurement{};
  EXPECT_EQ(to_message(result, 1, false).iteration.uncertainty, 1);
}

TEST(SessionMessages, AHistoryEntryHasFiguresOnlyOfItsOwnSave) {
  session::SessionView view;
  view.save = 2;
  view.result_save = 1;
  view.result = std::make_shared<const session::ProfileResult>(modelled({32, 16, 64}, 100));
  EXPECT_EQ(history_entry(view).samples_per_second, 0);
  view.result_save = 2;
  EXPECT_EQ(
      text_of(history_entry(view)),
      R"({"save": 2, "time_ms": 0, "is_earlier": false, "changed": [], "batch_size": 32, )"
      R"("samples_per_second": 780.488, "uncertainty": 0, "peak_bytes": 420, "trouble": "", "is_complete": false})");
}

}  // namespace
}  // namespace skyline::serve

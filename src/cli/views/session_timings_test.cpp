#include "cli/views/session_timings.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

TEST(SessionTimings, EachStateIsToldOnceWithItsTime) {
  SessionTimings timings;
  session::SessionView view;
  EXPECT_EQ(timings.line(view, 5), "{\"now_ns\": 5, \"save\": 0, \"phase\": \"starting\"}\n");
  EXPECT_EQ(timings.line(view, 6), "");
  view.state = session::SessionState::kProfiling;
  view.save = 1;
  view.progress = {"loading", 0};
  EXPECT_EQ(timings.line(view, 7), "{\"now_ns\": 7, \"save\": 1, \"phase\": \"loading\"}\n");
  view.state = session::SessionState::kIdle;
  view.trouble = session::Trouble{session::Trouble::Kind::kUserCode, "no \"model\""};
  EXPECT_EQ(timings.line(view, 8),
            "{\"now_ns\": 8, \"save\": 1, \"phase\": \"idle\", \"trouble\": \"no \\\"model\\\"\"}\n");
}

TEST(SessionTimings, WhatIsKnownIsOfThisSaveOnly) {
  session::ProfileResult result;
  result.measured = session::BatchMeasurement{};
  result.measured->time.median_ns = 20;
  result.warm_up_ns = {9, 8};
  result.spent_ns = 37;
  session::SessionView view;
  view.state = session::SessionState::kProfiling;
  view.progress = {"timing", 0.1};
  view.save = 2;
  view.result = std::make_shared<const session::ProfileResult>(result);
  view.result_save = 1;
  SessionTimings timings;
  EXPECT_EQ(timings.line(view, 1), "{\"now_ns\": 1, \"save\": 2, \"phase\": \"timing\"}\n");
  view.result_save = 2;
  EXPECT_EQ(
      timings.line(view, 2),
      "{\"now_ns\": 2, \"save\": 2, \"phase\": \"timing\", \"known\": [\"throughput\"], \"samples\": 0, "
      "\"fresh_process\": false, \"spent_ns\": 37, \"median_ns\": 20, \"warm_up_ns\": [9, 8]}\n");
}

}  // namespace
}  // namespace skyline::cli

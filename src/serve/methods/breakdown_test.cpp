#include <gtest/gtest.h>

#include "serve/messages/breakdown.h"
#include "serve/messages/largest.h"
#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

TEST(BreakdownMethods, ModulesHaveTheLineThatCallsThemAndLinksToLines) {
  TestContext context;
  const std::string answer = context.ask("breakdown");
  // flat_lines are model.py:5 and train.py:10, modules the iteration, Net and fc.
  EXPECT_TRUE(contains(answer, R"("places": [-1, 1, 0])")) << answer;
  EXPECT_TRUE(contains(answer, R"("links": [{"module": 0, "line": 0, "host_ns": 60000, "device_ns": 30000}, )"
                               R"({"module": 0, "line": 1, "host_ns": 60000, "device_ns": 30000}, )"
                               R"({"module": 1, "line": 0, "host_ns": 60000, "device_ns": 30000}, )"
                               R"({"module": 1, "line": 1, "host_ns": 60000, "device_ns": 30000}, )"
                               R"({"module": 2, "line": 0, "host_ns": 40000, "device_ns": 30000}, )"
                               R"({"module": 2, "line": 1, "host_ns": 40000, "device_ns": 30000}])"))
      << answer;
  EXPECT_TRUE(contains(answer, R"("step_number": 1, "start_ns": 0, "end_ns": 100000, "has_device": true)"));
  EXPECT_EQ(context.ask("breakdown", R"("step":1)"), answer);
  EXPECT_TRUE(
      contains(context.ask("breakdown", R"("step":2)"), "there is no step 2; steps in this trace: 1"));
}

// A tree that no model has: wide, deep in places, with many operators and links.
analyze::Breakdown huge(uint32_t count) {
  analyze::Breakdown huge;
  analyze::BreakdownTimes times;
  times.host.add(analyze::Phase::kForward, 123'456);
  times.device.add(analyze::Phase::kForward, 654'321);
  for (uint32_t i = 0; i < count; ++i) {
    analyze::BreakdownNode node;
    node.parent = i == 0 ? kNoRow : 0;
    node.depth = i == 0 ? 0 : 1;
    node.end = i == 0 ? count : i + 1;
    node.name = "encoder.layers." + std::to_string(i) + ".attention.query";
    node.class_name = "Linear";
    node.own = node.total = times;
    for (int use = 0; use < 20; ++use)
      node.uses.push_back({{}, {}, {}, analyze::Phase::kForward, 0, 4, 5000, 600});
    huge.modules.push_back(node);
    huge.lines.push_back(node);
    huge.flat_lines.push_back({"/home/someone/project/model.py", i, "forward", times, times});
    huge.call_lines.push_back(i);
    for (uint32_t line = 0; line < 20; ++line)
      huge.links.push_back({i, (i + line) % count, 123'456, 654'321});
  }
  for (uint32_t i = 1; i < count; ++i) huge.modules[0].total.add(huge.modules[i].total);
  return huge;
}

TEST(BreakdownMessages, StaySmallWhateverTheModel) {
  TraceBuilder nothing;
  const std::unique_ptr<const Trace> trace = std::move(nothing).freeze(1);
  for (const uint32_t count : {5000u, 50'000u}) {
    const protocol::Breakdown message = to_message(*trace, huge(count));
    JsonWriter json;
    protocol::write(json, message);
    EXPECT_LT(std::move(json).finish().size(), 5'000'000u);
    EXPECT_EQ(message.places.size(), message.modules.size());
    EXPECT_EQ(message.modules[0].end, static_cast<int64_t>(message.modules.size()));
    for (const protocol::CodeLink& link : message.links) {
      EXPECT_LT(link.module, static_cast<int64_t>(message.modules.size()));
      EXPECT_LT(link.line, static_cast<int64_t>(message.flat_lines.size()));
    }
  }
}

// Python between operators that no sample has seen is near a line, in `total` and in `own`.
TEST(BreakdownMessages, APlaceIsItsOwnTimeAndThatOfItsChildren) {
  TraceBuilder nothing;
  const std::unique_ptr<const Trace> trace = std::move(nothing).freeze(1);
  analyze::BreakdownTimes near;
  near.host.add(analyze::Phase::kPython, 70);
  near.near = near.host;
  analyze::BreakdownNode root, line;
  root.parent = kNoRow;
  root.depth = 0;
  root.end = 2;
  root.total = near;
  line.parent = 0;
  line.depth = 1;
  line.end = 2;
  line.own = line.total = near;
  analyze::Breakdown breakdown;
  breakdown.lines = {root, line};
  const protocol::Breakdown message = to_message(*trace, breakdown);
  ASSERT_EQ(message.lines.size(), 2u);
  EXPECT_EQ(message.lines[1].own.host, message.lines[1].total.host);
}

TEST(BreakdownMessages, TheLargestStayInTheirOrder) {
  const Largest largest({9, 1, 5, 1, 9}, 3);
  EXPECT_EQ(largest.number(0), 0);
  EXPECT_EQ(largest.number(1), -1);
  EXPECT_EQ(largest.number(2), 1);
  EXPECT_EQ(largest.number(4), 2);
  EXPECT_EQ(largest.number(kNoRow), -1);
  EXPECT_EQ(largest.end(2), 1);
  EXPECT_EQ(largest.end(5), 3);
}

}  // namespace
}  // namespace skyline::serve

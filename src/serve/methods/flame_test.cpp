#include <gtest/gtest.h>

#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

TEST(FlameMethods, AnswersWithColumnsOfNodes) {
  TestContext context;
  EXPECT_EQ(context.ask("flame", R"("by":"module","time":"device")"),
            R"x({"id":1,"result":{"names": ["all", "Net", "fc (Linear)", "aten::linear"], )x"
            R"("places": [{"file": "train.py", "line": 10, "function": "f"}, )"
            R"({"file": "model.py", "line": 5, "function": "f"}], "name": [0, 1, 2, 3], )"
            R"("place": [-1, 0, 1, -1], "parent": [-1, 0, 1, 2], "total_ns": [30000, 30000, 30000, 30000], )"
            R"("self_ns": [0, 0, 0, 30000], "calls": [2, 2, 1, 1], "left_out": 1}})");
}

TEST(FlameMethods, AStepThatIsNotThereIsToldOf) {
  TestContext context;
  EXPECT_TRUE(contains(context.ask("flame", R"("by":"stack","time":"host","step":1)"), R"("result")"));
  EXPECT_TRUE(contains(context.ask("flame", R"("by":"stack","time":"host","step":9)"),
                       "there is no step 9; steps in this trace: 1"));
  EXPECT_TRUE(contains(context.ask("flame", R"("by":"moon","time":"host")"), "error"));
}

}  // namespace
}  // namespace skyline::serve

#include <gtest/gtest.h>

#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

// The names in the second column of the rows.
std::string rows_of(const std::string& answer) {
  const size_t begin = answer.find(R"("rows": )");
  return answer.substr(begin, answer.find(R"("indent_by")") - begin);
}

TEST(TableMethod, AWindowOfRowsKnowsHowManyThereAre) {
  TestContext context;
  EXPECT_EQ(
      rows_of(context.ask("table", R"("name":"calls","offset":1,"limit":1)")),
      R"("rows": [[1, "aten::relu", "1", 50000, 20000, 20000, null, null, 0, "", "", "", null, 100, 100, 1]], )"
      R"("row_count": 2, )");
  EXPECT_EQ(rows_of(context.ask("table", R"("name":"calls","offset":9,"limit":-1)")),
            R"("rows": [], "row_count": 2, )");
}

TEST(TableMethod, SortsAndFiltersCallsAsOtherTables) {
  TestContext context;
  const std::string up = rows_of(context.ask("table", R"("name":"calls","sort":"+duration","limit":1)"));
  EXPECT_TRUE(contains(up, "aten::relu")) << up;
  const std::string down = rows_of(context.ask("table", R"("name":"calls","sort":"duration","limit":1)"));
  EXPECT_TRUE(contains(down, "aten::linear")) << down;
  const std::string some = rows_of(context.ask("table", R"("name":"calls","filter":"RELU")"));
  EXPECT_TRUE(contains(some, "aten::relu") && contains(some, R"("row_count": 1)")) << some;
  const std::string ops = rows_of(context.ask("table", R"("name":"ops","sort":"name","filter":"linear")"));
  EXPECT_TRUE(contains(ops, "aten::linear") && contains(ops, R"("row_count": 1)")) << ops;
}

TEST(TableMethod, ATreeIsOneUntilItIsSorted) {
  TestContext context;
  EXPECT_TRUE(contains(context.ask("table", R"("name":"modules")"), R"("indent_by": "depth")"));
  EXPECT_TRUE(contains(context.ask("table", R"("name":"modules","sort":"calls")"), R"("indent_by": "")"));
}

TEST(TableMethod, WrongWordsAreToldWithTheRightOnes) {
  TestContext context;
  EXPECT_TRUE(contains(context.ask("table", R"("name":"moon")"), "there is no table"));
  EXPECT_TRUE(contains(context.ask("table", R"("name":"calls","sort":"moon")"), "there is no column"));
  EXPECT_TRUE(contains(context.ask("table", R"("name":"ops","group_by":"moon")"), "cannot be grouped"));
  EXPECT_TRUE(contains(context.ask("table", R"("name":"ops","step":9)"), "there is no step 9"));
}

}  // namespace
}  // namespace skyline::serve

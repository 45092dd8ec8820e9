#include "cli/csv.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

TEST(Csv, PlainFieldsStandAsTheyAre) { EXPECT_EQ(csv_record({"a", "", "b c"}), "a,,b c\r\n"); }

TEST(Csv, CommasQuotesAndLineEndsAreQuoted) {
  EXPECT_EQ(csv_record({"[1, 2]", "say \"hi\"", "two\nlines"}),
            "\"[1, 2]\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
}

}  // namespace
}  // namespace skyline

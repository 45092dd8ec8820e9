#include "cli/terminal/csv.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

TEST(Csv, PlainFieldsStandAsTheyAre) { EXPECT_EQ(csv_record({"a", "", "b c"}), "a,,b c\r\n"); }

TEST(Csv, CommasQuotesAndLineEndsAreQuoted) {
  EXPECT_EQ(csv_record({"[1, 2]", "say \"hi\"", "two\nlines"}),
            "\"[1, 2]\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
}

TEST(Csv, TextThatASpreadsheetWouldComputeGetsAnApostrophe) {
  for (const char* text :
       {"=1+2", "+1", "-1+2", "@SUM(A1)", "=cmd|' /C calc'!A0", "-", "＝1", "＋1", "－1", "＠1"}) {
    EXPECT_EQ(csv_text(text), std::string("'") + text);
  }
  for (const char* text : {"", "aten::mm", "1-2", "a=b", "'=1", "[-1, 2]", " =1"})
    EXPECT_EQ(csv_text(text), text);
}

TEST(Csv, WhatSpreadsheetsSkipBeforeAFormulaIsVisible) {
  EXPECT_EQ(csv_text("\t=1"), "\\t=1");
  EXPECT_EQ(csv_text("\r=1"), "\\r=1");
  EXPECT_EQ(csv_text("\n=1"), "\\n=1");
  EXPECT_EQ(csv_text("\x1b[2J\u202e"), "\\x1b[2J\\u202e");
}

}  // namespace
}  // namespace skyline::cli

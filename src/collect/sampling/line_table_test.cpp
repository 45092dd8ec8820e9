#include "collect/sampling/line_table.h"

#include <gtest/gtest.h>

namespace skyline::collect {
namespace {

// def f(x):                 # line 10
//     y = x + 1             # line 11
//     return [              # line 12
//         y,                # line 13
//     ]
// as CPython 3.11.2 writes it.
const std::string kTable(
    "\x80\x00\xd8\x08\x09\x88\x41\x89\x05\x80\x41\xe0\x08\x09\xf0\x03\x02\x0c\x06\xf0\x00\x02\x05\x06", 24);

TEST(LineTable, AnInstructionHasTheLineThatPythonSays) {
  EXPECT_EQ(line_at(kTable, 10, 0), 10);
  EXPECT_EQ(line_at(kTable, 10, 2), 11);
  EXPECT_EQ(line_at(kTable, 10, 8), 11);
  EXPECT_EQ(line_at(kTable, 10, 12), 13);
  EXPECT_EQ(line_at(kTable, 10, 14), 12);
}

TEST(LineTable, WhatTheTableDoesNotSayIsZero) {
  EXPECT_EQ(line_at("", 10, 0), 0);
  EXPECT_EQ(line_at(kTable, 10, 1000), 0);
  const std::string no_location("\xf8", 1);
  EXPECT_EQ(line_at(no_location, 10, 0), 0);
}

TEST(LineTable, DamageEndsIt) {
  EXPECT_EQ(line_at(std::string("\x00\x00\x00", 3), 10, 0), 0);
  for (size_t cut = 0; cut < kTable.size(); ++cut) {
    for (int offset = 0; offset < 20; offset += 2) line_at(kTable.substr(0, cut), INT32_MAX, offset);
  }
  const std::string endless(100, '\xff');
  EXPECT_EQ(line_at(endless, 1, 500'000), 0);
}

}  // namespace
}  // namespace skyline::collect

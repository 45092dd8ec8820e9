#include "session/profile/machine_pace.h"

#include <gtest/gtest.h>

namespace skyline::session {
namespace {

using Visits = std::vector<std::vector<int64_t>>;

TEST(MachinePace, ASlowRoundIsToldFromASlowSize) {
  const Visits visits = {{1000, 1200, 1000}, {2000, 2400, 2000}, {4000, 4800, 4000}};
  const std::vector<double> paces = pace_of_rounds(visits);
  EXPECT_NEAR(paces[0], 1, 1e-9);
  EXPECT_NEAR(paces[1], 1.2, 1e-9);
  EXPECT_EQ(at_usual_pace(visits[2], paces), (std::vector<int64_t>{4000, 4000, 4000}));
}

TEST(MachinePace, OneOddVisitMovesNothingElse) {
  const Visits visits = {{1000, 1000, 1000}, {2000, 9000, 2000}, {4000, 4000, 4000}};
  for (const double pace : pace_of_rounds(visits)) EXPECT_NEAR(pace, 1, 1e-9);
}

TEST(MachinePace, DriftOverAllRoundsIsTakenAway) {
  Visits visits(4);
  for (size_t round = 0; round < 7; ++round) {
    for (size_t size = 0; size < 4; ++size) {
      visits[size].push_back(static_cast<int64_t>(1e6 * (1.0 + static_cast<double>(size)) *
                                                  (1 + 0.1 * static_cast<double>(round))));
    }
  }
  const std::vector<double> paces = pace_of_rounds(visits);
  for (const std::vector<int64_t>& of_size : visits) {
    const std::vector<int64_t> steady = at_usual_pace(of_size, paces);
    for (const int64_t each : steady)
      EXPECT_NEAR(static_cast<double>(each), static_cast<double>(of_size[3]), 2);
  }
}

TEST(MachinePace, TooLittleToTellChangesNothing) {
  EXPECT_EQ(pace_of_rounds(Visits{{1000, 2000, 3000}, {1, 2, 3}}), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(pace_of_rounds(Visits{{1000, 2000}, {1, 2}, {3, 4}}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(pace_of_rounds(Visits{}).empty());
}

TEST(MachinePace, ASizeThatLacksRoundsAndTimesOfZeroAreBorne) {
  const Visits visits = {{0, 1200, 1000, 1000}, {2000, 2400}, {4000, 4800, 4000, 4000}, {0, 0, 0, 0}};
  EXPECT_EQ(pace_of_rounds(visits).size(), 4U);
}

}  // namespace
}  // namespace skyline::session

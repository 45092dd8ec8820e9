#include "cli/setup/phase_line.h"

#include <gtest/gtest.h>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

TEST(PhaseLine, TellsThePhaseAndTheTimeLeft) {
  EXPECT_EQ(render_phase({"timing", 0.25}, 0, 2, 80), "timing  ██████░░░░░░░░░░░░░░░░░░  25 %  6 s left");
}

TEST(PhaseLine, PromisesNothingBeforeATenthIsDone) {
  EXPECT_EQ(render_phase({"loading", 0.05}, 0, 2, 80), "loading  █░░░░░░░░░░░░░░░░░░░░░░░   5 %");
}

TEST(PhaseLine, APhaseThatLastsSaysHowLong) {
  EXPECT_EQ(render_phase({"timing", 0.05}, 61'900'000'000, 62, 80),
            "timing (61 s)  █░░░░░░░░░░░░░░░░░░░░░░░   5 %");
  EXPECT_EQ(describe_phase({"timing", 0.05}, 1'900'000'000), "timing");
}

TEST(PhaseLine, FitsANarrowTerminal) {
  EXPECT_LE(display_width(render_phase({"other batch sizes", 0.5}, 0, 2, 20)), 20u);
}

}  // namespace
}  // namespace skyline::cli

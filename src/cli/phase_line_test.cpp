#include "cli/phase_line.h"

#include <gtest/gtest.h>

#include "cli/printable.h"

namespace skyline {
namespace {

TEST(PhaseLine, TellsThePhaseAndTheTimeLeft) {
  EXPECT_EQ(render_phase({"timing", 0.25}, 2, 80), "timing  ██████░░░░░░░░░░░░░░░░░░  25 %  6 s left");
}

TEST(PhaseLine, PromisesNothingBeforeATenthIsDone) {
  EXPECT_EQ(render_phase({"loading", 0.05}, 2, 80), "loading  █░░░░░░░░░░░░░░░░░░░░░░░   5 %");
}

TEST(PhaseLine, FitsANarrowTerminal) {
  EXPECT_LE(display_width(render_phase({"other batch sizes", 0.5}, 2, 20)), 20u);
}

}  // namespace
}  // namespace skyline

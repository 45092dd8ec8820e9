#include "cli/terminal/progress_bar.h"

#include <gtest/gtest.h>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

TEST(Progress, TellsFileShareSpeedAndRest) {
  EXPECT_EQ(render_progress({"rank_3.json.gz", 500'000'000, 1'000'000'000, 2.5}, 100),
            "rank_3.json.gz  ████████████░░░░░░░░░░░░  50 %  200 MB/s  2 s left");
}

TEST(Progress, UnknownSizeTellsWhatWasRead) {
  EXPECT_EQ(render_progress({"standard input", 300'000'000, 0, 2}, 100),
            "standard input  150 MB/s  300 MB read");
}

TEST(Progress, FileNamesCannotDriveTheTerminal) {
  EXPECT_EQ(render_progress({"a\x1b[2J", 0, 0, 1}, 100).find('\x1b'), std::string::npos);
}

TEST(Progress, FitsIntoNarrowTerminals) {
  EXPECT_LE(display_width(render_progress({std::string(300, 'x'), 1, 2, 3}, 40)), 40u);
}

TEST(Progress, MoreReadThanAnnouncedIsStillFull) {
  EXPECT_EQ(render_progress({"a", 20, 10, 1}, 100), "a  ████████████████████████  100 %  0 MB/s");
}

}  // namespace
}  // namespace skyline::cli

#include "cli/views/losses_view.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

LossCounts sample_losses() {
  LossCounts losses;
  losses.add(Loss::kMissingComma, 88);
  losses.add(Loss::kBadTime, 1234, 3);
  return losses;
}

TEST(LossesView, SaysThatThereAreNone) { EXPECT_EQ(render_losses({}, {}), "Nothing was dropped.\n"); }

TEST(LossesView, SevereOnesComeFirst) {
  EXPECT_EQ(
      render_losses(sample_losses(), {}),
      "Dropped (missing from the figures)\n"
      "  3 × event.bad_time, first at byte 1 234: events whose time is missing, not a number or out of\n"
      "    range\n"
      "Notices (figures are not affected)\n"
      "  1 × json.missing_comma, first at byte 88: commas missing between events\n");
}

TEST(LossesView, LongListsAreCutAndSaySo) {
  const std::string text = render_losses(sample_losses(), {}, 1);
  EXPECT_NE(text.find("and 1 further kind; skyline info shows all"), std::string::npos);
  EXPECT_EQ(text.find("json.missing_comma"), std::string::npos);
}

TEST(LossesView, JsonHoldsEveryField) {
  JsonWriter json;
  json.begin_object();
  write_losses(json, sample_losses());
  json.end_object();
  EXPECT_EQ(
      std::move(json).finish(),
      "{\n"
      "  \"losses\": [\n"
      "    {\"name\": \"event.bad_time\", \"severity\": \"data loss\", \"count\": 3, \"first_offset\": 1234, "
      "\"sentence\": \"events whose time is missing, not a number or out of range\"},\n"
      "    {\"name\": \"json.missing_comma\", \"severity\": \"notice\", \"count\": 1, \"first_offset\": 88, "
      "\"sentence\": \"commas missing between events\"}\n"
      "  ]\n"
      "}\n");
}

TEST(LossesView, OneSentenceForANote) {
  EXPECT_EQ(losses_sentence(sample_losses()), "3 × event.bad_time, 1 × json.missing_comma");
  EXPECT_EQ(losses_sentence({}), "");
}

}  // namespace
}  // namespace skyline::cli

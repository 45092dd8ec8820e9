#include "report/report_entries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "session/profile/test_profile.h"

namespace skyline::report {
namespace {

std::string text_of(const std::vector<ReportFrame>& frames) {
  std::string text;
  for (const ReportFrame& frame : frames) text += fmt::format(" {}:{}", frame.file_path, frame.line_number);
  return text;
}

TEST(TimeEntries, AnOperatorCallHasItsBackwardTimeAndTheProjectsLines) {
  const std::vector<TimeEntry> entries =
      time_entries(session::TestProfile::make(), session::TestProfile::project());
  ASSERT_EQ(entries.size(), 1u) << "the backward operator is part of the forward one's entry";
  EXPECT_EQ(entries[0].operation_name, "linear");
  EXPECT_EQ(entries[0].forward_ns, 100);
  EXPECT_EQ(entries[0].backward_ns, 200);
  EXPECT_EQ(entries[0].module, "fc");
  EXPECT_EQ(text_of(entries[0].frames), " model.py:9 entry_point.py:12");
}

TEST(MemoryEntries, AWeightHasItsGradientAndTheLineThatMadeIt) {
  const MemoryEntries entries = memory_entries(session::TestProfile::make(), session::TestProfile::project());
  EXPECT_EQ(entries.peak_bytes, 1800);
  ASSERT_EQ(entries.weights.size(), 1u) << "tied weights are one";
  EXPECT_EQ(entries.weights[0].name, "fc.weight");
  EXPECT_EQ(entries.weights[0].size_bytes, 400);
  EXPECT_EQ(entries.weights[0].grad_size_bytes, 400);
  EXPECT_EQ(entries.weights[0].module, "fc");
  EXPECT_EQ(text_of(entries.weights[0].frames), " model.py:5 entry_point.py:3");
}

TEST(MemoryEntries, AnActivationBelongsToTheCallThatMadeIt) {
  const MemoryEntries entries = memory_entries(session::TestProfile::make(), session::TestProfile::project());
  ASSERT_EQ(entries.activations.size(), 1u);
  EXPECT_EQ(entries.activations[0].operation_name, "linear");
  EXPECT_EQ(entries.activations[0].size_bytes, 1000);
  EXPECT_EQ(entries.activations[0].module, "fc");
  EXPECT_EQ(text_of(entries.activations[0].frames), " model.py:9 entry_point.py:12");
}

TEST(ReportContext, SaysWhatRanAndWhere) {
  const ReportContext context = report_context(session::TestProfile::make(), session::TestProfile::project());
  const auto value = [&](std::string_view key) {
    const auto found = std::find_if(context.metadata.begin(), context.metadata.end(),
                                    [&](const auto& fact) { return fact.first == key; });
    return found == context.metadata.end() ? "" : found->second;
  };
  EXPECT_EQ(value("entry_point"), "entry_point.py");
  EXPECT_EQ(value("batch_size"), "32");
  EXPECT_EQ(value("torch.version"), "2.13.0");
  ASSERT_EQ(context.modules.size(), 2u);
  EXPECT_EQ(context.modules[0].class_name, "Net");
  EXPECT_EQ(context.modules[1].name, "fc");
  ASSERT_EQ(context.samples.size(), 3u);
  EXPECT_EQ(context.samples[0].median_ns, 1000);
  EXPECT_EQ(context.samples[0].iterations_ns.size(), 3u);
}

TEST(ReportContext, AnUnfinishedProfileHasLittleToSay) {
  const session::ProfileResult empty;
  EXPECT_TRUE(time_entries(empty, session::TestProfile::project()).empty());
  EXPECT_TRUE(memory_entries(empty, session::TestProfile::project()).weights.empty());
  EXPECT_TRUE(report_context(empty, session::TestProfile::project()).modules.empty());
}

}  // namespace
}  // namespace skyline::report

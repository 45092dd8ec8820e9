#include "report/analysis_json.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>

#include "session/profile/test_profile.h"

namespace skyline::report {
namespace {

using Element = simdjson::dom::element;

class AnalysisJson : public testing::Test {
 protected:
  void read(const session::ProfileResult& result) {
    text_ = analysis_json(result, session::TestProfile::project());
    ASSERT_EQ(parser_.parse(text_).get(root_), simdjson::SUCCESS) << text_;
  }
  Element at(std::string_view pointer) {
    Element found;
    EXPECT_EQ(root_.at_pointer(pointer).get(found), simdjson::SUCCESS) << pointer;
    return found;
  }
  std::vector<Element> elements(std::string_view pointer) {
    const simdjson::dom::array array = at(pointer);
    return {array.begin(), array.end()};
  }
  int64_t number(std::string_view pointer) { return at(pointer).get_int64().value(); }
  std::string text(std::string_view pointer) { return std::string(at(pointer).get_string().value()); }

  static std::map<std::string, int64_t> sums(Element object) {
    std::map<std::string, int64_t> all;
    const simdjson::dom::object fields = object;
    for (const auto field : fields) all[std::string(field.key)] = int64_t(field.value);
    return all;
  }

  // Checks that every node's total is its own and its children's.
  void expect_tree(std::string_view nodes, std::string_view kind) {
    std::vector<std::map<std::string, int64_t>> rest;
    for (const Element node : elements(nodes)) {
      const auto part = [&](std::string_view of) {
        const Element times = node[of];
        return sums(kind.empty() ? times : times[kind].value());
      };
      rest.push_back(part("total"));
      for (const auto& [name, value] : part("own")) rest.back()[name] -= value;
      int64_t parent = 0;
      if (node["parent"].get(parent) != simdjson::SUCCESS) continue;
      for (const auto& [name, value] : part("total")) rest[static_cast<size_t>(parent)][name] -= value;
    }
    ASSERT_GT(rest.size(), 1u);
    for (const auto& node : rest) {
      for (const auto& [name, value] : node) EXPECT_EQ(value, 0) << nodes << " " << name;
    }
  }

  std::string text_;
  simdjson::dom::parser parser_;
  Element root_;
};

TEST_F(AnalysisJson, NamesItsSchemaAndWhatWasRun) {
  read(session::TestProfile::make());
  EXPECT_EQ(text("/schema"), "skyline.analysis");
  EXPECT_EQ(number("/version"), kAnalysisVersion);
  EXPECT_EQ(text("/run/entry_point"), "entry_point.py");
  EXPECT_EQ(text("/run/files/1/path"), "model.py");
  EXPECT_EQ(text("/run/environment/torch.version"), "2.13.0");
  EXPECT_EQ(number("/run/batch_size"), 32);
}

TEST_F(AnalysisJson, HasTheIterationsTime) {
  read(session::TestProfile::make());
  EXPECT_EQ(number("/iteration/median_ns"), 1000);
  EXPECT_EQ(number("/iteration/durations_ns/2"), 1002);
  EXPECT_EQ(at("/iteration/samples_per_second").get_double().value(), 32e6);
  EXPECT_TRUE(at("/iteration/tokens_per_second").is_null());
}

TEST_F(AnalysisJson, TreesAddUp) {
  read(session::TestProfile::make());
  expect_tree("/time/modules", "host_ns");
  expect_tree("/time/lines", "host_ns");
  expect_tree("/memory/modules", "");
  int64_t wall = 0;
  for (const auto& [phase, ns] : sums(at("/time/modules/0/total/host_ns"))) wall += ns;
  EXPECT_EQ(wall, number("/time/wall_ns"));
  int64_t bytes = 0;
  for (const auto& [role, size] : sums(at("/memory/by_role"))) bytes += size;
  EXPECT_EQ(bytes, number("/memory/peak_bytes"));
  EXPECT_EQ(bytes, 1800);
}

TEST_F(AnalysisJson, OperatorsPointToTheirLines) {
  read(session::TestProfile::make());
  EXPECT_EQ(text("/time/modules/2/name"), "fc");
  int64_t forward = -1;
  for (const Element op : elements("/time/modules/2/ops")) {
    if (std::string_view(op["name"]) == "aten::linear") forward = op["stack"];
  }
  ASSERT_GE(forward, 0);
  const std::string stack = "/time/stacks/" + std::to_string(forward);
  EXPECT_EQ(text(stack + "/0/file"), "model.py");
  EXPECT_EQ(number(stack + "/0/line"), 9);
  EXPECT_EQ(text(stack + "/1/file"), "entry_point.py");
}

TEST_F(AnalysisJson, BlocksSayWhoseTheyAre) {
  read(session::TestProfile::make());
  EXPECT_EQ(number("/memory/blocks/0/bytes"), 400);
  EXPECT_EQ(text("/memory/blocks/0/role"), "weights");
  EXPECT_EQ(text("/memory/blocks/0/tensor"), "fc.weight");
  EXPECT_EQ(text("/memory/blocks/1/op"), "aten::addmm");
}

TEST_F(AnalysisJson, ModelsPredictFromOneToTheLargestBatch) {
  read(session::TestProfile::make());
  EXPECT_EQ(number("/batch_sizes/models/time_ns/predictions/0/batch_size"), 1);
  EXPECT_EQ(number("/batch_sizes/models/largest_batch/batch_size"), 100);
  int64_t last = 0;
  for (const Element one : elements("/batch_sizes/models/time_ns/predictions")) {
    EXPECT_GT(int64_t(one["batch_size"]), last);
    last = one["batch_size"];
    EXPECT_LE(int64_t(one["low"]), int64_t(one["value"]));
  }
  EXPECT_EQ(last, 100);
  EXPECT_EQ(text("/batch_sizes/failures/0/sentence"), "BatchNorm needs more than one");
  EXPECT_EQ(text("/batch_sizes/literal/path"), "entry_point.py");
}

TEST_F(AnalysisJson, WhatIsNotKnownYetIsNull) {
  session::ProfileResult early;
  early.loaded.no_literal = "the batch size is computed";
  read(early);
  for (const char* part : {"/iteration", "/time", "/memory", "/batch_sizes/models", "/batch_sizes/literal"})
    EXPECT_TRUE(at(part).is_null()) << part;
  EXPECT_EQ(text("/batch_sizes/no_literal"), "the batch size is computed");
}

TEST_F(AnalysisJson, SameInputGivesTheSameBytes) {
  EXPECT_EQ(analysis_json(session::TestProfile::make(), session::TestProfile::project()),
            analysis_json(session::TestProfile::make(), session::TestProfile::project()));
}

}  // namespace
}  // namespace skyline::report

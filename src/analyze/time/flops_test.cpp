#include "analyze/time/flops.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

// Of the one call of a trace.
std::optional<int64_t> flops(std::string_view name, std::string_view dims, std::string_view concrete = {},
                             std::string_view types = {}) {
  TestTrace t;
  t.op(name, t.thread("1"), 0, 10, dims);
  OpTable& ops = t.draft().ops;
  if (!types.empty()) t.draft().signatures.types.back() = t.draft().strings.intern(types);
  if (!concrete.empty()) ops.concrete_inputs.push_back(t.draft().strings.intern(concrete));
  const std::unique_ptr<const Trace> trace = t.freeze();
  return flops_of(*trace, 0);
}

TEST(Flops, MatrixProductsCountMultiplicationsAndAdditions) {
  EXPECT_EQ(flops("aten::mm", "[[48,6],[6,2]]"), 2 * 48 * 6 * 2);
  EXPECT_EQ(flops("aten::addmm", "[[5],[4,3],[3,5],[],[]]"), 2 * 4 * 3 * 5);
  EXPECT_EQ(flops("aten::bmm", "[[7,4,3],[7,3,5]]"), 2 * 7 * 4 * 3 * 5);
  EXPECT_EQ(flops("aten::baddbmm", "[[7,4,5],[7,4,3],[7,3,5],[],[]]"), 2 * 7 * 4 * 3 * 5);
  EXPECT_EQ(flops("aten::mm", "[[4,0],[0,5]]"), 0);
}

TEST(Flops, ElementsOfTheFirstInput) {
  EXPECT_EQ(flops("aten::mul", "[[3,4],[]]", {}, R"(["float","Scalar"])"), 12);
  EXPECT_EQ(flops("aten::add", "[[],[8]]", {}, R"(["float","float"])"), 1) << "a tensor without dimensions";
  EXPECT_EQ(flops("aten::add", "[[],[8]]", {}, R"(["Scalar","float"])"), std::nullopt);
}

TEST(Flops, ConvolutionsNeedTheValuesOfTheirInputs) {
  constexpr std::string_view kDims = "[[2,6,9,9],[4,3,3,3],[],[],[],[],[]]";
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[1, 1]","[0, 0]","[1, 1]","2"])"),
            2 * 2 * 7 * 7 * 3 * 3 * 6 * 4 / 2);
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[2, 1]","[1, 2]","[1, 2]","2"])"),
            2 * 2 * 5 * 9 * 3 * 3 * 6 * 4 / 2);
  EXPECT_EQ(flops("aten::conv2d", kDims), std::nullopt);
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[1, 1]","same","[1, 1]","2"])"), std::nullopt);
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[0, 1]","[0, 0]","[1, 1]","2"])"), std::nullopt);
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[1, 1]","[0, 0]","[1, 1]","0"])"), std::nullopt);
  EXPECT_EQ(flops("aten::conv2d", kDims, R"(["","","","[1, 1]")"), std::nullopt);
}

TEST(Flops, WhatHasNoFormulaOrNoShapesHasNone) {
  EXPECT_EQ(flops("aten::relu", "[[3,4]]"), std::nullopt);
  EXPECT_EQ(flops("aten::mm", ""), std::nullopt);
  EXPECT_EQ(flops("aten::mm", "[[4],[5]]"), std::nullopt);
  EXPECT_EQ(flops("aten::mm", "[[[4,3],[3,5]]]"), std::nullopt) << "a list of tensors";
}

TEST(Flops, AbsurdSizesHaveNone) {
  EXPECT_EQ(flops("aten::mul", "[[4611686018427387904,4]]"), std::nullopt);
  EXPECT_EQ(flops("aten::mul", "[[-3,4]]"), std::nullopt);
  EXPECT_EQ(flops("aten::conv2d", "[[1,1,4611686018427387904,9],[1,1,3,3]]",
                  R"(["","","","[1, 1]","[0, 0]","[1, 1]","1"])"),
            std::nullopt);
}

}  // namespace
}  // namespace skyline::analyze

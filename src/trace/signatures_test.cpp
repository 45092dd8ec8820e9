#include "trace/signatures.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline {
namespace {

class Signatures {
 public:
  SignatureId add(std::string_view dims, std::string_view types, std::string_view strides = {}) {
    const auto text = [&](std::string_view of) { return of.empty() ? StringId() : trace.strings.intern(of); };
    return SignatureId(
        trace.signatures.add({.dims = text(dims), .types = text(types), .strides = text(strides)}));
  }

  // "0 float 8x16, 2.1 TensorList 3": arguments, elements of lists, types and sizes; strides behind a slash.
  std::string inputs(SignatureId id) const {
    std::string out;
    const InputRange range = inputs_of(trace, id);
    for (uint32_t input = range.begin; input < range.end; ++input) {
      EXPECT_EQ(trace.inputs.signature[input], id);
      out += out.empty() ? "" : ", ";
      out += std::to_string(trace.inputs.argument[input]);
      if (trace.inputs.element[input] >= 0) out += "." + std::to_string(trace.inputs.element[input]);
      out += " " + std::string(trace.strings[trace.inputs.type[input]]) + " ";
      for (const int64_t size : sizes_of(trace, input)) out += std::to_string(size) + "x";
      if (trace.inputs.rank[input] < 0) out += "?";
    }
    return out;
  }

  Trace trace;
};

TEST(ReadSignatures, AnArgumentIsARow) {
  Signatures s;
  const SignatureId mm = s.add("[[8,16],[16,4],[]]", R"(["float","c10::BFloat16","Scalar"])");
  const SignatureId none = s.add("[]", "[]");
  const SignatureId one = s.add("[[1]]", R"(["float"])");
  read_signatures(s.trace);
  EXPECT_EQ(s.inputs(mm), "0 float 8x16x, 1 c10::BFloat16 16x4x, 2 Scalar ");
  EXPECT_EQ(s.inputs(none), "");
  EXPECT_EQ(s.inputs(one), "0 float 1x");
  EXPECT_EQ(s.inputs(SignatureId()), "");
}

TEST(ReadSignatures, AListOfTensorsIsARowForEach) {
  Signatures s;
  const SignatureId cat = s.add("[[[2,3],[],[4]],[]]", R"(["TensorList","Scalar"])");
  read_signatures(s.trace);
  EXPECT_EQ(s.inputs(cat), "0.0 TensorList 2x3x, 0.1 TensorList , 0.2 TensorList 4x, 1 Scalar ");
}

TEST(ReadSignatures, StridesStandBesideTheSizes) {
  Signatures s;
  s.add("[[8,16],[],[7]]", "[]", "[[16,1],[],[0]]");
  s.add("[[5]]", "[]", "[[1],[1]]");  // of something else
  read_signatures(s.trace);
  const InputSizeTable& sizes = s.trace.input_sizes;
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_EQ(sizes.row(0), (InputSizeRow{.size_along = 8, .stride = 16}));
  EXPECT_EQ(sizes.row(1), (InputSizeRow{.size_along = 16, .stride = 1}));
  EXPECT_EQ(sizes.row(2), (InputSizeRow{.size_along = 7, .stride = 0}));
  EXPECT_EQ(sizes.row(3), (InputSizeRow{.size_along = 5, .stride = -1}));
}

TEST(ReadSignatures, WithoutStridesThereIsNoColumn) {
  Signatures s;
  s.add("[[8,16]]", "[]");
  read_signatures(s.trace);
  EXPECT_TRUE(s.trace.input_sizes.stride.empty());
}

TEST(ReadSignatures, TypesAloneAndUnknownTypesAreKept) {
  Signatures s;
  const SignatureId types = s.add("", R"(["float","","a\"b"])");
  const SignatureId dims = s.add("[[2]]", "");
  const SignatureId more = s.add("[[2]]", R"(["float","int"])");
  read_signatures(s.trace);
  EXPECT_EQ(s.inputs(types), R"(0 float ?, 1  ?, 2 a\"b ?)");
  EXPECT_EQ(s.inputs(dims), "0  2x");
  EXPECT_EQ(s.inputs(more), "0 float 2x, 1 int ?");
}

TEST(ReadSignatures, WhatIsNoShapeGivesNoRows) {
  for (const std::string_view dims :
       {"null", "5", "{}", "[", "[[", "[[1", "[[1]", "[[1],", "[[1],]", "[[1,]]", "[1]", "[\"s0\"]",
        "[[1.5]]", "[[s0]]", "[[[[1]]]]", "[[1]]]", "[[1]] ", "[[99999999999999999999]]"}) {
    Signatures s;
    const SignatureId id = s.add(dims, "");
    read_signatures(s.trace);
    EXPECT_EQ(s.inputs(id), "") << dims;
    EXPECT_EQ(s.trace.input_sizes.size(), 0u) << dims;
  }
  for (const std::string_view types : {"null", "[", "[\"", "[\"a", "[5]", "{\"a\":1}", "[\"\\"}) {
    Signatures s;
    const SignatureId id = s.add("", types);
    read_signatures(s.trace);
    EXPECT_EQ(s.inputs(id), "") << types;
  }
}

}  // namespace
}  // namespace skyline

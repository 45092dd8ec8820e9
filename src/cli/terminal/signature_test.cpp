#include "cli/terminal/signature.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

TEST(Signature, ReturnTypeNamespacesAndArgumentsAreDropped) {
  EXPECT_EQ(short_signature("void at::native::copy<4, at::Op<float> >(int, char*)"), "copy<4, Op<float> >");
  EXPECT_EQ(short_signature("void at::native::(anonymous namespace)::cat<at::Array<char*, 3> >(int)"),
            "cat<Array<char*, 3> >");
  EXPECT_EQ(short_signature("void f<(g)1>(int (*)(int))"), "f<(g)1>");
  EXPECT_EQ(short_signature("void gemm<float>"), "gemm<float>");
}

TEST(Signature, MembersOfTemplatesKeepTheirClass) {
  EXPECT_EQ(short_signature("void a::Pool<int>::run(int)"), "Pool<int>::run");
}

TEST(Signature, OtherNamesStay) {
  for (const char* name : {"aten::mm", "Memcpy HtoD (Pinned -> Device)", "ampere_sgemm_128x64_nn", "",
                           "void ", "avoid f()", "ncclDevKernel_AllReduce(ncclDevComm*)"}) {
    EXPECT_EQ(short_signature(name), name);
  }
}

TEST(Signature, OddNamesAreNoTrouble) {
  EXPECT_EQ(short_signature("void f)"), "f)");
  EXPECT_EQ(short_signature("void ::f()"), "::f");
  EXPECT_EQ(short_signature("void ()"), "()");
  EXPECT_EQ(short_signature("void :::::"), ":::::");
}

}  // namespace
}  // namespace skyline::cli

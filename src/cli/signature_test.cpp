#include "cli/signature.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

TEST(Signature, ReturnTypeAndArgumentsAreDropped) {
  EXPECT_EQ(without_signature("void at::native::copy<4>(int, char*)"), "at::native::copy<4>");
  EXPECT_EQ(without_signature("void f<(g)1>(int (*)(int))"), "f<(g)1>");
  EXPECT_EQ(without_signature("void gemm<float>"), "gemm<float>");
}

TEST(Signature, OtherNamesStay) {
  for (std::string_view name :
       {"aten::mm", "Memcpy HtoD (Pinned -> Device)", "ampere_sgemm_128x64_nn", "", "void ", "avoid f()"}) {
    EXPECT_EQ(without_signature(name), name == "void " ? "" : name);
  }
}

TEST(Signature, UnbalancedNamesStayWhole) { EXPECT_EQ(without_signature("void f)"), "f)"); }

}  // namespace
}  // namespace skyline

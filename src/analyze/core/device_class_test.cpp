#include "analyze/core/device_class.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

DeviceClass class_of(Category category, std::string_view name) {
  TestTrace t;
  t.activity(category, name, t.stream(7), 0, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  return DeviceClassifier(*trace)(0);
}

TEST(DeviceClass, CategoryTellsCopiesAndSetsWhateverTheirName) {
  EXPECT_EQ(class_of(Category::kMemcpy, "nccl-like copy"), DeviceClass::kCopy);
  EXPECT_EQ(class_of(Category::kMemset, "Memset (Device)"), DeviceClass::kSet);
}

TEST(DeviceClass, DmaOfOtherDevicesIsACopy) {
  EXPECT_EQ(class_of(Category::kDeviceOther, "dma_transfer"), DeviceClass::kCopy);
  EXPECT_EQ(class_of(Category::kDeviceOther, "fused_matmul"), DeviceClass::kCompute);
  EXPECT_EQ(class_of(Category::kKernel, "dma_like_kernel"), DeviceClass::kCompute);
}

TEST(DeviceClass, CollectiveLibrariesAreKnownByNameInAnyCase) {
  for (const std::string_view name :
       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "void NCCLKernel<1>", "rcclGenericKernel", "nvshmemi_put",
        "void deep_ep::intranode::dispatch<8>", "dpsk::ep::internode::combine", "mscclpp::allreduce1",
        "void c10d::symm_mem::barrier_kernel", "one_shot_all_reduce_kernel", "multimem_all_reduce_kernel",
        "void vllm::cross_device_reduce_1stage<half, 8>", "all_reduce_two_shot_kernel"}) {
    EXPECT_EQ(class_of(Category::kKernel, name), DeviceClass::kCommunication) << name;
  }
}

TEST(DeviceClass, HipKernelsAreNotCommunication) {
  EXPECT_EQ(class_of(Category::kKernel, "hipblaslt_gemm"), DeviceClass::kCompute);
}

TEST(DeviceClass, KernelWithACollectiveRowIsCommunicationWhateverItsName) {
  TestTrace t;
  t.kernel("my_exchange", t.stream(7), 0, 10).collective("all_to_all");
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(DeviceClassifier(*trace)(0), DeviceClass::kCommunication);
}

TEST(DeviceClass, CommunicationNamesAreLowerCase) {
  for (const std::string_view part : kCommunicationNames) {
    for (const char c : part) EXPECT_FALSE(c >= 'A' && c <= 'Z') << part;
  }
}

}  // namespace
}  // namespace skyline::analyze

#include "analyze/core/host_ranges.h"

#include <gtest/gtest.h>

namespace skyline::analyze {
namespace {

TEST(HostRanges, DataLoaderIsKnownAsRangeAndAsPythonFrame) {
  EXPECT_TRUE(names_input_fetch("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"));
  EXPECT_TRUE(names_input_fetch("enumerate(DataPipe)#MapperIterDataPipe"));
  EXPECT_TRUE(names_input_fetch("torch/utils/data/dataloader.py(630): __next__"));
  EXPECT_TRUE(
      names_input_fetch("/opt/lib/python3.11/site-packages/torch/utils/data/dataloader.py(708): __next__"));
  EXPECT_FALSE(names_input_fetch("torch/utils/data/dataloader.py(380): __init__"));
  EXPECT_FALSE(names_input_fetch("my/loader.py(3): __next__"));
}

TEST(HostRanges, OnlyCollectivesThatTheHostCarriesOutAreHostCommunication) {
  EXPECT_TRUE(names_host_communication("gloo:all_reduce"));
  EXPECT_TRUE(names_host_communication("c10d::allreduce_"));
  EXPECT_TRUE(names_host_communication("record_param_comms"));
  EXPECT_FALSE(names_host_communication("nccl:all_reduce"));
  EXPECT_FALSE(names_host_communication("aten::mm"));
}

}  // namespace
}  // namespace skyline::analyze

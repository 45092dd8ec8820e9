#include "ingest/kineto_json/envelope.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline::ingest::kineto_json {
namespace {

TEST(ReadMetadata, DevicesWithTheirProperties) {
  TraceInfo info;
  ASSERT_TRUE(read_metadata("deviceProperties", R"([
    {"id": 0, "name": "NVIDIA A100", "totalGlobalMem": 42505273344, "computeMajor": 8, "computeMinor": 0,
     "maxThreadsPerMultiprocessor": 2048, "warpSize": 32, "numSms": 108},
    {"id": "x"}, 7])",
                            info));
  ASSERT_EQ(info.devices.size(), 3u);
  EXPECT_EQ(info.devices[0].id, 0);
  EXPECT_EQ(info.devices[0].name, "NVIDIA A100");
  EXPECT_EQ(info.devices[0].memory_bytes, 42505273344);
  EXPECT_EQ(info.devices[0].compute_major, 8);
  EXPECT_EQ(info.devices[0].multiprocessors, 108);
  EXPECT_EQ(info.devices[0].warp_size, 32);
  EXPECT_EQ(info.devices[0].max_threads_per_multiprocessor, 2048);
  EXPECT_EQ(info.devices[1].id, -1);
}

TEST(ReadMetadata, TheRankAndItsWorld) {
  TraceInfo info;
  ASSERT_TRUE(read_metadata(
      "distributedInfo",
      R"({"backend": "nccl", "rank": 3, "world_size": 8, "pg_count": 1, "pg_config": [{"ranks": "[0, 1]"}], "nccl_version": "2.18.3"})",
      info));
  EXPECT_EQ(info.rank, 3);
  EXPECT_EQ(info.world_size, 8);
  EXPECT_EQ(info.backend, "nccl");
  EXPECT_EQ(info.nccl_version, "2.18.3");
}

TEST(ReadMetadata, TheClockBaseKeepsEveryDigit) {
  TraceInfo info;
  ASSERT_TRUE(read_metadata("baseTimeNanoseconds", "1727367894000000001", info));
  EXPECT_EQ(info.base_ns, 1727367894000000001);
  ASSERT_TRUE(read_metadata("baseTimeNanoseconds", "\"1727367894000000002\"", info));
  EXPECT_EQ(info.base_ns, 1727367894000000002);
  ASSERT_TRUE(read_metadata("baseTimeNanoseconds", "1.727367894000000003e18", info));
  EXPECT_EQ(info.base_ns, 1727367894000000003);
}

TEST(ReadMetadata, AClockBaseThatIsNoneIsSaidToBeUnreadable) {
  TraceInfo info;
  for (const char* json :
       {"null", "NaN", "1e300", "-5", "9223372036854775807", "1.5", "[]", "{}", "\"\"", "\"", "true"}) {
    EXPECT_FALSE(read_metadata("baseTimeNanoseconds", json, info)) << json;
  }
  EXPECT_EQ(info.base_ns, 0);
}

TEST(ReadMetadata, SwitchesAreOnOrOffOrNotSaid) {
  TraceInfo info;
  ASSERT_TRUE(read_metadata("with_stack", "1", info));
  ASSERT_TRUE(read_metadata("record_shapes", "0", info));
  EXPECT_EQ(info.with_stack, 1);
  EXPECT_EQ(info.record_shapes, 0);
  EXPECT_EQ(info.profile_memory, -1);
}

TEST(ReadMetadata, OtherScalarsAreKeptAsWrittenAndTheLastWins) {
  TraceInfo info;
  ASSERT_TRUE(read_metadata("cupti_version", "18", info));
  ASSERT_TRUE(read_metadata("trace_id", "\"ABC\"", info));
  ASSERT_TRUE(read_metadata("trace_id", "\"DEF\"", info));
  ASSERT_TRUE(read_metadata("list", "[1, 2]", info));
  ASSERT_EQ(info.metadata.size(), 2u);
  EXPECT_EQ(info.metadata[0], (std::pair<std::string, std::string>("cupti_version", "18")));
  EXPECT_EQ(info.metadata[1], (std::pair<std::string, std::string>("trace_id", "DEF")));
}

TEST(ReadMetadata, LongTextsAreCutBetweenCharacters) {
  for (size_t before = 500; before < 520; ++before) {
    TraceInfo info;
    std::string text(before, 'x');
    for (int i = 0; i < 300; ++i) text += "\xe4\xb8\x96";
    ASSERT_TRUE(read_metadata("key", "\"" + text + "\"", info));
    const std::string& kept = info.metadata[0].second;
    EXPECT_LE(kept.size(), 520u);
    EXPECT_EQ((kept.size() - std::min(kept.size(), before)) % 3, 0u) << before;
  }
}

TEST(ReadMetadata, HoweverManyKeysThereAreMemoryStaysSmall) {
  TraceInfo info;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(read_metadata("key" + std::to_string(i), "1", info));
  EXPECT_LE(info.metadata.size(), 64u);
}

TEST(ReadMetadata, WhatIsNotJsonIsUnreadable) {
  TraceInfo info;
  std::string deep = std::string(100000, '[') + std::string(100000, ']');
  for (const std::string& json :
       {std::string("[\"a \"b\" c\"]"), std::string("inf"), std::string("[1, ]"), std::string("\"\xff\""),
        std::string("123456789012345678901234567890"), std::string(""), deep}) {
    EXPECT_FALSE(read_metadata("key", json, info)) << json.substr(0, 40);
  }
  EXPECT_TRUE(info.metadata.empty());
}

TEST(NameProducer, TellsTorchAndTheDeviceLibraries) {
  TraceInfo info;
  info.schema_version = 1;
  ASSERT_TRUE(read_metadata("cupti_version", "18", info));
  ASSERT_TRUE(read_metadata("cuda_runtime_version", "12010", info));
  info.nccl_version = "2.18.3";
  name_producer(info);
  EXPECT_EQ(info.producer, "torch.profiler, CUPTI 18, CUDA 12010, NCCL 2.18.3");
  TraceInfo nothing;
  name_producer(nothing);
  EXPECT_EQ(nothing.producer, "unknown");
}

}  // namespace
}  // namespace skyline::ingest::kineto_json

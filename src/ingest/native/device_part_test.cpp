// A recording of the host that brings along what Kineto recorded of the devices.
#include <gtest/gtest.h>

#include "ingest/ingest.h"
#include "ingest/native/test_recording.h"

namespace skyline::ingest::native {
namespace {

using tracefile::EventKind;

// The host's times are nanoseconds behind kStartNs; Kineto's are microseconds of Unix time, relative to a
// base.
std::string kineto_text(int64_t host_ns) {
  const auto event = [&](const std::string& category, const std::string& name, const std::string& place,
                         int64_t start_ns, int64_t dur_ns) {
    const int64_t ns = host_ns + start_ns;
    return R"({"ph":"X","cat":")" + category + R"(","name":")" + name + "\"," + place + R"("ts":)" +
           std::to_string(ns / 1000) + "." + std::to_string(1000 + ns % 1000).substr(1) + R"(,"dur":)" +
           std::to_string(dur_ns / 1000) + "." + std::to_string(1000 + dur_ns % 1000).substr(1) +
           R"(,"args":{"correlation":9,"device":0,"stream":7,"grid":[1,2,3]}})";
  };
  return R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"A100"}],"baseTimeNanoseconds":)" +
         std::to_string(TestRecording::kStartNs - host_ns) + R"(,"traceEvents":[)" +
         event("cuda_runtime", "cudaLaunchKernel", R"("pid":77,"tid":100,)", 2'000, 3'000) + "," +
         event("cpu_op", "aten::mm", R"("pid":77,"tid":100,)", 1'000, 9'000) + "," +
         event("kernel", "gemm", R"("pid":0,"tid":7,)", 20'000, 5'000) + "]}";
}

TestRecording recording() {
  TestRecording recorded;
  recorded.meta["device.recorder"] = "kineto";
  recorded.event(EventKind::kOp, "aten::mm", recorded.thread(100), 1'000, 9'000);
  return recorded;
}

TEST(DevicePart, KernelsBelongToTheRecordedOperators) {
  TestRecording recorded = recording();
  const std::string text = kineto_text(4'000'000);
  recorded.device_text = {text.substr(0, 100), text.substr(100)};
  const std::unique_ptr<const Trace> trace = recorded.read();
  ASSERT_EQ(trace->activities.size(), 1u);
  ASSERT_EQ(trace->ops.size(), 1u);
  const SliceId launch = trace->activities.launch[0];
  ASSERT_TRUE(launch.exists());
  EXPECT_EQ(trace->launches.op[trace->slices.detail[launch.value]], trace->ops.slice[0]);
  const SliceId kernel = trace->activities.slice[0];
  const SliceId op = trace->ops.slice[0];
  EXPECT_EQ(trace->slices.start_ns[kernel.value] - trace->slices.start_ns[op.value], 19'000);
  EXPECT_EQ(trace->info.devices.at(0).name, "A100");
  EXPECT_EQ(trace->losses.total(Severity::kDataLoss), 0u);
  EXPECT_NE(trace->args->event_text(trace->slices.source_place[kernel.value]).value().find("[1,2,3]"),
            std::string::npos);
  EXPECT_NE(trace->args->event_text(trace->slices.source_place[op.value]).value().find("aten::mm"),
            std::string::npos);
}

TEST(DevicePart, AKeptCopyHasItToo) {
  TestRecording recorded = recording();
  recorded.device_text = {kineto_text(4'000'000)};
  const std::unique_ptr<const Trace> trace = recorded.read();
  const std::string path = testing::TempDir() + "device_part_test.skyline";
  ASSERT_TRUE(write_skyline(*trace, path, {.replace = true}).ok());
  Result<std::unique_ptr<const Trace>> again = read_trace(path, {});
  ASSERT_TRUE(again.ok());
  const Trace& copy = *again.value();
  ASSERT_EQ(copy.activities.size(), 1u);
  const uint64_t place = copy.slices.source_place[copy.activities.slice[0].value];
  EXPECT_NE(copy.args->event_text(place).value().find("[1,2,3]"), std::string::npos);
  std::remove(path.c_str());
}

TEST(DevicePart, APartThatIsMissingIsALoss) {
  const std::unique_ptr<const Trace> trace = recording().read();
  EXPECT_EQ(trace->losses[Loss::kDevicePart].count, 1u);
  EXPECT_EQ(trace->ops.size(), 1u);
}

TEST(DevicePart, TextThatIsNoTraceCostsTheDevicePartOnly) {
  TestRecording recorded = recording();
  recorded.device_text = {"<html>no trace</html>"};
  const std::unique_ptr<const Trace> trace = recorded.read();
  EXPECT_EQ(trace->losses[Loss::kDevicePart].count, 1u);
  EXPECT_EQ(trace->ops.size(), 1u);
  EXPECT_EQ(trace->activities.size(), 0u);
}

TEST(DevicePart, TextThatIsCutIsUsedAsFarAsItGoes) {
  TestRecording recorded = recording();
  const std::string text = kineto_text(4'000'000);
  recorded.device_text = {text.substr(0, text.size() - 40)};
  const std::unique_ptr<const Trace> trace = recorded.read();
  EXPECT_EQ(trace->launches.size(), 1u);
  EXPECT_EQ(trace->losses[Loss::kTruncated].count, 1u);
}

}  // namespace
}  // namespace skyline::ingest::native

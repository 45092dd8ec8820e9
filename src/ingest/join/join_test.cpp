#include "ingest/join/join.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline::ingest {
namespace {

constexpr int64_t kUs = 1000;

// Operators of 20 µs with pauses of growing length, so that no two shifts fit equally well.
struct Host {
  TestDraft draft;
  TrackId main = draft.track("77", "100");
  std::vector<int64_t> starts;

  explicit Host(int ops = 300) {
    int64_t at = 1'000 * kUs;
    for (int i = 0; i < ops; ++i) {
      draft.op("aten::mm", main, at, 20 * kUs);
      starts.push_back(at);
      at += (25 + (i * 7) % 13) * kUs;
    }
  }
};

// One call in each operator, and a kernel for each call, all moved by `shift`.
struct Device {
  TestDraft draft;
  TrackId main, stream;

  explicit Device(const Host& host, int64_t shift, std::string_view thread = "100") {
    main = draft.track("77", thread);
    stream = draft.track("0", "7");
    uint64_t correlation = 1;
    for (const int64_t start : host.starts) {
      draft.launch(main, start + 5 * kUs + shift, 4 * kUs, correlation);
      draft.kernel(stream, start + 30 * kUs + shift, 10 * kUs, correlation++);
    }
  }
};

struct Joined {
  std::unique_ptr<const Trace> trace;
  ClockShift clock;
};

Joined join(Host host, Device device) {
  Joined joined;
  joined.clock = join_device(host.draft.builder, std::move(device.draft.builder));
  joined.trace = std::move(host.draft.builder).freeze(1);
  return joined;
}

size_t kernels_below_an_op(const Trace& trace) {
  size_t count = 0;
  for (const SliceId launch : trace.activities.launch) {
    if (!launch.exists()) continue;
    const uint32_t row = trace.slices.detail[launch.value];
    count += trace.launches.op[row].exists();
  }
  return count;
}

TEST(Join, KernelsFindTheOperatorOfTheOtherRecording) {
  const Joined joined = join(Host(), Device(Host(), 0));
  EXPECT_EQ(joined.trace->activities.size(), 300u);
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u);
  EXPECT_EQ(joined.clock.shift_ns, 0);
}

TEST(Join, ClocksThatDisagreeAreBroughtTogether) {
  for (const int64_t shift : {-40'000 * kUs, -3'000 * kUs, -11 * kUs, 17 * kUs, 900 * kUs, 40'000 * kUs}) {
    const Joined joined = join(Host(), Device(Host(), shift));
    EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u) << shift;
    EXPECT_NEAR(static_cast<double>(joined.clock.shift_ns), static_cast<double>(-shift), 12.0 * kUs) << shift;
  }
}

TEST(Join, AShiftThatIsHardlyBetterChangesNothing) {
  // The only call that is outside would be inside a little later.
  Host host;
  Device device(host, 0);
  device.draft.launch(device.main, host.starts.back() + 18 * kUs, 4 * kUs, 100'000);
  const Joined joined = join(std::move(host), std::move(device));
  EXPECT_EQ(joined.clock.shift_ns, 0);
}

TEST(Join, BasesOfTheTwoFilesMayDiffer) {
  Host host;
  Device device(host, -5'000'000'000);
  host.draft.draft().info.base_ns = 1'000'000'000'000;
  device.draft.draft().info.base_ns = 1'005'000'000'000;
  const Joined joined = join(std::move(host), std::move(device));
  EXPECT_EQ(joined.clock.shift_ns, 0);
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u);
}

TEST(Join, AThreadWithAnotherNumberIsKnownByItsCalls) {
  const Joined joined = join(Host(), Device(Host(), 0, "140737353"));
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u);
  EXPECT_EQ(joined.trace->tracks.size(), 2u);  // the thread and the stream
}

TEST(Join, AThreadThatCouldBeTwoStaysItself) {
  Host host;
  const TrackId twin = host.draft.track("77", "101");
  for (const int64_t start : host.starts) host.draft.op("aten::mm", twin, start, 20 * kUs);
  const Joined joined = join(std::move(host), Device(Host(), 0, "140737353"));
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 0u);
  EXPECT_EQ(joined.trace->tracks.size(), 4u);
}

TEST(Join, WhatTheDevicesRecorderSawOfTheHostIsLeftOut) {
  Host host;
  Device device(host, 0);
  for (const int64_t start : host.starts) device.draft.op("aten::mm", device.main, start, 20 * kUs);
  device.draft.python("nn.Module: Net", device.main, 0, 100 * kUs);
  device.draft.draft().event_count = 901;
  const Joined joined = join(std::move(host), std::move(device));
  EXPECT_EQ(joined.trace->ops.size(), 300u);
  EXPECT_EQ(joined.trace->pythons.size(), 0u);
  EXPECT_EQ(joined.trace->event_count, 600u);
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u);
}

TEST(Join, KernelsWithoutACallKeepNone) {
  Host host;
  Device device(host, 0);
  device.draft.kernel(device.stream, 5'000 * kUs, kUs, kNoCorrelation);
  device.draft.kernel(device.stream, 5'100 * kUs, kUs, 99'999);
  const Joined joined = join(std::move(host), std::move(device));
  EXPECT_EQ(joined.trace->activities.size(), 302u);
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 300u);
}

TEST(Join, OneCallMayLaunchAWholeGraph) {
  Host host;
  Device device(host, 0);
  for (int i = 0; i < 20; ++i) device.draft.kernel(device.stream, (2'000 + i) * kUs, kUs / 2, 1);
  const Joined joined = join(std::move(host), std::move(device));
  EXPECT_EQ(kernels_below_an_op(*joined.trace), 320u);
}

TEST(Join, AnEmptyPartOnEitherSideIsNoTrouble) {
  EXPECT_EQ(join(Host(0), Device(Host(), 0)).trace->activities.size(), 300u);
  EXPECT_EQ(join(Host(), Device(Host(0), 0)).trace->ops.size(), 300u);
}

// Says what it was asked.
class Echo : public ArgsSource {
 public:
  explicit Echo(std::string name) : name_(std::move(name)) {}
  Result<std::string> event_text(uint64_t offset) const override {
    return name_ + " " + std::to_string(offset);
  }
  Result<std::string> text_at(uint64_t, size_t) const override { return std::string(); }
  size_t held_bytes() const override { return 1; }

 private:
  const std::string name_;
};

TEST(Join, ArgsComeFromTheRecordingOfTheEvent) {
  const auto args = joined_args(std::make_unique<Echo>("host"), std::make_unique<Echo>("device"));
  EXPECT_EQ(args->event_text(5).value(), "host 5");
  EXPECT_EQ(args->event_text(kDeviceSourcePlace + 5).value(), "device 5");
  EXPECT_FALSE(joined_args(nullptr, nullptr)->event_text(5).ok());
}

}  // namespace
}  // namespace skyline::ingest

#include "serve/methods/timeline.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstring>

#include "trace/builder.h"

namespace skyline::serve {
namespace {

// A thread with two operators, one of which launches a kernel on a stream.
class SmallTrace {
 public:
  SmallTrace() {
    const TrackId main = track("1", "1"), stream = track("0", "stream 7");
    op("aten::linear", main, 1000, 100'000);
    op("aten::mm", main, 2000, 50'000);
    Trace& draft = builder_.draft;
    draft.launches.add(
        {.slice = slice(Category::kRuntime, "cudaLaunchKernel", main, 3000, 1000, 0), .correlation = 5});
    draft.activities.add({.slice = slice(Category::kKernel, "gemm", stream, 8000, 40'000, 0),
                          .correlation = 5,
                          .device = 0,
                          .stream = 7});
  }

  Trace& draft() { return builder_.draft; }
  std::shared_ptr<const Trace> freeze() { return std::move(builder_).freeze(1); }

 private:
  TrackId track(std::string_view process, std::string_view thread) {
    Track added;
    added.process = builder_.draft.strings.intern(process);
    added.thread = builder_.draft.strings.intern(thread);
    builder_.draft.tracks.push_back(added);
    return TrackId(static_cast<uint32_t>(builder_.draft.tracks.size() - 1));
  }

  SliceId slice(Category category, std::string_view name, TrackId track, int64_t start, int64_t dur,
                size_t detail) {
    return SliceId(builder_.draft.slices.add({.start_ns = start,
                                              .dur_ns = dur,
                                              .name = builder_.draft.strings.intern(name),
                                              .track = track,
                                              .category = category,
                                              .detail = static_cast<uint32_t>(detail)}));
  }

  void op(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    OpTable& ops = builder_.draft.ops;
    ops.add({.slice = slice(Category::kCpuOp, name, track, start, dur, ops.size())});
  }

  TraceBuilder builder_;
};

class TimelineMethods : public testing::Test {
 protected:
  TimelineMethods() { traces_.put("0", "small", SmallTrace().freeze()); }

  Reply ask(const std::string& method, const std::string& params) {
    const Context context = {.program = "skyline test", .traces = traces_};
    return answer_request(
        context, R"({"id": 7, "method": ")" + method + R"(", "params": {"trace": "0")" + params + "}}");
  }

  OpenedTraces traces_;
};

// Reads columns as a page does.
class Columns {
 public:
  explicit Columns(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  T one() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  template <typename T>
  std::vector<T> column(size_t count) {
    EXPECT_EQ(at_ % 8, 0u);
    std::vector<T> values;
    for (size_t i = 0; i < count; ++i) values.push_back(one<T>());
    at_ = (at_ + 7) / 8 * 8;
    return values;
  }

  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

TEST_F(TimelineMethods, TimelineNamesTracksInTheOrderOfTheirRows) {
  const Reply reply = ask("timeline", "");
  simdjson::dom::parser parser;
  const simdjson::dom::element result = parser.parse(reply.body)["result"];
  EXPECT_EQ(int64_t(result["start_ns"]), 0);
  EXPECT_EQ(int64_t(result["end_ns"]), 100'000);
  EXPECT_EQ(std::string_view(result["tracks"].at(0)["name"]), "main thread 1");
  EXPECT_EQ(int64_t(result["tracks"].at(0)["rows"]), 3);
  EXPECT_EQ(int64_t(result["tracks"].at(0)["slices"]), 3);
  EXPECT_EQ(std::string_view(result["tracks"].at(1)["name"]), "stream 7 · GPU 0");
  EXPECT_EQ(std::string_view(result["tracks"].at(1)["kind"]), "stream");
}

TEST_F(TimelineMethods, TilesAreColumns) {
  const Reply reply = ask("tiles", R"(, "level": 8, "index": 0, "tracks": [1, 0])");
  ASSERT_TRUE(reply.is_binary);
  Columns columns(reply.body);
  EXPECT_EQ(columns.one<uint64_t>(), 7u);
  EXPECT_EQ(columns.one<uint32_t>(), 2u);
  EXPECT_EQ(columns.one<uint32_t>(), 0u);

  EXPECT_EQ(columns.column<uint32_t>(4), (std::vector<uint32_t>{1, 1, 1, 4}));
  EXPECT_EQ(columns.column<double>(1), std::vector<double>{7000});
  EXPECT_EQ(columns.column<double>(1), std::vector<double>{47'000});
  EXPECT_EQ(columns.column<uint32_t>(1), std::vector<uint32_t>{3});
  const uint32_t gemm = columns.column<uint32_t>(1).front();
  EXPECT_EQ(columns.column<uint32_t>(1), std::vector<uint32_t>{1});
  EXPECT_EQ(columns.column<uint16_t>(1), std::vector<uint16_t>{0});
  EXPECT_EQ(columns.column<uint8_t>(1), std::vector<uint8_t>{static_cast<uint8_t>(Category::kKernel)});
  EXPECT_EQ(columns.column<uint32_t>(1), std::vector<uint32_t>{gemm});
  EXPECT_EQ(columns.column<uint32_t>(1), std::vector<uint32_t>{4});
  EXPECT_EQ(columns.column<char>(4), (std::vector<char>{'g', 'e', 'm', 'm'}));

  // The launch is too short for its name.
  const std::vector<uint32_t> head = columns.column<uint32_t>(4);
  EXPECT_EQ(head, (std::vector<uint32_t>{0, 3, 2, 12 + 8}));
  EXPECT_EQ(columns.column<double>(3), (std::vector<double>{0, 1000, 2000}));
  EXPECT_EQ(columns.column<double>(3), (std::vector<double>{100'000, 51'000, 3000}));
  EXPECT_EQ(columns.column<uint32_t>(3), (std::vector<uint32_t>{0, 1, 2}));
  const std::vector<uint32_t> names = columns.column<uint32_t>(3);
  EXPECT_EQ(columns.column<uint32_t>(3), (std::vector<uint32_t>{1, 1, 1}));
  EXPECT_EQ(columns.column<uint16_t>(3), (std::vector<uint16_t>{0, 1, 2}));
  EXPECT_EQ(columns.column<uint8_t>(3),
            (std::vector<uint8_t>{0, 0, static_cast<uint8_t>(Category::kRuntime)}));
  EXPECT_EQ(columns.column<uint32_t>(2), (std::vector<uint32_t>{names[0], names[1]}));
  EXPECT_EQ(columns.column<uint32_t>(2), (std::vector<uint32_t>{12, 20}));
  columns.column<char>(20);
  EXPECT_TRUE(columns.at_end());
}

TEST_F(TimelineMethods, CounterTilesAreColumns) {
  simdjson::dom::parser parser;
  const std::string timeline = ask("timeline", "").body;
  const simdjson::dom::element counter = parser.parse(timeline)["result"]["counters"].at(0);
  EXPECT_EQ(std::string_view(counter["name"]), "queue depth · GPU 0");
  EXPECT_EQ(std::string_view(counter["unit"]), "count");
  EXPECT_EQ(double(counter["high"]), 1);

  const Reply reply = ask("counter_tiles", R"(, "level": 4, "index": 0, "counters": [0])");
  ASSERT_TRUE(reply.is_binary);
  Columns columns(reply.body);
  EXPECT_EQ(columns.one<uint64_t>(), 7u);
  EXPECT_EQ(columns.column<uint32_t>(2), (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(columns.column<uint32_t>(2), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(columns.column<double>(2), (std::vector<double>{2000, 7000}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(columns.column<double>(2), (std::vector<double>{1, 0}));
  EXPECT_TRUE(columns.at_end());
}

TEST_F(TimelineMethods, ASliceComesWithWhatItIsLinkedTo) {
  simdjson::dom::parser parser;
  const std::string reply = ask("slice", R"(, "slice": 2)").body;
  const simdjson::dom::element launch = parser.parse(reply)["result"];
  EXPECT_EQ(std::string_view(launch["slice"]["name"]), "cudaLaunchKernel");
  EXPECT_EQ(std::string_view(launch["slice"]["category"]), "runtime");
  EXPECT_EQ(int64_t(launch["slice"]["row"]), 2);
  EXPECT_EQ(int64_t(launch["slice"]["start_ns"]), 2000);
  EXPECT_EQ(std::string_view(launch["parents"].at(0)["name"]), "aten::linear");
  EXPECT_EQ(std::string_view(launch["flows"].at(0)["kind"]), "op");
  EXPECT_EQ(std::string_view(launch["flows"].at(0)["slice"]["name"]), "aten::mm");
  EXPECT_EQ(std::string_view(launch["flows"].at(1)["kind"]), "activity");
  EXPECT_EQ(int64_t(launch["flows"].at(1)["slice"]["track"]), 1);
  EXPECT_EQ(std::string_view(launch["args"].at(0)["name"]), "correlation");
  EXPECT_EQ(std::string_view(launch["args"].at(0)["value"]), "5");
}

TEST_F(TimelineMethods, ArgsAreThoseOfTheFile) {
  class Args : public ArgsSource {
    Result<std::string> event_text(uint64_t) const override {
      return std::string(R"({"name": "x", "args": {"Input Dims": [[2, 3]], "Op": "a\"b", "bytes": 7}})");
    }
    Result<std::string> text_at(uint64_t, size_t) const override { return std::string(); }
    size_t held_bytes() const override { return 0; }
  };
  SmallTrace small;
  small.draft().args = std::make_unique<Args>();
  traces_.put("0", "small", small.freeze());
  const std::string reply = ask("slice", R"(, "slice": 0)").body;
  simdjson::dom::parser parser;
  const simdjson::dom::element args = parser.parse(reply)["result"]["args"];
  EXPECT_EQ(std::string_view(args.at(0)["value"]), "[[2,3]]");
  EXPECT_EQ(std::string_view(args.at(1)["name"]), "Op");
  EXPECT_EQ(std::string_view(args.at(1)["value"]), "a\"b");
  EXPECT_EQ(std::string_view(args.at(2)["value"]), "7");
}

TEST_F(TimelineMethods, SearchTellsAllAndSendsSome) {
  const std::string reply = ask("search", R"(, "text": "ATEN", "limit": 1)").body;
  simdjson::dom::parser parser;
  const simdjson::dom::element result = parser.parse(reply)["result"];
  EXPECT_EQ(int64_t(result["total"]), 2);
  EXPECT_EQ(simdjson::dom::array(result["slices"]).size(), 1u);
  EXPECT_EQ(std::string_view(result["slices"].at(0)["name"]), "aten::linear");
}

TEST_F(TimelineMethods, ARangeIsSummedUp) {
  const std::string reply = ask("range", R"(, "start_ns": 0, "end_ns": 10000, "tracks": [0, 1])").body;
  simdjson::dom::parser parser;
  const simdjson::dom::element result = parser.parse(reply)["result"];
  EXPECT_EQ(int64_t(result["dur_ns"]), 10'000);
  EXPECT_EQ(std::string_view(result["categories"].at(0)["name"]), "cpu_op");
  EXPECT_EQ(int64_t(result["categories"].at(0)["count"]), 2);
  EXPECT_EQ(int64_t(result["categories"].at(0)["busy_ns"]), 10'000);
  EXPECT_EQ(std::string_view(result["names"].at(1)["name"]), "aten::mm");
  EXPECT_EQ(int64_t(result["names"].at(1)["total_ns"]), 9000);
}

TEST_F(TimelineMethods, WrongNumbersAreAnsweredWithASentence) {
  const auto is_refused = [&](const std::string& method, const std::string& params) {
    return ask(method, params).body.starts_with(R"({"id":7,"error":)");
  };
  EXPECT_TRUE(is_refused("slice", R"(, "slice": 4)"));
  EXPECT_TRUE(is_refused("slice", R"(, "slice": -1)"));
  EXPECT_TRUE(is_refused("counter_tiles", R"(, "level": 4, "index": 0, "counters": [1])"));
  EXPECT_TRUE(is_refused("counter_tiles", R"(, "level": 99, "index": 0, "counters": [0])"));
  EXPECT_TRUE(is_refused("range", R"(, "start_ns": 1, "end_ns": 0, "tracks": [0])"));
  EXPECT_TRUE(is_refused("range", R"(, "start_ns": 0, "end_ns": 1, "tracks": [9])"));
  for (const char* params :
       {R"(, "level": 53, "index": 0, "tracks": [])", R"(, "level": -1, "index": 0, "tracks": [])",
        R"(, "level": 3, "index": 9223372036854775807, "tracks": [])",
        R"(, "level": 3, "index": 0, "tracks": [2])", R"(, "level": 3, "index": 0, "tracks": [-1])"}) {
    EXPECT_TRUE(ask("tiles", params).body.starts_with(R"({"id":7,"error":)")) << params;
  }
  std::string many = "0";
  for (int i = 0; i < 1000; ++i) many += ",0";
  EXPECT_NE(ask("tiles", R"(, "level": 3, "index": 0, "tracks": [)" + many + "]").body.find("too many"),
            std::string::npos);
}

}  // namespace
}  // namespace skyline::serve

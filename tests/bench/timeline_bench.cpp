// What the timeline of a large trace costs: its index, tiles by level, search, ranges and single slices.
//
//   timeline_bench [EVENTS]      10 million without
//
// Latencies are of whole answers, bytes and all, on one thread, as its processor time: a busy machine changes
// them little. Tiles are taken at random places of the trace, each cold for the answer itself (nothing is
// kept of one).
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "analyze/analyze.h"
#include "analyze/core/test_trace.h"
#include "serve/methods/registry.h"

namespace skyline {
namespace {

// Ten steps a second on a training thread with a dozen depths, backward on a second thread, kernels on four
// streams.
class TraceMaker {
 public:
  explicit TraceMaker(size_t events) : events_(events) {
    for (int i = 0; i < 300; ++i) names_.push_back("aten::operator_with_a_name_" + std::to_string(i));
    for (const int stream : {7, 16, 20, 24}) streams_.push_back(trace_.stream(stream));
  }

  std::shared_ptr<const Trace> make() {
    int64_t at = 1'000'000;
    for (int number = 0; count_ < events_; ++number) {
      const int64_t start = at;
      for (int i = 0; i < 200; ++i) at += 500 + frame(main_, at, 0);
      int64_t backward = start + (at - start) / 2;
      for (int i = 0; i < 120; ++i) backward += 500 + frame(autograd_, backward, 5);
      at = std::max(at, backward) + below(20'000'000);
      trace_.step(number, main_, start, at - start - 1);
    }
    return trace_.freeze();
  }

 private:
  int64_t below(uint64_t bound) { return static_cast<int64_t>(random_() % bound); }

  // A call with calls inside it; the innermost ones launch. Gives its duration.
  int64_t frame(TrackId track, int64_t start, int depth) {
    int64_t at = start + 200 + below(500);
    if (depth >= 10 || (depth > 4 && below(3) == 0)) {
      launch(track, at);
      at += 2500 + below(4000);
    } else {
      for (int64_t children = 1 + below(2); children >= 0; --children)
        at += 200 + frame(track, at, depth + 1);
    }
    const std::string& name = names_[static_cast<size_t>(below(names_.size()))];
    if (depth < 4) {
      trace_.python("model.py(" + std::to_string(depth) + "): forward", track, start, at - start);
    } else {
      trace_.op(name, track, start, at - start);
    }
    ++count_;
    return at - start;
  }

  void launch(TrackId track, int64_t at) {
    const TrackId stream = streams_[static_cast<size_t>(below(4) < 3 ? 0 : below(4))];
    int64_t& free = free_[stream];
    free = std::max(free + 300, at + 4000);
    const int64_t dur = 1000 + below(6000);
    trace_.launch(track, at, 1500 + below(1000), ++correlation_);
    trace_.kernel("void kernel_" + std::to_string(below(80)), stream, free, dur, correlation_);
    free += dur;
    count_ += 2;
  }

  const size_t events_;
  size_t count_ = 0;
  uint64_t correlation_ = 0;
  std::mt19937_64 random_{1};
  analyze::TestTrace trace_;
  const TrackId main_ = trace_.thread("1"), autograd_ = trace_.thread("2");
  std::vector<TrackId> streams_;
  std::map<TrackId, int64_t> free_;
  std::vector<std::string> names_;
};

size_t events = 10'000'000;

const std::shared_ptr<const Trace>& trace() {
  static const std::shared_ptr<const Trace> made = TraceMaker(events).make();
  return made;
}

serve::OpenedTraces& traces() {
  static serve::OpenedTraces opened;
  if (opened.summaries().empty()) opened.put("0", "bench", trace());
  return opened;
}

serve::Reply ask(const std::string& method, const std::string& params) {
  const serve::Context context = {.program = "timeline_bench", .traces = traces()};
  return serve::answer_request(
      context, R"({"id":1,"method":")" + method + R"(","params":{"trace":"0")" + params + "}}");
}

std::string all_tracks() {
  std::string tracks;
  for (size_t i = 0; i < trace()->tracks.size(); ++i) tracks += (i == 0 ? "" : ",") + std::to_string(i);
  return "[" + tracks + "]";
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void report(benchmark::State& state, std::vector<double> seconds, size_t bytes) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return seconds[static_cast<size_t>(share * static_cast<double>(seconds.size() - 1))] * 1e3;
  };
  state.counters["p50_ms"] = at(0.5);
  state.counters["p95_ms"] = at(0.95);
  state.counters["max_ms"] = at(1);
  state.counters["kB"] = static_cast<double>(bytes) / static_cast<double>(seconds.size()) / 1000;
}

void index(benchmark::State& state) {
  std::vector<int64_t> tracks(trace()->tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) tracks[i] = static_cast<int64_t>(i);
  const analyze::AnalyzedTrace analyzed(*trace());
  for (auto _ : state) {
    const analyze::Timeline timeline(analyzed, static_cast<unsigned>(state.range(0)));
    benchmark::DoNotOptimize(timeline.prepare(tracks).ok());
    state.counters["bytes_per_slice"] =
        static_cast<double>(timeline.held_bytes()) / static_cast<double>(trace()->slices.size());
  }
}

void counters(benchmark::State& state) {
  const analyze::AnalyzedTrace analyzed(*trace());
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        analyze::timeline_counters(analyzed, static_cast<unsigned>(state.range(0))).size());
  }
}

void tiles(benchmark::State& state) {
  const std::string tracks = all_tracks();
  const int64_t level = state.range(0);
  const int64_t last = (trace()->last_ns - trace()->first_ns) >> (level + 10);
  ask("tiles", R"(,"level":0,"index":0,"tracks":)" + tracks);
  std::mt19937_64 random(static_cast<uint64_t>(level));
  std::vector<double> seconds;
  size_t bytes = 0;
  for (auto _ : state) {
    const auto index = static_cast<int64_t>(random() % static_cast<uint64_t>(last + 1));
    const double begin = thread_seconds();
    bytes += ask("tiles", R"(,"level":)" + std::to_string(level) + R"(,"index":)" + std::to_string(index) +
                              R"(,"tracks":)" + tracks + "")
                 .body.size();
    seconds.push_back(thread_seconds() - begin);
  }
  report(state, std::move(seconds), bytes);
}

void counter_tiles(benchmark::State& state) {
  const int64_t level = state.range(0);
  const int64_t last = (trace()->last_ns - trace()->first_ns) >> (level + 10);
  ask("timeline", "");
  std::mt19937_64 random(static_cast<uint64_t>(level));
  std::vector<double> seconds;
  size_t bytes = 0;
  for (auto _ : state) {
    const auto index = static_cast<int64_t>(random() % static_cast<uint64_t>(last + 1));
    const double begin = thread_seconds();
    bytes += ask("counter_tiles", R"(,"level":)" + std::to_string(level) + R"(,"index":)" +
                                      std::to_string(index) + R"(,"counters":[0,1,2,3,4])")
                 .body.size();
    seconds.push_back(thread_seconds() - begin);
  }
  report(state, std::move(seconds), bytes);
}

void search(benchmark::State& state) {
  ask("search", R"(,"text":"x")");
  for (auto _ : state)
    benchmark::DoNotOptimize(ask("search", R"(,"text":"NAME_1","limit":1000)").body.size());
}

void range(benchmark::State& state) {
  const std::string params = R"(,"start_ns":0,"end_ns":)" +
                             std::to_string(trace()->last_ns - trace()->first_ns) + R"(,"tracks":)" +
                             all_tracks();
  for (auto _ : state) benchmark::DoNotOptimize(ask("range", params).body.size());
}

void slice(benchmark::State& state) {
  std::mt19937_64 random(1);
  ask("slice", R"(,"slice":0)");
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ask("slice", R"(,"slice":)" + std::to_string(random() % trace()->slices.size())).body.size());
  }
}

BENCHMARK(index)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);
BENCHMARK(counters)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);
BENCHMARK(tiles)->DenseRange(0, 30, 2)->Unit(benchmark::kMillisecond)->Iterations(200);
BENCHMARK(counter_tiles)->DenseRange(6, 26, 10)->Unit(benchmark::kMillisecond)->Iterations(200);
BENCHMARK(search)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(range)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(slice)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);

}  // namespace
}  // namespace skyline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1) skyline::events = std::strtoull(argv[1], nullptr, 10);
  benchmark::AddCustomContext("slices", std::to_string(skyline::trace()->slices.size()));
  benchmark::RunSpecifiedBenchmarks();
}

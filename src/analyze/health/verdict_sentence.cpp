#include "analyze/health/verdict_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/core/recorded.h"
#include "analyze/core/step_window.h"
#include "analyze/time/host_time.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

constexpr size_t kMaxLength = 160;

// Who is waited for in each part, in the order of kParts.
constexpr std::array<WaitsFor, kParts.size()> kOwners = {
    WaitsFor::kDevice, WaitsFor::kCommunication, WaitsFor::kDevice,
    WaitsFor::kInput,  WaitsFor::kCommunication, WaitsFor::kHost,
};

int64_t time_in(Part part, const TimeParts::Times& times) { return times[static_cast<size_t>(part)]; }

// "input 33 %, host 9 %": what the sentence has not named, largest first, nothing below 1 %.
std::string others(const TimeParts::Times& times, std::string_view named) {
  struct Share {
    std::string_view name;
    int64_t time_ns;
  };
  std::vector<Share> shares = {
      {"compute", time_in(Part::kCompute, times)},
      {"communication", time_of(WaitsFor::kCommunication, times)},
      {"copies", time_in(Part::kCopy, times)},
      {"input", time_in(Part::kInput, times)},
      {"host", time_in(Part::kHost, times)},
  };
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.time_ns > b.time_ns; });
  const int64_t whole = std::accumulate(times.begin(), times.end(), int64_t{0});
  std::string text;
  for (const Share& share : shares) {
    const int64_t number = percent(share.time_ns, whole);
    if (share.name != named && number > 0)
      text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", share.name, number);
  }
  return text;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "." : fmt::format(" ({}).", text); }

struct BusiestOperator {
  StringId name;
  int64_t time_ns = 0;
};

// The operator that is innermost for the longest, and for how much of the host's part, counting a
// moment once even if several threads are in it.
BusiestOperator busiest_operator(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const IntervalSet host = analyzed.get<TimeParts>().host_in(analyzed.get<judged_time>());
  const std::vector<uint32_t>& calls = analyzed.get<operator_calls>();
  const auto name_of_op = [&](uint32_t op) { return trace.slices.name[trace.ops.slice[op].value]; };

  std::vector<int64_t> self(trace.strings.size(), 0);
  for_each_self_stretch(trace, calls, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    self[name_of_op(op).value] += host.total_within(start_ns, end_ns);
  });
  const auto most = std::max_element(self.begin(), self.end());
  if (most == self.end() || *most == 0) return {};

  const StringId name(static_cast<uint32_t>(most - self.begin()));
  std::vector<Interval> stretches;
  for_each_self_stretch(trace, calls, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    if (name_of_op(op) == name) stretches.push_back({start_ns, end_ns});
  });
  return {name, intersect(IntervalSet::of(std::move(stretches)), host).total_ns()};
}

// Without a device the host does the work itself, so the sentence names the work: the operator that takes
// the most of it, or what lies outside of all operators if that is more.
std::string host_only_sentence(const AnalyzedTrace& analyzed, const TimeParts::Times& times,
                               std::string_view subject) {
  const int64_t whole = analyzed.get<judged_time>().total_ns();
  const int64_t share = percent(time_in(Part::kHost, times), whole);
  const std::string rest = others(times, "host");
  const std::string tail = rest.empty() ? "." : fmt::format("; {}.", rest);
  const std::string head = fmt::format("The {} waits for the host: {} % of it is CPU work", subject, share);
  if (!analyzed.get<has_operators>()) return head + " (no operator was recorded)" + tail;

  const BusiestOperator op = busiest_operator(analyzed);
  const int64_t outside_ns = analyzed.get<host_outside_operators>().total_ns();
  const int64_t largest = percent(std::max(op.time_ns, outside_ns), whole);
  if (largest == 0) return head + " in many small operators" + tail;
  const bool is_outside = outside_ns > op.time_ns;
  if (is_outside && largest == share) return head + " outside operators" + tail;

  const std::string number = fmt::format(" ({} %)", largest);
  constexpr std::string_view kMostOfAll = ", most of all ";
  const size_t fixed = head.size() + kMostOfAll.size() + number.size() + tail.size();
  const std::string name =
      is_outside ? "outside operators"
                 : shorten(analyzed.trace().strings[op.name], kMaxLength - std::min(kMaxLength, fixed));
  return fmt::format("{}{}{}{}{}", head, kMostOfAll, name, number, tail);
}

}  // namespace

int64_t time_of(WaitsFor owner, const TimeParts::Times& times) {
  int64_t sum = 0;
  for (size_t i = 0; i < times.size(); ++i) sum += kOwners[i] == owner ? times[i] : 0;
  return sum;
}

std::string shorten(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  size_t end = bytes > 3 ? bytes - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

int64_t percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : std::llround(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string verdict_sentence(const AnalyzedTrace& analyzed, const TimeParts::Times& times, WaitsFor owner) {
  const Trace& trace = analyzed.trace();
  const std::string_view subject = trace.steps.empty() ? "run" : "step";
  const bool has_device = trace.activities.size() > 0;
  const int64_t whole = analyzed.get<judged_time>().total_ns(), share = percent(time_of(owner, times), whole);
  switch (owner) {
    case WaitsFor::kDevice: {
      const Part larger =
          time_in(Part::kCompute, times) >= time_in(Part::kCopy, times) ? Part::kCompute : Part::kCopy;
      return fmt::format("The {} waits for the device: {} run {} % of its time{}", subject,
                         larger == Part::kCompute ? "compute kernels" : "copies",
                         percent(time_in(larger, times), whole),
                         in_brackets(others(times, larger == Part::kCompute ? "compute" : "copies")));
    }
    case WaitsFor::kCommunication:
      return fmt::format(
          "The {} waits for communication: collectives that nothing hides take {} % of its time{}", subject,
          share, in_brackets(others(times, "communication")));
    case WaitsFor::kInput:
      return fmt::format(
          "The {} waits for input: {} {} % of its time{}", subject,
          has_device ? "while batches are fetched, the device idles" : "fetching batches takes", share,
          in_brackets(others(times, "input")));
    default:
      break;
  }
  if (!has_device) return host_only_sentence(analyzed, times, subject);
  return fmt::format(
      "The {} waits for the host: the device idles {} % of its time while the host prepares work{}", subject,
      share, in_brackets(others(times, "host")));
}

}  // namespace skyline::analyze

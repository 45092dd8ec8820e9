#include "analyze/verdict_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/op_time.h"

namespace skyline {
namespace {

constexpr size_t kMaxLength = 160;

struct Words {
  Part part;
  WaitsFor owner;
  std::string_view name;  // "input" in "(input 33 %, host 9 %)"
};

// In the order of kParts.
constexpr std::array<Words, kParts.size()> kWords = {{
    {Part::kCompute, WaitsFor::kDevice, "compute"},
    {Part::kCommunication, WaitsFor::kCommunication, "communication"},
    {Part::kCopy, WaitsFor::kDevice, "copies"},
    {Part::kInput, WaitsFor::kInput, "input"},
    {Part::kHostCommunication, WaitsFor::kCommunication, "communication on the host"},
    {Part::kHost, WaitsFor::kHost, "host"},
}};

// "input 33 %, host 9 %": the parts that the sentence has not named, largest first, none below 1 %.
std::string other_parts(const TimeParts::Times& times, WaitsFor owner, Part named) {
  const int64_t whole = std::accumulate(times.begin(), times.end(), int64_t{0});
  std::vector<size_t> order;
  for (size_t i = 0; i < times.size(); ++i) {
    const bool is_named = kWords[i].part == named || (kWords[i].owner == owner && owner != WaitsFor::kDevice);
    if (!is_named && percent(times[i], whole) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a] > times[b]; });
  std::string text;
  for (const size_t i : order) {
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", kWords[i].name, percent(times[i], whole));
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
BusiestOperator busiest_operator(const Trace& trace, const TimeParts& parts, const IntervalSet& judged) {
  IntervalSet host = judged;
  for (const PartDef& def : kParts) {
    if (def.part != Part::kHost) host = subtract(host, parts.of(def.part));
  }
  const std::vector<uint32_t> calls = operator_calls(trace);
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

// Without a device the host does the work itself, so the sentence names the work.
std::string host_only_sentence(const Trace& trace, const TimeParts& parts, const IntervalSet& judged,
                               const TimeParts::Times& times, std::string_view subject) {
  const int64_t whole = judged.total_ns();
  const int64_t share = percent(times[static_cast<size_t>(Part::kHost)], whole);
  const std::string others = other_parts(times, WaitsFor::kHost, Part::kHost);
  const std::string tail = others.empty() ? "." : fmt::format("; {}.", others);
  const BusiestOperator op = busiest_operator(trace, parts, judged);
  const std::string head = fmt::format("The {} waits for the host: {} % of it is CPU work", subject, share);
  if (percent(op.time_ns, whole) == 0) return head + " outside operators" + tail;

  const std::string number = fmt::format(" ({} %)", percent(op.time_ns, whole));
  constexpr std::string_view kMostOfAll = ", most of all ";
  const size_t fixed = head.size() + kMostOfAll.size() + number.size() + tail.size();
  const std::string name = shorten(trace.strings[op.name], kMaxLength - std::min(kMaxLength, fixed));
  return fmt::format("{}{}{}{}{}", head, kMostOfAll, name, number, tail);
}

}  // namespace

int64_t time_of(WaitsFor owner, const TimeParts::Times& times) {
  int64_t sum = 0;
  for (size_t i = 0; i < times.size(); ++i) sum += kWords[i].owner == owner ? times[i] : 0;
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

std::string verdict_sentence(const Trace& trace, const TimeParts& parts, const IntervalSet& judged,
                             const TimeParts::Times& times, WaitsFor owner) {
  const std::string_view subject = trace.steps.empty() ? "run" : "step";
  const bool has_device = trace.activities.size() > 0;
  const int64_t whole = judged.total_ns(), share = percent(time_of(owner, times), whole);
  const auto time = [&](Part part) { return times[static_cast<size_t>(part)]; };
  switch (owner) {
    case WaitsFor::kDevice: {
      const Part larger = time(Part::kCompute) >= time(Part::kCopy) ? Part::kCompute : Part::kCopy;
      return fmt::format("The {} waits for the device: {} run {} % of its time{}", subject,
                         larger == Part::kCompute ? "compute kernels" : "copies",
                         percent(time(larger), whole), in_brackets(other_parts(times, owner, larger)));
    }
    case WaitsFor::kCommunication:
      return fmt::format(
          "The {} waits for communication: collectives that nothing hides take {} % of its time{}", subject,
          share, in_brackets(other_parts(times, owner, Part::kCommunication)));
    case WaitsFor::kInput:
      return fmt::format(
          "The {} waits for input: {} {} % of its time{}", subject,
          has_device ? "while batches are fetched, the device idles" : "fetching batches takes", share,
          in_brackets(other_parts(times, owner, Part::kInput)));
    default:
      break;
  }
  if (!has_device) return host_only_sentence(trace, parts, judged, times, subject);
  return fmt::format(
      "The {} waits for the host: the device idles {} % of its time while the host prepares work{}", subject,
      share, in_brackets(other_parts(times, owner, Part::kHost)));
}

}  // namespace skyline

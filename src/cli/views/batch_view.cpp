#include "cli/views/batch_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

std::string render_samples(const session::ProfileResult& result, const Console& console) {
  std::vector<const session::BatchMeasurement*> samples;
  for (const session::BatchMeasurement& sample : result.samples) samples.push_back(&sample);
  std::sort(samples.begin(), samples.end(),
            [](const auto* a, const auto* b) { return a->batch_size < b->batch_size; });
  TextTable table({{"Batch size", Align::kRight},
                   {"Iteration", Align::kRight},
                   {"Samples/s", Align::kRight},
                   {"Peak memory", Align::kRight},
                   {"Resident", Align::kRight},
                   {"Iterations", Align::kRight}});
  for (const session::BatchMeasurement* sample : samples) {
    const int64_t time_ns = std::max<int64_t>(session::time_sample(*sample).value, 1);
    const double rate = static_cast<double>(sample->batch_size) * 1e9 / static_cast<double>(time_ns);
    table.add_row({format_count(sample->batch_size), format_ns(time_ns), format_rate(rate),
                   format_bytes(sample->peak_bytes), format_bytes(sample->resident_bytes),
                   format_count(sample->time.count)});
  }
  return table.render(console.width, console.color);
}

std::string describe_peak(const session::BatchModels& models) {
  const session::ThroughputPeak& peak = models.peak;
  return fmt::format("At most {} samples/s, at batch {}{}; 90 % of that at batch {}.\n",
                     format_rate(peak.per_second), format_count(peak.batch_size),
                     peak.is_extrapolated ? " (beyond what was run)" : "",
                     format_count(peak.knee_batch_size));
}

std::string describe_largest(const session::ProfileResult& result) {
  const session::BatchLimit& largest = result.models->largest;
  const session::BatchDoubt doubt = result.models->doubt_of_largest();
  if (doubt != session::BatchDoubt::kNone) {
    return fmt::format("No prediction of the largest batch that fits: {}.\n", sentence_of(doubt));
  }
  const std::string capacity = format_bytes(result.capacity.bytes);
  if (largest.batch_size == 0) return fmt::format("Not even batch 1 fits into {}.\n", capacity);
  if (!largest.is_reached) {
    return fmt::format("Batch {} and more fit into {}.\n", format_count(largest.batch_size), capacity);
  }
  return fmt::format("The largest batch that fits into {} is {} ({}).\n", capacity,
                     format_count(largest.batch_size),
                     result.models->is_verified ? "it was run" : "predicted");
}

}  // namespace

std::string format_rate(double per_second) {
  if (per_second >= 100) return format_count(static_cast<int64_t>(std::llround(per_second)));
  return fmt::format("{:.3g}", per_second);
}

std::string render_batch_models(const session::ProfileResult& result, const Console& console) {
  std::string text = render_samples(result, console);
  const session::BatchDoubt doubt = result.models->time_ns.doubt();
  if (doubt != session::BatchDoubt::kNone) {
    text += fmt::format("No prediction of time: {}.\n", sentence_of(doubt));
  } else {
    text += describe_peak(*result.models);
  }
  text += describe_largest(result);
  for (const session::BatchFailure& failure : result.failures) {
    text +=
        fmt::format("Batch {} failed: {}\n", format_count(failure.batch_size), printable(failure.sentence));
  }
  return text;
}

}  // namespace skyline::cli

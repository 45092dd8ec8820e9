#include "session/batch/batch_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/median.h"

namespace skyline::session {
namespace {

constexpr size_t kRobustFrom = 5;
constexpr int kRounds = 20;
// No sample is trusted beyond this, so that one with a lucky, tiny noise does not rule the fit.
constexpr double kLeastNoise = 0.005;
constexpr double kHuber = 1.345;  // the usual turning point: 95 % as good as least squares on normal noise

struct Line {
  double offset = 0, slope = 0;
};

struct Fit {
  Line line;
  double loss = std::numeric_limits<double>::infinity();
};

double floored_sigma(const BatchSample& sample) { return std::hypot(sample.noise / 1.96, kLeastNoise); }

double residual(const Line& line, double x, const BatchSample& sample) {
  const double error = line.offset + line.slope * x - static_cast<double>(sample.value);
  return error / static_cast<double>(std::max<int64_t>(sample.value, 1)) / floored_sigma(sample);
}

// Least squares of the residuals, each with a weight of its own.
Line weighted_line(std::span<const double> xs, std::span<const BatchSample> samples,
                   std::span<const double> weights) {
  double sum_w = 0, mean_x = 0, mean_y = 0;
  std::vector<double> full(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto value = static_cast<double>(std::max<int64_t>(samples[i].value, 1));
    full[i] = weights[i] / std::pow(value * floored_sigma(samples[i]), 2);
    sum_w += full[i];
    mean_x += full[i] * xs[i];
    mean_y += full[i] * static_cast<double>(samples[i].value);
  }
  mean_x /= sum_w;
  mean_y /= sum_w;
  double sum_xx = 0, sum_xy = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    sum_xx += full[i] * (xs[i] - mean_x) * (xs[i] - mean_x);
    sum_xy += full[i] * (xs[i] - mean_x) * (static_cast<double>(samples[i].value) - mean_y);
  }
  const double slope = sum_xx > 0 ? sum_xy / sum_xx : 0;
  return {mean_y - slope * mean_x, slope};
}

// Theil and Sen: the median of all slopes, then of all offsets. Holds against more than a fifth of odd
// samples.
Line median_line(std::span<const double> xs, std::span<const BatchSample> samples) {
  std::vector<double> slopes, offsets;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      slopes.push_back(static_cast<double>(samples[i].value - samples[j].value) / (xs[i] - xs[j]));
    }
  }
  const double slope = upper_median(slopes);
  for (size_t i = 0; i < samples.size(); ++i) {
    offsets.push_back(static_cast<double>(samples[i].value) - slope * xs[i]);
  }
  return {upper_median(offsets), slope};
}

// Huber's weights, found by repetition from a start that odd samples did not choose.
Line robust_line(std::span<const double> xs, std::span<const BatchSample> samples) {
  std::vector<double> weights(samples.size(), 1.0);
  if (samples.size() < kRobustFrom) return weighted_line(xs, samples, weights);
  Line line = median_line(xs, samples);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> sizes;
    for (size_t i = 0; i < samples.size(); ++i) sizes.push_back(std::abs(residual(line, xs[i], samples[i])));
    const double scale = std::max(1.0, 1.4826 * upper_median(sizes));
    for (size_t i = 0; i < samples.size(); ++i) {
      weights[i] = std::min(1.0, kHuber * scale / std::max(sizes[i], 1e-12));
    }
    line = weighted_line(xs, samples, weights);
  }
  return line;
}

Fit fit_with_exponent(std::span<const BatchSample> samples, double exponent) {
  std::vector<double> xs;
  for (const BatchSample& sample : samples) {
    xs.push_back(std::pow(static_cast<double>(sample.batch_size), exponent));
  }
  Fit fit{robust_line(xs, samples), 0};
  for (size_t i = 0; i < samples.size(); ++i) fit.loss += std::abs(residual(fit.line, xs[i], samples[i]));
  return fit;
}

void fit_line(std::span<const BatchSample> samples, Curve& curve) {
  const Line line = fit_with_exponent(samples, 1).line;
  curve.offset = line.offset;
  curve.slope = line.slope;
}

void fit_power(std::span<const BatchSample> samples, Curve& curve) {
  double least = std::numeric_limits<double>::infinity();
  for (int percent = 30; percent <= 200; percent += 2) {
    const Fit fit = fit_with_exponent(samples, percent / 100.0);
    if (fit.loss >= least) continue;
    least = fit.loss;
    curve.offset = fit.line.offset;
    curve.slope = fit.line.slope;
    curve.exponent = percent / 100.0;
  }
}

double between(const BatchSample& left, const BatchSample& right, double batch_size) {
  const double share = (batch_size - static_cast<double>(left.batch_size)) /
                       static_cast<double>(right.batch_size - left.batch_size);
  return static_cast<double>(left.value) + share * static_cast<double>(right.value - left.value);
}

}  // namespace

std::string_view name_of(CurveForm form) {
  switch (form) {
    case CurveForm::kLine:
      return "line";
    case CurveForm::kPower:
      return "power";
    case CurveForm::kPiecewise:
      return "piecewise";
  }
  return "";
}

size_t samples_needed(CurveForm form) { return form == CurveForm::kPower ? 4 : 2; }

double Curve::unbounded(double batch_size) const {
  if (form != CurveForm::kPiecewise) return offset + slope * std::pow(batch_size, exponent);
  size_t right = 1;
  while (right + 1 < knots.size() && static_cast<double>(knots[right].batch_size) < batch_size) ++right;
  return between(knots[right - 1], knots[right], batch_size);
}

double Curve::at(double batch_size) const {
  const double value = std::max(0.0, unbounded(batch_size));
  if (batch_size < first) {
    const double most = std::max(0.0, unbounded(first));
    return std::clamp(value, most * batch_size / first, most);
  }
  return batch_size > last ? std::max(value, unbounded(last)) : value;
}

Curve fit_curve(CurveForm form, std::span<const BatchSample> samples) {
  CHECK(samples.size() >= samples_needed(form));
  Curve curve;
  curve.form = form;
  curve.first = static_cast<double>(samples.front().batch_size);
  curve.last = static_cast<double>(samples.back().batch_size);
  switch (form) {
    case CurveForm::kLine:
      fit_line(samples, curve);
      break;
    case CurveForm::kPower:
      fit_power(samples, curve);
      break;
    case CurveForm::kPiecewise:
      curve.knots.assign(samples.begin(), samples.end());
      break;
  }
  return curve;
}

}  // namespace skyline::session

#include "session/batch/batch_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/check.h"

namespace skyline::session {
namespace {

// Differences below this are nobody's concern, however little noise the samples claim: 512-byte steps of an
// allocator, a clock's ticks.
constexpr double kNegligible = 0.001;
// The claimed noise counts like this many held-out errors, which alone would be too few to tell a width.
constexpr double kWeightOfNoise = 2;

// Student's t, one-sided 95 %, for 1, 2, ... degrees of freedom.
constexpr double kStudent[] = {6.31, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.8, 1.78};

double student(double freedom) {
  const auto index = static_cast<size_t>(std::max(1.0, freedom)) - 1;
  return kStudent[std::min(index, std::size(kStudent) - 1)];
}

double sigma(const BatchSample& sample) { return sample.noise / 1.96; }

std::vector<BatchSample> in_order(std::span<const BatchSample> samples) {
  std::vector<BatchSample> sorted(samples.begin(), samples.end());
  for (const BatchSample& sample : sorted) CHECK(sample.batch_size >= 1 && sample.value >= 0);
  std::stable_sort(sorted.begin(), sorted.end(), [](const BatchSample& a, const BatchSample& b) {
    return std::pair(a.batch_size, a.noise) < std::pair(b.batch_size, b.noise);
  });
  const auto same = [](const BatchSample& a, const BatchSample& b) { return a.batch_size == b.batch_size; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  return sorted;
}

// The relative error at a sample that the form was not shown; none: it cannot do with so few.
std::optional<double> held_out(CurveForm form, const std::vector<BatchSample>& samples, size_t left_out) {
  std::vector<BatchSample> rest = samples;
  rest.erase(rest.begin() + static_cast<ptrdiff_t>(left_out));
  if (rest.size() < samples_needed(form)) return {};
  const BatchSample& sample = samples[left_out];
  const double predicted = fit_curve(form, rest).at(static_cast<double>(sample.batch_size));
  return (predicted - static_cast<double>(sample.value)) /
         static_cast<double>(std::max<int64_t>(sample.value, 1));
}

std::vector<double> inner_errors(CurveForm form, const std::vector<BatchSample>& samples) {
  std::vector<double> errors;
  for (size_t i = 1; i + 1 < samples.size(); ++i) {
    const std::optional<double> error = held_out(form, samples, i);
    if (!error) return {};
    errors.push_back(*error);
  }
  return errors;
}

double mean_size(std::span<const double> errors) {
  double sum = 0;
  for (const double error : errors) sum += std::abs(error);
  return sum / static_cast<double>(errors.size());
}

double mean_sigma(std::span<const BatchSample> samples) {
  double squares = 0;
  for (const BatchSample& sample : samples) squares += sigma(sample) * sigma(sample);
  return std::sqrt(squares / static_cast<double>(samples.size()));
}

// The error that noise alone gives to a good form: the sample's own and what its neighbours add.
double expected_error(std::span<const BatchSample> samples) { return std::sqrt(1.5) * mean_sigma(samples); }

// What a form is to be expected to err by at a size between samples: what it erred by at samples that it was
// not shown, without what noise alone makes of that, and with what noise makes of a prediction. Straight
// pieces had to cross a gap twice as wide there, and err by at most half as much over half the gap; a
// prediction of theirs has the noise of two samples, one of a fitted curve the noise of as many as it has
// parameters, shared by all.
double expected_between(CurveForm form, double held_out_error, double noise, size_t samples) {
  constexpr double kFromMean = 1.25;  // from the mean size of normal errors to the root of their mean square
  const bool is_pieces = form == CurveForm::kPiecewise;
  const double parameters = form == CurveForm::kLine ? 2 : 3;
  const double of_prediction = is_pieces ? 0.5 : std::min(0.5, parameters / static_cast<double>(samples));
  const double systematic =
      std::max(0.0, std::pow(kFromMean * held_out_error, 2) - (1 + of_prediction) * noise * noise);
  return std::sqrt(systematic * (is_pieces ? 0.25 : 1) + of_prediction * noise * noise);
}

// Outer samples take no part in the choice of a form, so that a robust fit may take them for odd and pass
// them by. A form that does is not the samples' shape.
bool reaches_ends(const Curve& curve, std::span<const BatchSample> samples) {
  constexpr double kClose = 0.1;
  for (const BatchSample& end : {samples.front(), samples.back()}) {
    const auto value = static_cast<double>(std::max<int64_t>(end.value, 1));
    const double error = std::abs(curve.at(static_cast<double>(end.batch_size)) / value - 1);
    if (error > std::max(kClose, 3 * sigma(end))) return false;
  }
  return true;
}

double growth_per_octave(std::optional<double> error, const BatchSample& end, const BatchSample& next) {
  const double octaves =
      std::abs(std::log2(static_cast<double>(end.batch_size) / static_cast<double>(next.batch_size)));
  return std::abs(error.value_or(1)) / octaves;
}

BatchDoubt doubt_of(std::span<const BatchSample> samples) {
  if (samples.size() < 3) return BatchDoubt::kTooFewSamples;
  double smallest = static_cast<double>(samples[0].value), largest = smallest, noise = 0;
  bool falls = false;
  for (const BatchSample& sample : samples) {
    const auto value = static_cast<double>(sample.value);
    noise = std::max({noise, sample.noise, kNegligible});
    // 1.4: both samples have noise.
    falls = falls || value < largest * (1 - std::max(0.02, 1.4 * noise));
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  if (largest <= smallest * (1 + 1.4 * noise)) return BatchDoubt::kIndependent;
  return falls ? BatchDoubt::kNotMonotone : BatchDoubt::kNone;
}

// What a cost at one batch size says about another, if it neither falls nor grows faster than the batch size.
std::pair<double, double> possible_range(const BatchSample& sample, double batch_size) {
  const auto value = static_cast<double>(sample.value);
  const double proportional = value * batch_size / static_cast<double>(sample.batch_size);
  return {std::min(value, proportional) * (1 - sample.noise),
          std::max(value, proportional) * (1 + sample.noise)};
}

int64_t whole(double value) {
  constexpr double kMost = 4e18;  // far extrapolations must not overflow
  return static_cast<int64_t>(std::llround(std::clamp(value, 0.0, kMost)));
}

}  // namespace

std::string_view sentence_of(BatchDoubt doubt) {
  switch (doubt) {
    case BatchDoubt::kNone:
      return "";
    case BatchDoubt::kTooFewSamples:
      return "fewer than 3 batch sizes have been measured";
    case BatchDoubt::kNotMonotone:
      return "a larger batch was measured to cost less than a smaller one";
    case BatchDoubt::kIndependent:
      return "the cost does not depend on the batch size where it was measured";
  }
  return "";
}

BatchModel::BatchModel(std::span<const BatchSample> samples) : samples_(in_order(samples)) {
  CHECK(!samples_.empty());
  doubt_ = doubt_of(samples_);
  if (samples_.size() < 2) return;
  plain_line_ = fit_curve(CurveForm::kLine, samples_);
  curve_ = plain_line_;
  if (samples_.size() >= 3) choose_form();
}

void BatchModel::choose_form() {
  constexpr double kClearly = 0.9;  // a form is only given up for one that is clearly better
  const double noise_of_one = std::max(kNegligible, mean_sigma(samples_));
  std::vector<double> errors;
  double least = std::numeric_limits<double>::infinity();
  for (const CurveForm form : kCurveForms) {
    const std::vector<double> tried = inner_errors(form, samples_);
    if (tried.empty()) continue;
    const Curve curve = fit_curve(form, samples_);
    if (form != CurveForm::kPiecewise && !reaches_ends(curve, samples_)) continue;
    const double expected = expected_between(form, mean_size(tried), noise_of_one, samples_.size());
    if (expected >= kClearly * least) continue;
    least = expected;
    errors = tried;
    held_out_error_ = mean_size(tried);
    curve_ = curve;
  }
  const double noise = std::max(kNegligible, expected_error(samples_));
  const double squares = std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0);
  const double freedom = static_cast<double>(errors.size()) + kWeightOfNoise;
  inner_width_ = student(freedom) * std::sqrt((squares + kWeightOfNoise * noise * noise) / freedom);

  const size_t last = samples_.size() - 1;
  below_per_octave_ = growth_per_octave(held_out(curve_.form, samples_, 0), samples_[0], samples_[1]);
  above_per_octave_ =
      growth_per_octave(held_out(curve_.form, samples_, last), samples_[last], samples_[last - 1]);
}

// Half of the interval: what held-out samples and noise say, and outside the samples also how far off the
// forms were when they had to extrapolate, and how much they differ.
double BatchModel::half_width(double batch_size, double value) const {
  const auto smallest = static_cast<double>(smallest_sampled());
  const auto largest = static_cast<double>(largest_sampled());
  double width = inner_width_;
  if (batch_size < smallest) width += below_per_octave_ * std::log2(smallest / batch_size);
  if (batch_size > largest) width += above_per_octave_ * std::log2(batch_size / largest);
  const bool is_outside = batch_size < smallest || batch_size > largest;
  return value * width + (is_outside ? std::abs(plain_line_.at(batch_size) - value) : 0);
}

BatchPrediction BatchModel::predict(int64_t batch_size) const {
  CHECK(batch_size >= 1);
  const auto size = static_cast<double>(batch_size);
  const bool is_extrapolated = batch_size < smallest_sampled() || batch_size > largest_sampled();
  if (samples_.size() < 3) {
    auto [low, high] = possible_range(samples_.front(), size);
    const auto [other_low, other_high] = possible_range(samples_.back(), size);
    low = std::max(low, other_low);
    high = std::max(low, std::min(high, other_high));
    // A single sample cannot tell what is fixed; expecting growth errs on the side of too much.
    const double growth = std::max(1.0, size / static_cast<double>(smallest_sampled()));
    const double expected =
        samples_.size() == 1 ? static_cast<double>(samples_[0].value) * growth : curve_.at(size);
    return {whole(expected), whole(std::min(low, expected)), whole(std::max(high, expected)),
            is_extrapolated};
  }
  const double value = curve_.at(size), half = half_width(size, value);
  return {whole(value), whole(value - half), whole(value + half), is_extrapolated};
}

}  // namespace skyline::session

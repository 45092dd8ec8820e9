// Shapes that a cost may have over the batch size, and how each is laid through samples.
//
// What counts is the relative error: 1 ms is much at batch 1 and nothing at batch 256. From five samples on a
// single odd one does not move a fitted curve; with fewer nobody can tell an odd sample from a bend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace skyline::session {

// One measured cost (nanoseconds or bytes) at one batch size.
struct BatchSample {
  int64_t batch_size = 1;
  int64_t value = 0;
  double noise = 0;  // half the width of the value's 95 % interval, as a fraction of the value
};

enum class CurveForm {
  kLine,       // offset + slope * B
  kPower,      // offset + slope * B^exponent
  kPiecewise,  // straight from sample to sample; beyond them the last piece goes on
};

// Simplest first.
inline constexpr CurveForm kCurveForms[] = {CurveForm::kLine, CurveForm::kPower, CurveForm::kPiecewise};

std::string_view name_of(CurveForm form);

// How many samples a form needs to say something about one more.
size_t samples_needed(CurveForm form);

struct Curve {
  CurveForm form = CurveForm::kLine;
  double first = 1, last = 1;  // the sampled batch sizes
  double offset = 0, slope = 0, exponent = 1;
  std::vector<BatchSample> knots = {};  // of kPiecewise

  // Never below zero. Outside the samples a form is followed as far as it makes sense: a smaller batch costs
  // at most what the first does and at least its share of it, a larger one at least what the last does.
  double at(double batch_size) const;

 private:
  double unbounded(double batch_size) const;
};

// The samples are sorted by batch size, which are all different; there are at least samples_needed(form).
Curve fit_curve(CurveForm form, std::span<const BatchSample> samples);

}  // namespace skyline::session

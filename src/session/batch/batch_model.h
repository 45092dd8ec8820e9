// How a cost (time or memory of an iteration) depends on the batch size, learnt from a few samples.
//
// Each form of batch_curve.h is tried on samples that it was not shown: one inner sample is left out, the
// rest is fitted, the error is noted. From these and the samples' noise follows what the form is to be
// expected to err by between samples; a form is only given up for one that is clearly better. Outer samples
// take no part in the choice, since there a form would have to extrapolate; they tell how much wider the
// interval must be outside the samples.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "session/batch/batch_curve.h"

namespace skyline::session {

// Why a model should not be relied upon.
enum class BatchDoubt {
  kNone,
  kTooFewSamples,  // fewer than 3 batch sizes
  kNotMonotone,    // a larger batch was cheaper, by more than noise
  kIndependent,    // the cost does not change with the batch size
};

// One sentence without a full stop; empty for kNone.
std::string_view sentence_of(BatchDoubt doubt);

struct BatchPrediction {
  int64_t value = 0;
  // Holds a new measurement with a chance of about 90 %.
  int64_t low = 0;
  int64_t high = 0;
  bool is_extrapolated = false;  // outside the sampled batch sizes
};

class BatchModel {
 public:
  // At least one sample. Of several with the same batch size the one with the least noise counts.
  explicit BatchModel(std::span<const BatchSample> samples);

  // batch_size >= 1. With fewer than 3 samples the interval is what remains when a cost neither falls with
  // the batch size nor grows faster than it.
  BatchPrediction predict(int64_t batch_size) const;

  BatchDoubt doubt() const { return doubt_; }
  CurveForm form() const { return curve_.form; }
  // Of the chosen form, on inner samples it was not shown: mean of the absolute relative errors.
  double held_out_error() const { return held_out_error_; }

  int64_t smallest_sampled() const { return samples_.front().batch_size; }
  int64_t largest_sampled() const { return samples_.back().batch_size; }
  std::span<const BatchSample> samples() const { return samples_; }

 private:
  void choose_form();
  double half_width(double batch_size, double value) const;

  std::vector<BatchSample> samples_;  // by batch size
  Curve curve_;
  Curve plain_line_;  // what else the samples may continue as
  BatchDoubt doubt_ = BatchDoubt::kNone;
  double held_out_error_ = 0;
  double inner_width_ = 0;       // half of the interval between samples, as a fraction of the value
  double below_per_octave_ = 0;  // how much it grows with each halving below the smallest sample
  double above_per_octave_ = 0;  // and with each doubling above the largest
};

}  // namespace skyline::session

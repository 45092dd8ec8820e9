// What a training step consists of: optimizer steps, micro-batches, samples; and evaluation beside it.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kTrainingFigures[] = {
    {"training.optimizers", Unit::kCount,
     "Optimizers that stepped while recording; none unless skyline run marked them."},
    {"training.optimizer_steps", Unit::kCount,
     "Calls of step() of all optimizers within steps; a step is a round in which each of them stepped."},
    {"training.micro_batches", Unit::kCount,
     "Backward passes per step, the median: runs of backward operators with a forward operator of theirs "
     "between; none without steps or backward operators."},
    {"training.samples", Unit::kCount,
     "Samples that DataLoaders handed over within steps, counted by the leading dimension of each batch's "
     "first tensor, without batches that were fetched ahead and that no step has used; none unless "
     "skyline run saw a DataLoader."},
    {"training.model_samples", Unit::kCount,
     "Samples that the model was called with within steps, by the leading dimension of its first tensor; "
     "only "
     "of a loop without a DataLoader, under skyline run."},
    {"training.samples_per_second", Unit::kPerSecond,
     "training.samples, or training.model_samples where no DataLoader was seen, by the time of all steps."},
    {"training.fetch", Unit::kNanoseconds,
     "Time of steps in which a training thread fetches from a DataLoader or DataPipe, also while the device "
     "works; none without steps."},
    {"training.evaluation", Unit::kNanoseconds,
     "Time in which the program evaluates: from batches fetched without gradients, or a model's eval(), to "
     "the next batch with them, or train(); none unless recorded by skyline run."},
};

std::vector<Figure> training_figures(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze

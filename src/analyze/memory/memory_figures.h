// The memory at the peak as figures.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kMemoryFigures[] = {
    {"memory.peak", Unit::kBytes,
     "The largest sum of live bytes in torch's allocator within the last complete step, or without steps in "
     "the whole recording, on the device where it is largest; blocks that are older than the recording are "
     "not in it."},
    {"memory.peak_weights", Unit::kBytes,
     "Of memory.peak, parameters, those of the model and those that an optimizer holds; none unless tensors' "
     "names were recorded."},
    {"memory.peak_buffers", Unit::kBytes,
     "Of memory.peak, buffers of the model; none unless tensors' names were recorded."},
    {"memory.peak_gradients", Unit::kBytes,
     "Of memory.peak, gradients of parameters, as they stand in .grad; none unless tensors' names were "
     "recorded."},
    {"memory.peak_optimizer_state", Unit::kBytes,
     "Of memory.peak, tensors in the state of the optimizers; none unless tensors' names were recorded."},
    {"memory.peak_inputs", Unit::kBytes,
     "Of memory.peak, tensors that the iteration was called with; none unless tensors' names were recorded."},
    {"memory.peak_activations", Unit::kBytes,
     "Of memory.peak, blocks without a name of the program's that were allocated in the step by a forward "
     "operator that had ended by the peak; what checkpointing recomputes counts as well."},
    {"memory.peak_temporaries", Unit::kBytes,
     "Of memory.peak, blocks without a name of the program's that were allocated in the step by an operator "
     "that still ran at the peak, in the backward pass or by the optimizer."},
    {"memory.peak_other", Unit::kBytes,
     "Of memory.peak, what is left: blocks from before the step that the program keeps, and those that no "
     "operator allocated."},
    {"memory.peak_recording", Unit::kBytes,
     "The largest sum of live bytes on the same device in the whole recording, loading included."},
    {"memory.older", Unit::kBytes,
     "Bytes known to live besides memory.peak, in blocks that are older than the recording; 0 when nothing "
     "is known of such."},
};

std::vector<Figure> memory_figures(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze

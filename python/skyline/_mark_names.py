# Made by tools/gen_marks.py from src/trace/marks.schema; change that.
"""Names of ranges that the engine knows."""

PREFIX = "Skyline."  # of all marks
OPTIMIZER = "optimizer#"  # the optimizer with the number that follows has finished a step(); numbers tell them apart
SAMPLES = "samples#"  # a DataLoader has handed over a batch of as many samples
MODEL_SAMPLES = "model_samples#"  # the model is called with as many samples; only where no DataLoader was seen
EVALUATION_BEGIN = "evaluation_begin"  # the program evaluates from now on
EVALUATION_END = "evaluation_end"  # the program trains again
PROFILER_STEP = "ProfilerStep#"  # a step with the number that follows, as torch.profiler marks it

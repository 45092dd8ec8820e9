#include "ingest/kineto_json/categories.h"

#include <array>

namespace skyline::ingest::kineto_json {
namespace {

struct Word {
  std::string_view word;  // in lower case
  Category category;
};

// Every word that Kineto and torch have written since 1.8, one line each.
constexpr std::array kWords = {
    Word{"cpu_op", Category::kCpuOp},
    Word{"operator", Category::kCpuOp},  // torch 1.8 to 1.11
    Word{"hpu_op", Category::kCpuOp},
    Word{"user_annotation", Category::kUserAnnotation},
    Word{"user", Category::kUserAnnotation},  // torch 1.8 to 1.11
    Word{"python_function", Category::kPython},
    Word{"python", Category::kPython},
    Word{"cuda_runtime", Category::kRuntime},
    Word{"runtime", Category::kRuntime},  // torch 1.8 to 1.11
    Word{"mtia_runtime", Category::kRuntime},
    Word{"glow_runtime", Category::kRuntime},
    Word{"xpu_runtime", Category::kRuntime},
    Word{"privateuse1_runtime", Category::kRuntime},
    Word{"cuda_driver", Category::kDriver},
    Word{"xpu_driver", Category::kDriver},
    Word{"privateuse1_driver", Category::kDriver},
    Word{"kernel", Category::kKernel},  // also "Kernel" of torch 1.8 to 1.11
    Word{"gpu_memcpy", Category::kMemcpy},
    Word{"memcpy", Category::kMemcpy},  // torch 1.8 to 1.11
    Word{"gpu_memset", Category::kMemset},
    Word{"memset", Category::kMemset},  // torch 1.8 to 1.11
    Word{"mtia_ccp_events", Category::kDeviceOther},
    Word{"gpu_user_annotation", Category::kGpuAnnotation},
    Word{"cuda_sync", Category::kSync},
    Word{"xpu_sync", Category::kSync},
    Word{"cuda_event", Category::kCudaEvent},
    Word{"overhead", Category::kOverhead},
    Word{"trace", Category::kTraceSpan},
    Word{"cuda_profiler_range", Category::kProfilerRange},

    // Instants, arrows and counters, which are told by their phase and name.
    Word{"cpu_instant_event", Category::kOther},
    Word{"fwdbwd", Category::kOther},
    Word{"forward_backward", Category::kOther},  // torch 1.8 to 1.11
    Word{"ac2g", Category::kOther},
    Word{"async_cpu_to_gpu", Category::kOther},  // torch 1.12 and 1.13
    Word{"async_gpu", Category::kOther},         // torch 1.11
    Word{"async", Category::kOther},             // torch 1.8 to 1.10
    Word{"cpu_to_cuda", Category::kOther},       // torch without Kineto
    Word{"hardware_counters", Category::kOther},
    Word{"mtia_counters", Category::kOther},
    Word{"xpu_scope_profiler", Category::kOther},

    // Slices that say again what others say, or that no figure is about.
    Word{"external_correlation", Category::kOther},
    Word{"mtia_insight", Category::kOther},
    Word{"collective_comm", Category::kOther},
};

bool equal_in_any_case(std::string_view word, std::string_view lower) {
  if (word.size() != lower.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] | 0x20) : word[i];
    if (c != lower[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<Category> category_of(std::string_view word) {
  for (const Word& known : kWords) {
    if (equal_in_any_case(word, known.word)) return known.category;
  }
  return std::nullopt;
}

}  // namespace skyline::ingest::kineto_json

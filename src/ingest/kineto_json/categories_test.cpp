#include "ingest/kineto_json/categories.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline::ingest::kineto_json {
namespace {

struct Known {
  const char* word;
  Category category;
};

// Every word that Kineto and torch have written, by era.
constexpr Known kKnown[] = {
    {"cpu_op", Category::kCpuOp},
    {"user_annotation", Category::kUserAnnotation},
    {"python_function", Category::kPython},
    {"cuda_runtime", Category::kRuntime},
    {"cuda_driver", Category::kDriver},
    {"kernel", Category::kKernel},
    {"gpu_memcpy", Category::kMemcpy},
    {"gpu_memset", Category::kMemset},
    {"gpu_user_annotation", Category::kGpuAnnotation},
    {"cuda_sync", Category::kSync},
    {"cuda_event", Category::kCudaEvent},
    {"overhead", Category::kOverhead},
    {"Trace", Category::kTraceSpan},
    // torch 1.8 to 1.11
    {"Operator", Category::kCpuOp},
    {"Runtime", Category::kRuntime},
    {"Kernel", Category::kKernel},
    {"Memcpy", Category::kMemcpy},
    {"Memset", Category::kMemset},
    {"User", Category::kUserAnnotation},
    // spring 2022
    {"gpu_user_Annotation", Category::kGpuAnnotation},
    // other backends
    {"glow_runtime", Category::kRuntime},
    {"cuda_profiler_range", Category::kProfilerRange},
    {"mtia_runtime", Category::kRuntime},
    {"mtia_ccp_events", Category::kDeviceOther},
    {"hpu_op", Category::kCpuOp},
    {"xpu_runtime", Category::kRuntime},
    {"xpu_driver", Category::kDriver},
    {"xpu_sync", Category::kSync},
    {"privateuse1_runtime", Category::kRuntime},
    {"privateuse1_driver", Category::kDriver},
    // not slices of ours
    {"cpu_instant_event", Category::kOther},
    {"fwdbwd", Category::kOther},
    {"ac2g", Category::kOther},
    {"external_correlation", Category::kOther},
    {"mtia_insight", Category::kOther},
    {"mtia_counters", Category::kOther},
    {"xpu_scope_profiler", Category::kOther},
    {"collective_comm", Category::kOther},
    {"hardware_counters", Category::kOther},
    // arrows of older versions
    {"forward_backward", Category::kOther},
    {"async_cpu_to_gpu", Category::kOther},
    {"async_gpu", Category::kOther},
    {"async", Category::kOther},
    {"cpu_to_cuda", Category::kOther},
};

TEST(CategoryOf, KnowsTheWordsOfEveryEraAndVendor) {
  for (const Known& known : kKnown) EXPECT_EQ(category_of(known.word), known.category) << known.word;
}

TEST(CategoryOf, KnowsThemInAnyCase) {
  for (const Known& known : kKnown) {
    std::string upper = known.word, lower = known.word;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(category_of(upper), known.category) << upper;
    EXPECT_EQ(category_of(lower), known.category) << lower;
  }
}

TEST(CategoryOf, OtherWordsAreNotKnown) {
  for (const char* word : {"", "kernels", "kerne", " kernel", "cpu-op", "cpu\x1fop", "no such word"}) {
    EXPECT_FALSE(category_of(word).has_value()) << word;
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json

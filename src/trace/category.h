// What a slice is, whatever word the producer used for it. The words are mapped by each reader.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace skyline {

enum class Category : uint8_t {
  kCpuOp,
  kUserAnnotation,
  kPython,
  kRuntime,
  kDriver,
  kKernel,
  kMemcpy,
  kMemset,
  kDeviceOther,
  kGpuAnnotation,
  kSync,
  kCudaEvent,
  kOverhead,
  kTraceSpan,
  kProfilerRange,
  kOther,
};

struct CategoryTraits {
  Category category;
  std::string_view name;
  bool is_activity;  // work on a device: kernels, copies, sets
  bool is_launch;    // a host call that may have put work on a device
  // Which of two slices with the same start and end encloses the other: the lower one.
  uint8_t nesting_rank;
};

// One line per category, in the order of the enum.
inline constexpr std::array<CategoryTraits, 16> kCategories = {{
    {Category::kCpuOp, "cpu_op", false, false, 2},
    {Category::kUserAnnotation, "user_annotation", false, false, 0},
    {Category::kPython, "python_function", false, false, 1},
    {Category::kRuntime, "runtime", false, true, 3},
    {Category::kDriver, "driver", false, true, 3},
    {Category::kKernel, "kernel", true, false, 4},
    {Category::kMemcpy, "memcpy", true, false, 4},
    {Category::kMemset, "memset", true, false, 4},
    {Category::kDeviceOther, "device_other", true, false, 4},
    {Category::kGpuAnnotation, "gpu_user_annotation", false, false, 0},
    {Category::kSync, "sync", false, false, 4},
    {Category::kCudaEvent, "cuda_event", false, false, 4},
    {Category::kOverhead, "overhead", false, false, 4},
    {Category::kTraceSpan, "trace_span", false, false, 4},
    {Category::kProfilerRange, "profiler_range", false, false, 4},
    {Category::kOther, "other", false, false, 4},
}};

constexpr const CategoryTraits& traits(Category category) {
  return kCategories[static_cast<size_t>(category)];
}
constexpr std::string_view name_of(Category category) { return traits(category).name; }
constexpr bool is_activity(Category category) { return traits(category).is_activity; }
constexpr bool is_launch(Category category) { return traits(category).is_launch; }

}  // namespace skyline

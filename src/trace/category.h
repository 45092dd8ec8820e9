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

// The table with more about slices of a category: SliceTable::detail is a row of it.
enum class DetailTable : uint8_t { kNone, kOps, kPythons, kLaunches, kActivities };

struct CategoryTraits {
  Category category;
  std::string_view name;
  DetailTable detail;
  // Which of two slices with the same start and end encloses the other: the lower one.
  uint8_t nesting_rank;
};

// One line per category, in the order of the enum.
inline constexpr std::array<CategoryTraits, 16> kCategories = {{
    {Category::kCpuOp, "cpu_op", DetailTable::kOps, 2},
    {Category::kUserAnnotation, "user_annotation", DetailTable::kOps, 0},
    {Category::kPython, "python_function", DetailTable::kPythons, 1},
    {Category::kRuntime, "runtime", DetailTable::kLaunches, 3},
    {Category::kDriver, "driver", DetailTable::kLaunches, 3},
    {Category::kKernel, "kernel", DetailTable::kActivities, 4},
    {Category::kMemcpy, "memcpy", DetailTable::kActivities, 4},
    {Category::kMemset, "memset", DetailTable::kActivities, 4},
    {Category::kDeviceOther, "device_other", DetailTable::kActivities, 4},
    {Category::kGpuAnnotation, "gpu_user_annotation", DetailTable::kNone, 0},
    {Category::kSync, "sync", DetailTable::kNone, 4},
    {Category::kCudaEvent, "cuda_event", DetailTable::kNone, 4},
    {Category::kOverhead, "overhead", DetailTable::kNone, 4},
    {Category::kTraceSpan, "trace_span", DetailTable::kNone, 4},
    {Category::kProfilerRange, "profiler_range", DetailTable::kNone, 4},
    {Category::kOther, "other", DetailTable::kNone, 4},
}};

constexpr const CategoryTraits& traits(Category category) {
  return kCategories[static_cast<size_t>(category)];
}
constexpr std::string_view name_of(Category category) { return traits(category).name; }
constexpr DetailTable detail_of(Category category) { return traits(category).detail; }

// An operator, or a range that the user or torch has named.
constexpr bool is_op_or_range(Category category) { return detail_of(category) == DetailTable::kOps; }
// A host call that may have put work on a device.
constexpr bool is_launch(Category category) { return detail_of(category) == DetailTable::kLaunches; }
// Work on a device: kernels, copies, sets.
constexpr bool is_activity(Category category) { return detail_of(category) == DetailTable::kActivities; }

}  // namespace skyline

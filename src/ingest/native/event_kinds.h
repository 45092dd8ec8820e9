// What the recorder's kinds of event are in the trace and in Kineto's words.
#pragma once

#include <array>
#include <string_view>

#include "trace/category.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

struct EventKindTraits {
  tracefile::EventKind kind;
  Category category;
  std::string_view word;  // Kineto's `cat`
};

// One line per kind, in the order of the enum.
inline constexpr std::array<EventKindTraits, 8> kEventKinds = {{
    {tracefile::EventKind::kOp, Category::kCpuOp, "cpu_op"},
    {tracefile::EventKind::kBackward, Category::kCpuOp, "cpu_op"},
    {tracefile::EventKind::kUserRange, Category::kUserAnnotation, "user_annotation"},
    {tracefile::EventKind::kStep, Category::kUserAnnotation, "user_annotation"},
    {tracefile::EventKind::kOptimizerStep, Category::kUserAnnotation, "user_annotation"},
    {tracefile::EventKind::kDataWait, Category::kUserAnnotation, "user_annotation"},
    {tracefile::EventKind::kModule, Category::kPython, "python_function"},
    {tracefile::EventKind::kPython, Category::kPython, "python_function"},
}};

// A newer recorder may know kinds that we do not: they are ranges of some sort.
constexpr const EventKindTraits& traits_of_kind(uint8_t kind) {
  constexpr size_t kUnknown = static_cast<size_t>(tracefile::EventKind::kUserRange);
  return kEventKinds[kind < kEventKinds.size() ? kind : kUnknown];
}

}  // namespace skyline::ingest::native

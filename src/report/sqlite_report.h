// Reports of `skyline time` and `skyline memory`: SQLite files with the tables of Skyline 0.5 (PRAGMA
// user_version 1), which its readers find as they expect them, and with tables of ours beside them:
//
//   run_metadata       key, value                             what ran, where and how
//   modules            id, name, class_name                   nn.Module instances; "" is the model itself
//   entry_modules      entry_table, entry_id, module_id       which entry belongs to which of them
//   samples            id, batch_size, median_ns, peak_bytes  what was measured at each batch size
//   sample_iterations  sample_id, ordering, duration_ns       and each iteration of it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "report/new_file.h"

namespace skyline::report {

// Path relative to the project's root, line from 1. Of a stack's frames the most specific comes first.
struct ReportFrame {
  std::string file_path;
  int64_t line_number = 0;
};

// Entries are operation instances; `module` is the dotted name of the nn.Module instance, none: outside of
// all.
struct TimeEntry {
  std::string operation_name;
  int64_t forward_ns = 0;
  std::optional<int64_t> backward_ns = {};
  std::vector<ReportFrame> frames = {};
  std::optional<std::string> module = {};
};

struct WeightEntry {
  std::string name;
  int64_t size_bytes = 0;
  int64_t grad_size_bytes = 0;
  std::vector<ReportFrame> frames = {};
  std::optional<std::string> module = {};
};

struct ActivationEntry {
  std::string operation_name;
  int64_t size_bytes = 0;
  std::vector<ReportFrame> frames = {};
  std::optional<std::string> module = {};
};

struct MemoryEntries {
  std::vector<WeightEntry> weights = {};
  std::vector<ActivationEntry> activations = {};
  int64_t peak_bytes = 0;
};

// What both reports say beyond Skyline 0.5.
struct ReportContext {
  struct Module {
    std::string name;
    std::string class_name;
  };
  struct Sample {
    int64_t batch_size = 0;
    int64_t median_ns = 0;
    std::optional<int64_t> peak_bytes = {};
    std::vector<int64_t> iterations_ns = {};
  };
  std::vector<std::pair<std::string, std::string>> metadata = {};  // keys differ
  std::vector<Module> modules = {};  // names differ; those that only entries name are added without a class
  std::vector<Sample> samples = {};
};

// The file appears when it is complete, or not at all. The same input gives the same bytes (with the same
// SQLite).
Status write_time_report(const FileTarget& target, const std::vector<TimeEntry>& entries,
                         const ReportContext& context);
Status write_memory_report(const FileTarget& target, const MemoryEntries& entries,
                           const ReportContext& context);

}  // namespace skyline::report

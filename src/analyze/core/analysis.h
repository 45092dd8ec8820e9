// What an analysis is: named figures and tables, each with a unit and a definition.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "base/result.h"
#include "trace/trace.h"

namespace skyline::analyze {

enum class Unit : uint8_t {
  kNanoseconds,
  kBytes,
  kCount,
  kNumber,  // an id, not a quantity
  kShare,
  kPerSecond,
  kBytesPerSecond,
  kText,
};

std::string_view name_of(Unit unit);  // "ns", "bytes", "count", "bytes_per_second", …

// ---- Figures: one number each, by a stable dotted name. -------------------------------------

struct FigureDef {
  std::string_view name;  // "device.busy"
  Unit unit;
  std::string_view definition;  // one sentence
};

struct Figure {
  const FigureDef* def;
  std::variant<std::monostate, int64_t, double> value;  // none: it cannot be known (a share of nothing)
};

// ---- Tables: rows of cells under named columns. ---------------------------------------------

struct Cell : std::variant<std::monostate, int64_t, double, std::string> {
  using variant::variant;
  // libstdc++ takes a variant of these types for never empty, so that a copy for which memory runs out would
  // destroy a text that was never made. Assigning to an empty one makes the text first.
  Cell(const Cell& other) : variant() { static_cast<variant&>(*this) = other; }
  Cell(Cell&&) noexcept = default;
  Cell& operator=(const Cell&) = default;
  Cell& operator=(Cell&&) noexcept = default;
  ~Cell() = default;
};

// What becomes of a column when rows are put together: those of several ranks, steps or recordings.
enum class ColumnKind : uint8_t {
  kKey,       // says what a row is about; rows with equal keys belong together
  kAdditive,  // of equal rows the sum is that of all of them
  kDerived,   // follows from other columns or holds only in this table: shares, means, extremes, row numbers
};

std::string_view name_of(ColumnKind kind);  // "key", "additive", "derived"

struct ColumnDef {
  std::string_view name;   // "device_self"
  std::string_view title;  // "Device self"
  Unit unit;
  ColumnKind kind;
  std::string_view definition;  // one sentence
};

struct Table {
  std::vector<ColumnDef> columns;
  std::vector<std::vector<Cell>> rows;
  size_t left_out = 0;         // rows that TableQuery::top cut off
  std::string_view indent_by;  // rows are a tree in preorder: the column with their depth
  std::string_view note;       // what this trace does not let the rows tell, as a sentence; mostly empty
};

struct TableOptions {
  std::string group_by;         // empty: the table's default; else one of TableDef::group_by
  std::optional<int64_t> step;  // only this step's events
  bool ranges = false;          // ops, calls: as torch's tables have them, see calls_as_torch_counts()
};

struct TableQuery {
  std::string sort;    // column name; "-name" or "name" sorts numbers largest first,
                       // "+name" smallest first; empty: the table's own order
  std::string filter;  // keep rows where a text cell contains this, in any case
  size_t top = 0;      // 0: all
};

// ---- The registry: one line per analysis. ---------------------------------------------------

struct FigureAnalysis {
  std::string_view name;      // "hta"
  std::string_view sentence;  // what question it answers
  std::string_view needs;     // what the trace must hold
  std::span<const FigureDef> figures;
  std::vector<Figure> (*run)(const AnalyzedTrace&);  // one Figure per def, in that order
};

class RowSource;  // analyze/core/row_source.h: rows that are made when they are asked for

// What a trace must hold for a table to have rows.
enum class TraceContent : uint8_t { kEvents, kSteps, kDevice, kStacks, kMemory };

struct TableAnalysis {
  std::string_view name;   // "ops"
  std::string_view title;  // "Operators"
  std::string_view sentence;
  TraceContent must_hold;
  std::string_view needs;  // the same in words
  std::span<const ColumnDef> columns;
  std::span<const std::string_view> group_by;  // the first is the default
  Table (*run)(const AnalyzedTrace&, const TableOptions&);
  // Of very long tables. The AnalyzedTrace must outlive the rows.
  std::unique_ptr<RowSource> (*open)(const AnalyzedTrace&, const TableOptions&) = nullptr;
};

std::span<const FigureAnalysis> figure_analyses();
std::span<const TableAnalysis> table_analyses();

const FigureDef* find_figure(std::string_view name);
const TableAnalysis* find_table(std::string_view name);

// Every named figure of a trace, in registry order; or only those of some analyses, by their names.
std::vector<Figure> compute_figures(const AnalyzedTrace& analyzed,
                                    std::initializer_list<std::string_view> analyses = {});

}  // namespace skyline::analyze

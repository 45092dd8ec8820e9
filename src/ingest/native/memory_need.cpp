#include "ingest/native/memory_need.h"

#include <algorithm>
#include <map>

#include "ingest/native/stored_columns.h"

namespace skyline::ingest::native {
namespace {

using tracefile::Chunk;
using tracefile::ColumnEntry;
using tracefile::element_bytes;
using tracefile::TableId;

constexpr uint64_t kListRowBytes = 64;  // tracks, steps, counts: a struct each

// What one row of a recording becomes: in the trace's tables with what freezing them takes, and in the
// columns that are unpacked beside them.
struct RowBytes {
  uint64_t kept;
  uint64_t unpacked;
};

RowBytes row_bytes(TableId table) {
  switch (table) {
    case TableId::kEvents:
      return {130, 50};
    case TableId::kMemory:
      return {62, 48};
    default:
      return {64, 32};
  }
}

bool is_read_piece_by_piece(TableId table) {
  return table == TableId::kText || table == TableId::kDeviceText || table == TableId::kSeekPoints;
}

bool is_list(TableId table) {
  return table == TableId::kTraceTracks || table == TableId::kTraceSteps ||
         table == TableId::kTraceEventCounts || table == TableId::kTraceDevices;
}

// Columns that are split into bytes are unpacked to one more place, a column on each thread.
uint64_t scratch_bytes(const tracefile::Reader& file, unsigned threads) {
  uint64_t largest = 0;
  for (const Chunk& chunk : file.chunks()) {
    for (const ColumnEntry& entry : chunk.entries()) {
      if (entry.raw_bytes <= tracefile::kMaxColumnBytes) largest = std::max(largest, entry.raw_bytes);
    }
  }
  return largest * threads;
}

// Texts stand in memory twice: as they are unpacked, and as they are kept.
uint64_t text_bytes(const Chunk& chunk) {
  uint64_t sum = 0;
  for (const ColumnEntry& entry : chunk.entries()) {
    const bool is_text = element_bytes(entry.type) == 0;
    if (is_text && entry.raw_bytes <= tracefile::kMaxColumnBytes) sum += 2 * entry.raw_bytes;
  }
  return sum;
}

// Of a row of each table, all its columns: those that a file lacks are filled with their missing value.
std::map<TableId, uint64_t> declared_widths() {
  std::map<TableId, uint64_t> widths;
  const Trace none;
  for_each_stored_column(none, [&](const auto& file_column, const auto&, const auto& column) {
    widths[file_column.table] += sizeof(*column.data());
  });
  return widths;
}

}  // namespace

uint64_t bytes_to_load_tables(const tracefile::Reader& file, unsigned threads) {
  struct Table {
    uint64_t rows = 0;
    std::map<uint16_t, uint64_t> widths;  // by column
  };
  std::map<TableId, Table> tables;
  uint64_t sum = scratch_bytes(file, threads);
  for (const Chunk& chunk : file.chunks()) {
    if (is_read_piece_by_piece(chunk.table()) || !chunk.has_proof_of_rows()) continue;
    Table& table = tables[chunk.table()];
    table.rows += chunk.rows();
    for (const ColumnEntry& entry : chunk.entries()) table.widths[entry.column] = element_bytes(entry.type);
    sum += text_bytes(chunk);
  }
  const std::map<TableId, uint64_t> declared = declared_widths();
  for (const auto& [id, table] : tables) {
    uint64_t width = is_list(id) ? kListRowBytes : 0;
    for (const auto& [column, bytes] : table.widths) width += bytes;
    const auto known = declared.find(id);
    sum += table.rows * (known == declared.end() ? width : std::max(width, known->second));
  }
  return sum;
}

uint64_t bytes_to_read_recording(const tracefile::Reader& file, unsigned threads) {
  constexpr uint64_t kChunksPerThread = 4;  // that are unpacked at a time, see RecordedReader
  uint64_t sum = scratch_bytes(file, threads), largest = 0, all = 0;
  for (const Chunk& chunk : file.chunks()) {
    if (is_read_piece_by_piece(chunk.table()) || tracefile::is_of_whole_trace(chunk.table()) ||
        !chunk.has_proof_of_rows()) {
      continue;
    }
    const RowBytes bytes = row_bytes(chunk.table());
    sum += chunk.rows() * bytes.kept + text_bytes(chunk);
    largest = std::max(largest, chunk.rows() * bytes.unpacked);
    all += chunk.rows() * bytes.unpacked;
  }
  return sum + std::min(all, largest * kChunksPerThread * threads);
}

}  // namespace skyline::ingest::native

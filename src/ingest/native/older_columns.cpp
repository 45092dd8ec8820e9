#include "ingest/native/older_columns.h"

#include "trace/distinct_rows.h"
#include "trace/signatures.h"

namespace skyline::ingest::native {
namespace {

using tracefile::Chunk;

constexpr tracefile::NumberColumn<uint32_t> retired_text(uint16_t number, std::string_view name) {
  return {{tracefile::TableId::kTraceOps, number, tracefile::ElementType::kU32, tracefile::Encoding::kPlain,
           name, "retired"},
          StringId::kNoneValue};
}
constexpr auto kInputDims = retired_text(5, "input_dims"), kInputTypes = retired_text(6, "input_types");

// Honest files name most of their texts in a few signatures each. One that names a long text in very many
// would take memory and time without end.
constexpr uint64_t kMostUsesOfTexts = 64, kAlwaysTakenBytes = 64 << 20;

}  // namespace

Status take_older_inputs(std::span<const Chunk* const> ops, Trace& trace) {
  uint32_t op = 0;
  uint64_t text_bytes = 0;
  const uint64_t most_bytes = kAlwaysTakenBytes + kMostUsesOfTexts * trace.strings.bytes();
  DistinctRows<SignatureTable> distinct;
  for (const Chunk* chunk : ops) {
    const auto rows = static_cast<uint32_t>(chunk->rows());
    if (chunk->has(kInputDims) || chunk->has(kInputTypes)) {
      SKYLINE_TRY(const Column<uint32_t> dims, chunk->column(kInputDims));
      SKYLINE_TRY(const Column<uint32_t> types, chunk->column(kInputTypes));
      for (uint32_t i = 0; i < rows; ++i) {
        const SignatureRow row = {.dims = StringId(dims[i]), .types = StringId(types[i])};
        if (row == SignatureRow()) continue;
        for (const StringId text : {row.dims, row.types}) {
          if (text.exists() && text.value >= trace.strings.size())
            return Error{"a text of it does not exist"};
        }
        const size_t known = trace.signatures.size();
        trace.ops.signature[op + i] = SignatureId(distinct.add(trace.signatures, row));
        if (trace.signatures.size() == known) continue;
        text_bytes += trace.strings[row.dims].size() + trace.strings[row.types].size();
        if (text_bytes > most_bytes) return Error{"the inputs of its operators are absurdly many"};
      }
    }
    op += rows;
  }
  if (op > 0 && trace.signatures.first_input.empty()) read_signatures(trace);
  return Done{};
}

}  // namespace skyline::ingest::native

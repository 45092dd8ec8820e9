// Args that are looked at a second time, as few events have them or most of them say the same: of
// collectives, synchronisation, compiled kernels, and how operators are called. What cannot be used stays
// unknown.
#include "ingest/kineto_json/arg_values.h"
#include "ingest/kineto_json/batch.h"
#include "ingest/kineto_json/members.h"

namespace skyline::ingest::kineto_json {
namespace {

// Some writers print "no stream" as -1 without its sign.
void read_stream(std::string_view value, int64_t& target) {
  read_number(value, target);
  if (target == UINT32_MAX) target = -1;
}

void read_correlation(std::string_view value, uint64_t& target) {
  int64_t number = -1;
  read_number(value, number);
  target = number < 0 ? kNoCorrelation : static_cast<uint64_t>(number);
}

}  // namespace

StringId Batch::quoted_text(std::string_view value) {
  const bool is_text = value.size() >= 2 && value[0] == '"';
  return is_text ? strings.intern(without_quotes(value)) : StringId();
}

CollectiveId Batch::add_collective(const RawArgs& args, SliceId slice, uint64_t offset) {
  CollectiveRow row = {.slice = slice};
  const auto number = [](std::string_view value, int64_t& target) {
    const std::optional<Decimal> decimal = parse_decimal(value, 0);
    if (decimal) target = decimal->as_int64().value_or(target);
  };
  const auto string = [&](std::string_view value, StringId& target) {
    if (value.size() < 2 || value[0] != '"') return;
    target = text(value.substr(1, value.size() - 2), offset);
  };
  for_each_member(args.text, [&](std::string_view key, std::string_view value) {
    if (key == "Collective name") string(value, row.name);
    if (key == "dtype") string(value, row.dtype);
    if (key == "Process Group Name") string(value, row.group_name);
    if (key == "Process Group Description") row.group_description = quoted_text(value);
    if (key == "Process Group Ranks") row.group_ranks = json(value);
    if (key == "In msg nelems") number(value, row.in_elements);
    if (key == "Out msg nelems") number(value, row.out_elements);
    if (key == "Group size") number(value, row.group_size);
    if (key == "Seq") read_number(value, row.sequence);
    if (key == "Comms Id") row.comms_id = strings.intern(without_quotes(value));
    if (key == "Rank") read_number(value, row.rank);
    if (key == "Src Rank") read_number(value, row.source_rank);
    if (key == "Dst Rank") read_number(value, row.target_rank);
    if (key == "In split size") row.in_split = json(value);
    if (key == "Out split size") row.out_split = json(value);
    if (key == "Global rank start") read_number(value, row.first_global_rank);
    if (key == "Global rank stride") read_number(value, row.global_rank_stride);
    if (key == "Is asynchronized op") row.is_async = value == "true" || without_quotes(value) == "1" ? 1 : 0;
  });
  return CollectiveId(collectives.add(row));
}

void Batch::add_sync(const RawArgs& args, SliceId slice) {
  if (args.text.empty()) return;
  SyncRow row = {
      .slice = slice, .correlation = args.correlation, .device = args.device, .stream = args.stream};
  if (row.stream == UINT32_MAX) row.stream = -1;
  for_each_member(args.text, [&](std::string_view key, std::string_view value) {
    if (key == "cuda_sync_kind" || key == "sync_kind") row.kind = quoted_text(value);
    if (key == "wait_on_stream") read_stream(value, row.awaited_stream);
    if (key == "wait_on_cuda_event_record_corr_id") read_correlation(value, row.awaited_record);
    if (key == "wait_on_cuda_event_id" || key == "cuda_event_id" || key == "event_id")
      read_number(value, row.event_id);
  });
  syncs.add(row);
}

void Batch::add_compiled_call(const RawArgs& args, SliceId slice) {
  CompiledCallRow row = {.slice = slice, .stream = args.stream};
  for_each_member(args.text, [&](std::string_view key, std::string_view value) {
    if (key == "kernel_name") row.kernel_name = quoted_text(value);
    if (key == "kernel_file") row.kernel_file = quoted_text(value);
    if (key == "kernel_hash") row.kernel_hash = quoted_text(value);
    if (key == "kernel_backend") row.backend = quoted_text(value);
    if (key == "kernel_kwargs") row.kwargs = value[0] == '"' ? quoted_text(value) : json(value);
    if (key == "grid") row.grid = value[0] == '"' ? quoted_text(value) : json(value);
    if (key == "num_warps") read_number(value, row.num_warps);
    if (key == "num_stages") read_number(value, row.num_stages);
  });
  compiled_calls.add(row);
}

Batch::Inputs Batch::read_inputs(const RawInputs& written) {
  const SignatureRow row = {
      .dims = json(written.dims), .types = json(written.types), .strides = json(written.strides)};
  const SignatureId signature =
      row == SignatureRow() ? SignatureId() : SignatureId(distinct_signatures_.add(signatures, row));
  return {signature, json(written.concrete)};
}

}  // namespace skyline::ingest::kineto_json

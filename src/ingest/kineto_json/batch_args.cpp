// Args that are looked at a second time, as few events have them or most of them say the same: of
// collectives, synchronisation, compiled kernels, and how kernels are launched. What can not be used stays
// unknown.
#include <charconv>
#include <cmath>

#include "ingest/kineto_json/batch.h"
#include "ingest/kineto_json/decimal.h"
#include "ingest/kineto_json/members.h"

namespace skyline::kineto_json {
namespace {

std::string_view without_quotes(std::string_view value) {
  const bool is_quoted = value.size() >= 2 && value.front() == '"';
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

// A whole number, bare, in quotes or as a pointer.
void read_number(std::string_view value, int64_t& target) {
  const std::string_view token = without_quotes(value);
  const std::optional<Decimal> decimal = token.starts_with("0x") ? parse_hex(token) : parse_decimal(token, 0);
  if (decimal) target = decimal->as_int64().value_or(target);
}

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

void read_real(std::string_view value, double& target) {
  const std::string_view token = without_quotes(value);
  double number = 0;
  const std::from_chars_result read = std::from_chars(token.data(), token.data() + token.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == token.data() + token.size();
  if (is_whole && std::isfinite(number) && number >= 0) target = number;
}

// "[8, 16, 5]", with or without quotes around it.
void read_three(std::string_view value, int64_t& x, int64_t& y, int64_t& z) {
  const char* p = value.data();
  const char* const end = p + value.size();
  for (int64_t* target : {&x, &y, &z}) {
    while (p < end && (*p < '0' || *p > '9')) ++p;
    const std::from_chars_result read = std::from_chars(p, end, *target);
    if (read.ec != std::errc()) return;
    p = read.ptr;
  }
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

Batch::Inputs Batch::read_inputs(const RawArgs& args) {
  const SignatureRow row = {
      .dims = json(args.input_dims), .types = json(args.input_types), .strides = json(args.input_strides)};
  const SignatureId signature =
      row == SignatureRow() ? SignatureId() : SignatureId(distinct_signatures_.add(signatures, row));
  return {signature, json(args.concrete_inputs)};
}

KernelShapeId Batch::read_kernel_shape(std::string_view members) {
  KernelShapeRow row;
  for_each_member_of_stretch(members, [&](std::string_view key, std::string_view value) {
    if (key == "grid") read_three(value, row.grid_x, row.grid_y, row.grid_z);
    if (key == "block") read_three(value, row.block_x, row.block_y, row.block_z);
    if (key == "registers per thread") read_number(value, row.registers);
    if (key == "shared memory") read_number(value, row.shared_bytes);
    if (key == "blocks per SM") read_real(value, row.blocks_per_sm);
    if (key == "warps per SM") read_real(value, row.warps_per_sm);
    if (key == "est. achieved occupancy %" || key == "theoretical occupancy %")
      read_real(value, row.occupancy_percent);
    if (key != "occupancy") return;
    for_each_member(value, [&](std::string_view inner, std::string_view of) {
      if (inner == "limitingFactors") row.limited_by = quoted_text(of);
    });
  });
  return KernelShapeId(distinct_shapes_.add(kernel_shapes, row));
}

}  // namespace skyline::kineto_json

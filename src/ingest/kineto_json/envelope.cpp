#include "ingest/kineto_json/envelope.h"

#include <simdjson.h>
#include <algorithm>
#include <optional>

#include "base/json_error.h"
#include "ingest/kineto_json/decimal.h"

namespace skyline::ingest::kineto_json {
namespace {

using simdjson::dom::element;

int64_t integer(const simdjson::simdjson_result<element>& value, int64_t otherwise) {
  int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  double real = 0;  // some writers print counts as 1e9
  if (value.get(real) == simdjson::SUCCESS && real > -9e15 && real < 9e15) return static_cast<int64_t>(real);
  return otherwise;
}

std::string text(const simdjson::simdjson_result<element>& value) {
  std::string_view view;
  if (value.get(view) == simdjson::SUCCESS) return std::string(view);
  return {};
}

void read_devices(const element& value, TraceInfo& info) {
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return;
  info.devices.clear();
  for (const element entry : list) {
    Device device;
    device.id = integer(entry["id"], -1);
    device.name = text(entry["name"]);
    device.memory_bytes = integer(entry["totalGlobalMem"], -1);
    device.multiprocessors = integer(entry["numSms"], -1);
    device.compute_major = integer(entry["computeMajor"], -1);
    device.compute_minor = integer(entry["computeMinor"], -1);
    device.warp_size = integer(entry["warpSize"], -1);
    device.max_threads_per_multiprocessor = integer(entry["maxThreadsPerMultiprocessor"], -1);
    info.devices.push_back(std::move(device));
  }
}

void read_distributed(const element& value, TraceInfo& info) {
  info.rank = integer(value["rank"], info.rank);
  info.world_size = integer(value["world_size"], info.world_size);
  if (const std::string backend = text(value["backend"]); !backend.empty()) info.backend = backend;
  if (const std::string version = text(value["nccl_version"]); !version.empty()) info.nccl_version = version;
}

struct Switch {
  std::string_view key;
  int TraceInfo::*flag;
};

constexpr Switch kSwitches[] = {
    {"record_shapes", &TraceInfo::record_shapes}, {"profile_memory", &TraceInfo::profile_memory},
    {"with_stack", &TraceInfo::with_stack},       {"with_modules", &TraceInfo::with_modules},
    {"with_flops", &TraceInfo::with_flops},
};

// Remaining scalars are kept as they are, for `info`; a few hundred bytes each are plenty.
constexpr size_t kMaxMetadataBytes = 512, kMaxMetadataKeys = 64;

// Cut between two characters, never inside one.
std::string shortened(std::string_view text) {
  if (text.size() <= kMaxMetadataBytes) return std::string(text);
  size_t size = kMaxMetadataBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return std::string(text.substr(0, size));
}

void keep(std::string_view key, const element& value, TraceInfo& info) {
  if (value.is_array() || value.is_object()) return;
  std::string_view written;
  std::string kept =
      shortened(value.get(written) == simdjson::SUCCESS ? std::string(written) : simdjson::minify(value));
  const std::string name = shortened(key);
  const auto same = std::find_if(info.metadata.begin(), info.metadata.end(),
                                 [&](const auto& entry) { return entry.first == name; });
  if (same != info.metadata.end()) {
    same->second = std::move(kept);
  } else if (info.metadata.size() < kMaxMetadataKeys) {
    info.metadata.emplace_back(name, std::move(kept));
  }
}

// Unix times need every digit, so none of the forms that pass through a double will do.
bool read_base(std::string_view json, TraceInfo& info) {
  if (json.size() >= 2 && json.front() == '"') json = json.substr(1, json.size() - 2);
  const std::optional<Decimal> base = parse_decimal(json, 0);
  const std::optional<int64_t> ns = base ? base->as_int64() : std::nullopt;
  if (!ns || *ns < 0 || *ns > INT64_MAX / 2) return false;
  info.base_ns = *ns;
  return true;
}

}  // namespace

bool read_metadata(std::string_view key, std::string_view json, TraceInfo& info) {
  if (key == "baseTimeNanoseconds") return read_base(json, info);
  simdjson::dom::parser parser;
  element value;
  if (is_json_error(parser.parse(json.data(), json.size()).get(value))) return false;
  const simdjson::simdjson_result<element> result{element(value)};
  if (key == "deviceProperties") {
    read_devices(value, info);
  } else if (key == "distributedInfo") {
    read_distributed(value, info);
  } else if (key == "schemaVersion") {
    info.schema_version = integer(result, info.schema_version);
  } else if (key == "traceName") {
    info.trace_name = text(result);
  } else if (key == "host_name") {
    info.host_name = text(result);
  } else {
    for (const Switch& known : kSwitches) {
      if (key == known.key) info.*known.flag = integer(result, 0) != 0;
    }
    keep(key, value, info);
  }
  return true;
}

// Only what is missing: mended text is whole in the copy.
std::string losses_text(const LossCounts& losses) {
  std::string text;
  for (const LossKind& kind : kLosses) {
    const uint64_t count = losses[kind.loss].count;
    if (kind.severity != Severity::kDataLoss || count == 0) continue;
    text.append(text.empty() ? "{\"" : ", \"").append(kind.name).append("\": ").append(std::to_string(count));
  }
  return text.empty() ? "{}" : text + "}";
}

bool read_losses(std::string_view json, uint64_t offset, LossCounts& losses) {
  simdjson::dom::parser parser;
  simdjson::dom::object counts;
  if (parser.parse(json.data(), json.size()).get(counts) != simdjson::SUCCESS) return false;
  for (const auto [name, value] : counts) {
    uint64_t count = 0;
    if (value.get(count) != simdjson::SUCCESS) return false;
    for (const LossKind& kind : kLosses) {
      if (kind.name == name) losses.raise_to(kind.loss, offset, count);
    }
  }
  return true;
}

void name_producer(TraceInfo& info) {
  info.producer = "torch.profiler";
  const auto find = [&](std::string_view key) -> std::string_view {
    for (const auto& [name, value] : info.metadata) {
      if (name == key) return value;
    }
    return {};
  };
  if (info.schema_version < 0) info.producer = "unknown";
  for (const auto& [key, label] : {std::pair{"cupti_version", "CUPTI"},
                                   {"cuda_runtime_version", "CUDA"},
                                   {"roctracer_version", "roctracer"},
                                   {"hip_runtime_version", "HIP"}}) {
    if (const std::string_view version = find(key); !version.empty()) {
      info.producer.append(", ").append(label).append(" ").append(version);
    }
  }
  if (!info.nccl_version.empty()) info.producer += ", NCCL " + info.nccl_version;
}

}  // namespace skyline::ingest::kineto_json

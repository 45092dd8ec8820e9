#include "collect/log/file_facts.h"

#include <vector>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

class Meta {
 public:
  void add(std::string_view key, std::string_view value) {
    keys_.push_back(key);
    values_.push_back(value);
  }
  void add_switch(std::string_view key, bool on) { add(key, on ? "1" : "0"); }

  void write_to(ChunkSink& sink) const {
    table::ChunkBuilder& chunk = sink.begin(table::TableId::kMeta);
    chunk.add(table::meta::kKey, keys_);
    chunk.add(table::meta::kValue, values_);
    sink.append();
  }

 private:
  std::vector<std::string_view> keys_, values_;
};

}  // namespace

void write_settings(const Options& options, ChunkSink& sink) {
  Meta meta;
  for (const auto& [key, value] : options.meta) meta.add(key, value);
  meta.add_switch("record.ops", options.ops);
  meta.add_switch("record.ranges", options.ranges);
  meta.add_switch("record.shapes", options.shapes);
  meta.add_switch("record.stacks", options.stacks);
  meta.add_switch("record.modules", options.modules);
  meta.add_switch("record.memory", options.memory);
  meta.write_to(sink);
}

void write_losses(std::span<const Loss> losses, ChunkSink& sink) {
  std::vector<std::string_view> names, sentences;
  std::vector<uint64_t> counts;
  for (const Loss& loss : losses) {
    if (loss.count == 0) continue;
    names.push_back(loss.name);
    counts.push_back(loss.count);
    sentences.push_back(loss.sentence);
  }
  if (names.empty()) return;
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kLosses);
  chunk.add(table::losses::kName, names);
  chunk.add(table::losses::kCount, counts);
  chunk.add(table::losses::kSentence, sentences);
  sink.append();
}

// Known at the end only, so it comes as a second chunk of metadata.
void write_cost(const Cost& cost, ChunkSink& sink) {
  const std::string calls = std::to_string(cost.calls), ns = std::to_string(cost.ns);
  Meta meta;
  meta.add("collector.calls", calls);
  if (cost.ns > 0) meta.add("collector.cost_ns", ns);
  meta.add("collector.way", cost.way.direct ? "direct" : "observers");
  if (!cost.way.why_not.empty()) meta.add("collector.not_direct", cost.way.why_not);
  meta.write_to(sink);
}

}  // namespace skyline::collect

#include "analyze/places/flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/places/frame_tree.h"
#include "analyze/places/gap_samples.h"
#include "analyze/places/module_code.h"
#include "analyze/places/place_children.h"
#include "analyze/places/program_frames.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

// Operators that nest more deeply are put beside each other.
constexpr uint32_t kMostDepth = 768;

// A node while the tree grows: children stand behind their parents.
struct Growing {
  uint32_t name, place;
  SumNs self_ns;
  int64_t calls = 0;
};

class FlameMaker {
 public:
  FlameMaker(const AnalyzedTrace& analyzed, const FlameOptions& options)
      : analyzed_(analyzed),
        trace_(analyzed.trace()),
        options_(options),
        filter_(trace_, options.step),
        base_(trace_.ops.size()) {
    flame_.names = {"all"};
    nodes_.push_back({0, kNoRow, {}, 0});
  }

  Flame run() {
    const SelectedCalls calls(analyzed_, filter_);
    if (options_.by == FlameBy::kStack) {
      place_by_frames();
    } else {
      place_by_modules();
    }
    put_operators(calls.ops(), calls.around());
    if (options_.time == FlameTime::kHost) {
      for_each_self_stretch(trace_, calls.ops(), [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
        nodes_[node_[op]].self_ns += end_ns - start_ns;
      });
      if (options_.by == FlameBy::kStack) add_samples();
    } else {
      add_activities(calls.around());
    }
    emit();
    return std::move(flame_);
  }

 private:
  uint32_t add(uint32_t parent, uint32_t name, uint32_t place) {
    nodes_.push_back({name, place, {}, 0});
    return tree_.add(parent);
  }

  uint32_t add_name(std::string text) {
    flame_.names.push_back(std::move(text));
    return static_cast<uint32_t>(flame_.names.size() - 1);
  }
  uint32_t add_place(std::string_view file, int64_t line, std::string_view function) {
    flame_.places.push_back({std::string(file), line, std::string(function)});
    return static_cast<uint32_t>(flame_.places.size() - 1);
  }

  // Gives every operator the node of the frame that calls it.
  void place_by_frames() {
    const FrameTree& frames = analyzed_.get<FrameTree>();
    std::vector<uint32_t> name_of_label, place_of_label;
    for (uint32_t i = 0; i < frames.label_count(); ++i) {
      const FrameTree::Label& label = frames.label(i);
      name_of_label.push_back(i == 0 ? 0 : add_name(label.text));
      place_of_label.push_back(label.file.empty() ? kNoRow
                                                  : add_place(label.file, label.line, label.function));
    }
    const std::vector<bool> folds =
        options_.only_program ? frames_to_fold(trace_, frames) : std::vector<bool>(frames.tree().size());
    // What two folded frames have called from the same line is one node.
    PlaceChildren children;
    node_of_frame_.assign(frames.tree().size(), PlaceTree::kRoot);
    for (uint32_t frame = 1; frame < frames.tree().size(); ++frame) {
      const uint32_t label = frames.label_of(frame), parent = node_of_frame_[frames.tree().parent(frame)];
      node_of_frame_[frame] = parent;
      if (folds[frame]) continue;
      uint32_t& node = children.at(parent, label);
      if (node == PlaceChildren::kNone) node = add(parent, name_of_label[label], place_of_label[label]);
      node_of_frame_[frame] = node;
    }
    for (uint32_t op = 0; op < base_.size(); ++op) base_[op] = node_of_frame_[frames.node_of_op(op)];
  }

  // … or of its module.
  void place_by_modules() {
    const OpPlaces& places = analyzed_.get<OpPlaces>();
    const std::vector<uint32_t> lines = ModuleCode(trace_, places).call_places(INT64_MIN, INT64_MAX);
    for (uint32_t node = 1; node < places.modules.tree().size(); ++node) {
      const ModulePlaces::Label module = places.modules.label(node);
      std::string name(module.name.empty() ? module.class_name : module.name);
      if (!module.name.empty() && !module.class_name.empty()) name += fmt::format(" ({})", module.class_name);
      uint32_t place = kNoRow;
      if (lines[node] != kNoRow) {
        const LinePlaces::Label line = places.lines.label(lines[node]);
        place = add_place(line.file, line.line, line.function);
      }
      add(places.modules.tree().parent(node), add_name(std::move(name)), place);
    }
    for (uint32_t op = 0; op < base_.size(); ++op) base_[op] = places.of[op].module;
  }

  // An operator inside another one that was called in the same place is below that one.
  void put_operators(std::span<const uint32_t> calls, std::span<const uint32_t> call_around) {
    PlaceChildren children;
    std::vector<uint32_t> name_of_string(trace_.strings.size(), kNoRow);
    node_.assign(trace_.ops.size(), kNoRow);
    for (const uint32_t op : calls) {
      const SliceId slice = trace_.ops.slice[op], outer = trace_.slices.parent[slice.value];
      const uint32_t around = outer.exists() ? call_around[outer.value] : kNoRow;
      uint32_t parent = base_[op];
      if (around != kNoRow && base_[around] == parent) {
        const uint32_t above = node_[around];
        parent = tree_.depth(above) < kMostDepth ? above : tree_.parent(above);
      }
      const StringId string = trace_.slices.name[slice.value];
      uint32_t no_name = kNoRow;
      uint32_t& name = string.exists() ? name_of_string[string.value] : no_name;
      if (name == kNoRow) name = add_name(std::string(trace_.slice_name(slice)));
      uint32_t& node = children.at(parent, name);
      if (node == PlaceChildren::kNone) node = add(parent, name, kNoRow);
      node_[op] = node;
      ++nodes_[node].calls;
    }
  }

  // Python between operators, and what other threads and workers do meanwhile, below the frames where samples
  // have met it.
  void add_samples() {
    if (trace_.samples.size() == 0) return;
    const FrameTree& frames = analyzed_.get<FrameTree>();
    for (const SampledStacks::Time& time : sampled_stacks(analyzed_, options_.step).times)
      nodes_[leaf(node_of_frame_[frames.node_of_stack(time.stack)], who(time.other))].self_ns += time.time_ns;
  }

  std::string who(TrackId other) const {
    if (!other.exists()) return "(Python)";
    const StringId process = trace_.tracks[other.value].process_name;
    return process.exists() ? fmt::format("({})", trace_.strings[process]) : "(another thread)";
  }

  uint32_t leaf(uint32_t frame, const std::string& name) {
    const auto [entry, is_new] = leaves_.try_emplace({frame, name}, kNoRow);
    if (is_new) entry->second = add(frame, add_name(name), kNoRow);
    return entry->second;
  }

  void add_activities(std::span<const uint32_t> call_around) {
    uint32_t without = kNoRow;
    for (uint32_t activity = 0; activity < trace_.activities.size(); ++activity) {
      if (!filter_.takes_activity(activity)) continue;
      const SliceId launch = trace_.activities.launch[activity];
      const uint32_t call = launch.exists() ? call_around[launch.value] : kNoRow;
      if (call == kNoRow && without == kNoRow)
        without = add(PlaceTree::kRoot, add_name("(no operator)"), kNoRow);
      Growing& node = nodes_[call == kNoRow ? without : node_[call]];
      node.self_ns += trace_.slices.dur_ns[trace_.activities.slice[activity].value];
    }
  }

  // Those in which something happens, in preorder.
  void emit() {
    std::vector<int64_t> total_ns(nodes_.size()), calls(nodes_.size());
    std::vector<uint32_t> child_count(nodes_.size() + 1, 0);
    for (auto node = static_cast<uint32_t>(nodes_.size()); node-- > 0;) {
      total_ns[node] = plus(total_ns[node], nodes_[node].self_ns);
      calls[node] += nodes_[node].calls;
      if (node == 0) break;
      const uint32_t parent = tree_.parent(node);
      total_ns[parent] = plus(total_ns[parent], total_ns[node]);
      calls[parent] += calls[node];
      ++child_count[parent + 1];
    }
    std::partial_sum(child_count.begin(), child_count.end(), child_count.begin());
    std::vector<uint32_t> children(nodes_.size() - 1), next(child_count);
    for (uint32_t node = 1; node < nodes_.size(); ++node) children[next[tree_.parent(node)]++] = node;

    struct Visit {
      uint32_t node, parent;
    };
    std::vector<Visit> pending = {{PlaceTree::kRoot, kNoRow}};
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      const uint32_t node = visit.node;
      const auto number = static_cast<uint32_t>(flame_.nodes.size());
      flame_.nodes.push_back({visit.parent, nodes_[node].name, nodes_[node].place, total_ns[node],
                              nodes_[node].self_ns, calls[node]});
      const auto begin = children.begin() + child_count[node], end = children.begin() + child_count[node + 1];
      // The last one is visited first.
      std::sort(begin, end, [&](uint32_t a, uint32_t b) {
        return total_ns[a] != total_ns[b] ? total_ns[a] < total_ns[b] : a > b;
      });
      for (auto child = begin; child != end; ++child)
        if (calls[*child] > 0 || total_ns[*child] > 0) pending.push_back({*child, number});
    }
  }

  const AnalyzedTrace& analyzed_;
  const Trace& trace_;
  const FlameOptions options_;
  const StepFilter filter_;
  PlaceTree tree_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> leaves_;  // of samples, by frame and name
  std::vector<Growing> nodes_;                                   // by node of the tree
  std::vector<uint32_t> node_of_frame_;                          // by node of the FrameTree
  std::vector<uint32_t> base_;  // by row of Trace::ops: the node it is called in
  std::vector<uint32_t> node_;  // by row of Trace::ops: its own
  Flame flame_;
};

}  // namespace

Flame make_flame(const AnalyzedTrace& analyzed, const FlameOptions& options) {
  return FlameMaker(analyzed, options).run();
}

}  // namespace skyline::analyze

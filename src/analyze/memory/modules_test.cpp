// Blocks by module: whose they are, and how modules stand to each other.
#include <gtest/gtest.h>

#include "analyze/core/test_random_trace.h"
#include "analyze/memory/lines.h"
#include "analyze/memory/modules.h"
#include "analyze/memory/test_memory_trace.h"

namespace skyline::analyze {
namespace {

// "name:class own/total" per node, indented by its depth.
std::string text_of(const MemoryTree& tree) {
  std::string text;
  for (const MemoryNode& node : tree) {
    text += std::string(2 * size_t{node.depth}, ' ') + node.name + ":" + node.class_name + " " +
            std::to_string(node.own.sum()) + "/" + std::to_string(node.total.sum()) + "\n";
  }
  return text;
}

std::string tree_of(MemoryTestTrace& t) {
  const auto trace = t.freeze();
  return text_of(memory_by_module(AnalyzedTrace(*trace), memory_at_peak(AnalyzedTrace(*trace)).front()));
}

struct Net : MemoryTestTrace {
  TrackId main = thread("1");
  ModuleId loss = module("", "Loss");
  StackId in_loss = line({}, "train.py", 9, loss);
  ModuleId net = module("", "Net"), layer0 = module("layers.0", "Linear"),
           layer1 = module("layers.1", "Linear");
  StackId in_net = line({}, "train.py", 1, net);
  StackId in_layer0 = line(in_net, "net.py", 2, layer0), in_layer1 = line(in_net, "net.py", 2, layer1);

  // An operator there that allocates.
  void run(StackId stack, int64_t time, int64_t bytes) {
    op("aten::mm", main, time, 5).at(stack);
    allocate(main, time, static_cast<uint64_t>(time) * 16, bytes);
  }
};

TEST(MemoryModules, InstancesOfOneClassAreNodesOfTheirOwn) {
  Net t;
  t.run(t.in_layer0, 10, 1);
  t.run(t.in_layer1, 20, 2);
  t.run(t.in_net, 30, 4);
  t.allocate(t.main, 40, 0x9000, 8);
  EXPECT_EQ(tree_of(t),
            ": 8/15\n"
            "  :Net 4/7\n"
            "    layers: 0/3\n"
            "      layers.0:Linear 1/1\n"
            "      layers.1:Linear 2/2\n");
}

TEST(MemoryModules, NamedTensorsBelongToTheirHolderInTheModel) {
  Net t;
  t.allocate(t.main, 1, 0x100, 8).tensor(TensorRole::kWeight, "layers.1.weight", "layers.1", 0x100, 5);
  t.allocate(t.main, 2, 0x200, 16).tensor(TensorRole::kBuffer, "scale", "", 0x200, 5);
  t.run(t.in_loss, 10, 1);
  t.run(t.in_layer1, 20, 2);
  EXPECT_EQ(tree_of(t),
            ": 0/27\n"
            "  :Net 16/26\n"
            "    layers: 0/10\n"
            "      layers.1:Linear 10/10\n"
            "  :Loss 1/1\n");
}

TEST(MemoryModules, APartThatIsRunAloneStaysWhereItBelongs) {
  Net t;
  t.run(t.in_layer0, 10, 1);
  t.run(t.line({}, "checkpoint.py", 5, t.layer0), 20, 2);
  EXPECT_EQ(tree_of(t),
            ": 0/3\n"
            "  :Net 0/3\n"
            "    layers: 0/3\n"
            "      layers.0:Linear 3/3\n");
}

TEST(MemoryModules, WithoutStacksNamedTensorsStillHaveTheirPlaces) {
  MemoryTestTrace t;
  t.allocate(t.thread("1"), 1, 0x100, 8).tensor(TensorRole::kWeight, "fc.weight", "fc", 0x100, 5);
  EXPECT_EQ(tree_of(t),
            ": 0/8\n"
            "  : 0/8\n"
            "    fc: 8/8\n");
}

TEST(MemoryModules, LinksAreTheBytesThatAModuleWithItsPartsOwesToALine) {
  Net t;
  t.run(t.in_layer0, 10, 1);
  t.run(t.in_layer1, 20, 2);
  t.run(t.in_net, 30, 4);
  t.allocate(t.main, 40, 0x9000, 8);
  const auto trace = t.freeze();
  const MemoryAtPeak peak = memory_at_peak(AnalyzedTrace(*trace)).front();
  const MemoryTree tree = memory_by_module(AnalyzedTrace(*trace), peak);
  const std::vector<MemoryLine> lines = memory_by_line(*trace, peak);
  std::string text;
  for (const MemoryLink& link : memory_links(AnalyzedTrace(*trace), peak)) {
    text += tree[link.module].name + ":" + tree[link.module].class_name + " " + lines[link.line].file + ":" +
            std::to_string(lines[link.line].line) + " " + std::to_string(link.bytes) + "\n";
  }
  EXPECT_EQ(text,
            ": :0 8\n"
            ": train.py:1 4\n"
            ": net.py:2 3\n"
            ":Net train.py:1 4\n"
            ":Net net.py:2 3\n"
            "layers: net.py:2 3\n"
            "layers.0:Linear net.py:2 1\n"
            "layers.1:Linear net.py:2 2\n");
}

TEST(MemoryModules, LinksOfTheRootAreTheLinesTotalsInAnyTrace) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const auto trace = random_trace(seed);
    for (const MemoryAtPeak& peak : memory_at_peak(AnalyzedTrace(*trace))) {
      const MemoryTree tree = memory_by_module(AnalyzedTrace(*trace), peak);
      const std::vector<MemoryLine> lines = memory_by_line(*trace, peak);
      std::vector<int64_t> of_module(tree.size()), of_line(lines.size());
      for (const MemoryLink& link : memory_links(AnalyzedTrace(*trace), peak)) {
        of_module[link.module] += link.bytes;
        if (link.module == 0) of_line[link.line] += link.bytes;
      }
      for (size_t i = 0; i < tree.size(); ++i) EXPECT_EQ(of_module[i], tree[i].total.sum());
      for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(of_line[i], lines[i].total.sum());
    }
  }
}

TEST(MemoryModules, AnAbsurdNameIsNoPath) {
  MemoryTestTrace t;
  t.allocate(t.thread("1"), 1, 0x100, 8);
  t.tensor(TensorRole::kWeight, "w", std::string(1'000'000, '.'), 0x100, 5);
  const auto trace = t.freeze();
  const MemoryTree tree =
      memory_by_module(AnalyzedTrace(*trace), memory_at_peak(AnalyzedTrace(*trace)).front());
  EXPECT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[0].total.sum(), 8);
}

}  // namespace
}  // namespace skyline::analyze

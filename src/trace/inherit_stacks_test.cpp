#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

// Stacks are numbers here: what is asked is whose stack an op ends up with.
class InheritStacks : public testing::Test {
 protected:
  void place(SliceId op, uint32_t stack, uint32_t module) {
    OpTable& ops = t.draft().ops;
    ops.stack.resize_uninitialized(ops.size());
    ops.module.resize_uninitialized(ops.size());
    ops.stack[t.draft().slices.detail[op.value]] = StackId(stack);
    ops.module[t.draft().slices.detail[op.value]] = ModuleId(module);
  }
  uint32_t stack(const Trace& trace, SliceId op) { return trace.ops.stack[t.detail(op)].value; }
  uint32_t module(const Trace& trace, SliceId op) { return trace.ops.module[t.detail(op)].value; }

  static constexpr uint32_t kForward = 1, kBackwardCall = 2, kHook = 3;
  TestDraft t;
  TrackId thread = t.track("1", "1"), engine = t.track("1", "2");
};

TEST_F(InheritStacks, ABackwardOpAndWhatIsInsideItBelongToTheForwardLine) {
  const SliceId mm = t.forward("aten::mm", thread, 0, 10, 7);
  const SliceId around = t.backward("MmBackward0", engine, 100, 50, 7);
  const SliceId inside = t.op("aten::mm", engine, 110, 10);
  const SliceId deeper = t.op("aten::resize_", engine, 111, 2);
  place(mm, kForward, 5);
  for (const SliceId op : {around, inside, deeper}) place(op, kBackwardCall, 6);
  const Trace& trace = t.freeze();
  for (const SliceId op : {mm, around, inside, deeper}) {
    EXPECT_EQ(stack(trace, op), kForward);
    EXPECT_EQ(module(trace, op), 5u);
  }
}

TEST_F(InheritStacks, TheEnginesRangeBelongsWhereTheOpInsideDoes) {
  const SliceId mm = t.forward("aten::mm", thread, 0, 10, 7);
  const SliceId range = t.op("autograd::engine::evaluate_function: MmBackward0", thread, 100, 50);
  const SliceId hook = t.op("aten::norm", thread, 105, 5);
  const SliceId backward = t.backward("MmBackward0", thread, 110, 20, 7);
  const SliceId rest = t.op("aten::sum", thread, 140, 5);
  place(mm, kForward, 5);
  for (const SliceId op : {range, backward, rest}) place(op, kBackwardCall, 6);
  place(hook, kHook, 6);
  const Trace& trace = t.freeze();
  for (const SliceId op : {range, backward, rest}) EXPECT_EQ(stack(trace, op), kForward);
  EXPECT_EQ(stack(trace, hook), kHook);
}

TEST_F(InheritStacks, AHookInsideKeepsItsOwnLine) {
  const SliceId mm = t.forward("aten::mm", thread, 0, 10, 7);
  const SliceId around = t.backward("MmBackward0", thread, 100, 50, 7);
  const SliceId hook = t.op("aten::norm", thread, 110, 10);
  place(mm, kForward, 5);
  place(around, kBackwardCall, 6);
  place(hook, kHook, 6);
  EXPECT_EQ(stack(t.freeze(), hook), kHook);
}

TEST_F(InheritStacks, OpsOutsideTheBackwardPassKeepTheirs) {
  const SliceId outer = t.op("aten::linear", thread, 0, 20);
  const SliceId inner = t.op("aten::addmm", thread, 1, 10);
  const SliceId lost = t.backward("MmBackward0", thread, 100, 50, 99);  // its forward op was not recorded
  for (const SliceId op : {outer, inner}) place(op, kForward, 5);
  place(lost, kBackwardCall, 6);
  const Trace& trace = t.freeze();
  EXPECT_EQ(stack(trace, inner), kForward);
  EXPECT_EQ(stack(trace, lost), kBackwardCall);
}

// With create_graph the backward pass is a forward pass too.
TEST_F(InheritStacks, TheBackwardOfABackwardBelongsToTheFirstForwardLine) {
  const SliceId mul = t.forward("aten::mul", thread, 0, 10, 7);
  const SliceId first = t.backward("MulBackward0", thread, 100, 50, 7);
  const SliceId again = t.forward("aten::mul", thread, 110, 10, 8);
  const SliceId second = t.backward("MulBackward0", thread, 200, 50, 8);
  place(mul, kForward, 5);
  for (const SliceId op : {first, again, second}) place(op, kBackwardCall, 6);
  EXPECT_EQ(stack(t.freeze(), second), kForward);
}

}  // namespace
}  // namespace skyline

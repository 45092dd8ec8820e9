// MemoryTestTrace: a trace by hand whose blocks have addresses, names, lines and modules, for unit tests.
#pragma once

#include "analyze/core/test_trace.h"
#include "analyze/memory/at_peak.h"

namespace skyline::analyze {

class MemoryTestTrace : public TestTrace {
 public:
  // The same as TestTrace has, to be chained with what is below.
  MemoryTestTrace& op(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    TestTrace::op(name, track, start, dur);
    return *this;
  }
  MemoryTestTrace& step(int number, TrackId track, int64_t start, int64_t dur) {
    TestTrace::step(number, track, start, dur);
    return *this;
  }
  MemoryTestTrace& gradient(int64_t sequence, uint32_t fwd_thread) {
    TestTrace::gradient(sequence, fwd_thread);
    return *this;
  }

  MemoryTestTrace& allocate(TrackId track, int64_t time, uint64_t address, int64_t bytes,
                            int32_t device_type = 0) {
    memory(track, time, bytes, device_type);
    draft().memory.address.back() = address;
    return *this;
  }
  MemoryTestTrace& release(TrackId track, int64_t time, uint64_t address, int64_t bytes,
                           int32_t device_type = 0) {
    return allocate(track, time, address, -bytes, device_type);
  }
  // An operator that allocates at its start.
  MemoryTestTrace& op_with(std::string_view name, TrackId track, int64_t start, int64_t dur, uint64_t address,
                           int64_t bytes) {
    op(name, track, start, dur);
    return allocate(track, start, address, bytes);
  }
  MemoryTestTrace& tensor(TensorRole role, std::string_view name, std::string_view module, uint64_t address,
                          int64_t time) {
    draft().tensors.add({.role = role,
                         .name = draft().strings.intern(name),
                         .module = draft().strings.intern(module),
                         .address = address,
                         .time_ns = time});
    return *this;
  }

  // A line of code below `parent`, running in `module`.
  StackId line(StackId parent, std::string_view file, int32_t number, ModuleId module = {}) {
    const uint32_t frame = draft().frames.add(
        {.file = draft().strings.intern(file), .function = draft().strings.intern("f"), .line = number});
    return StackId(draft().stacks.add({.parent = parent, .frame = FrameId(frame), .module = module}));
  }
  // Gives the latest op its stack.
  MemoryTestTrace& at(StackId stack) {
    fill_stacks();
    draft().ops.stack.back() = stack;
    draft().ops.module.back() = draft().stacks.module[stack.value];
    return *this;
  }

  std::unique_ptr<const Trace> freeze() {
    if (draft().stacks.size() > 0) fill_stacks();
    return TestTrace::freeze();
  }

 private:
  void fill_stacks() {
    OpTable& ops = draft().ops;
    while (ops.stack.size() < ops.size()) ops.stack.push_back(StackId());
    while (ops.module.size() < ops.size()) ops.module.push_back(ModuleId());
  }
};

// "weights 8, activations 4": roles that have bytes.
inline std::string text_of(const RoleBytes& roles) {
  std::string text;
  for (const MemoryRoleDef& def : kMemoryRoles) {
    if (roles[def.role] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(def.name) + " " + std::to_string(roles[def.role]);
  }
  return text;
}

}  // namespace skyline::analyze

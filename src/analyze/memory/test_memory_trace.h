// MemoryTestTrace: a trace by hand whose blocks have addresses, names, lines and modules, for unit tests.
#pragma once

#include "analyze/core/test_trace.h"
#include "analyze/memory/at_peak.h"

namespace skyline {

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
    TensorTable& tensors = draft().tensors;
    tensors.role.push_back(role);
    tensors.name.push_back(draft().strings.intern(name));
    tensors.module.push_back(draft().strings.intern(module));
    tensors.dims.push_back(StringId());
    tensors.address.push_back(address);
    tensors.bytes.push_back(0);
    tensors.time_ns.push_back(time);
    return *this;
  }

  ModuleId module(std::string_view name, std::string_view class_name) {
    draft().modules.name.push_back(draft().strings.intern(name));
    draft().modules.class_name.push_back(draft().strings.intern(class_name));
    return ModuleId(static_cast<uint32_t>(draft().modules.size() - 1));
  }
  // A line of code below `parent`, running in `module`.
  StackId line(StackId parent, std::string_view file, int32_t number, ModuleId module = {}) {
    draft().frames.file.push_back(draft().strings.intern(file));
    draft().frames.function.push_back(draft().strings.intern("f"));
    draft().frames.line.push_back(number);
    draft().stacks.parent.push_back(parent);
    draft().stacks.frame.push_back(FrameId(static_cast<uint32_t>(draft().frames.size() - 1)));
    draft().stacks.module.push_back(module);
    return StackId(static_cast<uint32_t>(draft().stacks.size() - 1));
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

}  // namespace skyline

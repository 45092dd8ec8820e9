#include "collect/torch/user_ranges.h"

#include <list>
#include <mutex>

#include "collect/torch/op_records.h"

namespace skyline::collect::user_ranges {
namespace {

class Context;

// Those that have begun and not ended, for the end of a recording.
struct Open {
  std::mutex mutex;
  std::list<Context*> contexts;
};

Open& open() {
  static Open* const all = new Open;  // contexts may outlive static destruction
  return *all;
}

class Context : public at::ObserverContext {
 public:
  explicit Context(const BegunRange& begun) : range(begun) {
    const std::lock_guard lock(open().mutex);
    place_ = open().contexts.insert(open().contexts.end(), this);
  }
  ~Context() override {
    const std::lock_guard lock(open().mutex);
    open().contexts.erase(place_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  BegunRange range;

 private:
  std::list<Context*>::iterator place_;
};

}  // namespace

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) noexcept try {
  const std::optional<BegunRange> begun = begin_user_range(function.name(), {.owner = nullptr,
                                                                             .sequence = function.seqNr(),
                                                                             .forward_thread = 0,
                                                                             .scope = function.scope(),
                                                                             .inputs = function.inputs()});
  return begun ? std::make_unique<Context>(*begun) : nullptr;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void end(at::ObserverContext& context) noexcept { end_user_range(static_cast<Context&>(context).range); }

void cut_open(ThreadLog& log, uint64_t session, uint64_t now) {
  const std::lock_guard lock(open().mutex);
  for (Context* const context : open().contexts) {
    BegunRange& range = context->range;
    if (range.session != session) continue;
    range.record.end = now;
    range.record.kind = static_cast<uint8_t>(RecordKind::kForeignRange);
    range.record.shapes = range.thread;
    log.append(range.record);
    range.session = 0;
  }
}

void lock() { open().mutex.lock(); }
void unlock() { open().mutex.unlock(); }

}  // namespace skyline::collect::user_ranges

#include "ingest/native/recorded_args.h"

#include <algorithm>
#include <mutex>

#include "ingest/kineto_json/event_text.h"
#include "ingest/kineto_json/json_validator.h"
#include "ingest/kineto_json/text_decode.h"
#include "ingest/native/event_columns.h"
#include "ingest/native/event_kinds.h"

namespace skyline::ingest::native {
namespace {

using kineto_json::ArgsText;
using tracefile::kNoId;

class RecordedArgs : public ArgsSource {
 public:
  RecordedArgs(std::shared_ptr<const tracefile::Reader> file, std::shared_ptr<const Definitions> definitions,
               int64_t base_ns)
      : file_(std::move(file)), defined_(std::move(definitions)), base_ns_(base_ns) {
    uint64_t row = 0;
    for (const tracefile::Chunk& chunk : file_->chunks()) {
      if (chunk.table() != tracefile::TableId::kEvents) continue;
      chunks_.push_back({&chunk, row});
      row += chunk.rows();
    }
  }

  Result<std::string> event_text(uint64_t offset) const override {
    const auto behind =
        std::upper_bound(chunks_.begin(), chunks_.end(), offset,
                         [](uint64_t row, const Place& place) { return row < place.first_row; });
    if (behind == chunks_.begin()) return no_event(offset);
    const Place& place = *(behind - 1);
    const uint64_t row = offset - place.first_row;
    const std::lock_guard lock(mutex_);
    // Events are mostly asked for in order: the chunk of the last one is kept.
    if (unpacked_ != place.chunk) {
      events_ = read_events(*place.chunk);
      SKYLINE_RETURN_IF_ERROR(file_->check_unchanged("the file"));
      unpacked_ = place.chunk;
    }
    if (row >= events_.size()) return no_event(offset);
    return text_of(static_cast<size_t>(row), offset);
  }

  Result<std::string> text_at(uint64_t, size_t) const override { return std::string(); }
  const tracefile::Reader& file() const { return *file_; }
  size_t held_bytes() const override { return chunks_.size() * sizeof(Place); }

 private:
  struct Place {
    const tracefile::Chunk* chunk;
    uint64_t first_row;
  };

  static Error no_event(uint64_t offset) {
    return {"the recording has no event " + std::to_string(offset) + ", or the part that held it is damaged"};
  }

  std::string text_of(size_t i, uint64_t offset) const {
    const EventKindTraits& kind = traits_of_kind(events_.kind[i]);
    const Thread* thread = defined_->threads.find(events_.thread[i]);
    const std::string tid =
        thread == nullptr ? "unknown " + std::to_string(events_.thread[i]) : std::to_string(thread->os_tid);
    const std::string_view* name = defined_->strings.find(events_.name[i]);
    const std::string clean_name = clean(name == nullptr ? "unknown" : *name);
    const uint64_t end = end_tick(events_.start_ticks[i], events_.dur_ticks[i]);
    const int64_t start_ns = defined_->clock.unix_ns(events_.start_ticks[i]);
    const kineto_json::EventHead head = {.phase = 'X',
                                         .category = kind.word,
                                         .name = clean_name,
                                         .process = defined_->meta_text(tracefile::meta::kProcessId),
                                         .thread = tid,
                                         .time_ns = start_ns - base_ns_,
                                         .dur_ns = defined_->clock.unix_ns(end) - start_ns};
    std::string text;
    kineto_json::append_event(head, args_of(i, offset).members(), text);
    return text;
  }

  ArgsText args_of(size_t i, uint64_t offset) const {
    ArgsText args;
    args.add("External id", offset + 1);
    args.add("Record function id", uint64_t{0});
    if (events_.sequence[i] >= 0) {
      args.add("Sequence number", events_.sequence[i]);
      args.add("Fwd thread id", uint64_t{events_.fwd_thread[i]});
    }
    if (const Shape* shape = defined_->shapes.find(events_.shapes[i])) {
      add_json(args, "Input type", shape->types);
      add_json(args, "Input Strides", shape->strides);
      add_json(args, "Input Dims", shape->dims);
      add_json(args, "Concrete Inputs", shape->values);
    }
    if (const Collective* collective = defined_->collectives.find(events_.collective[i])) {
      add_collective(args, *collective);
    }
    add_stack(args, events_.stack[i]);
    if ((events_.flags[i] & tracefile::kFlagUnfinished) != 0) args.add_json("finished", "false");
    args.add("Ev Idx", offset);
    return args;
  }

  static void add_json(ArgsText& args, std::string_view key, std::string_view json) {
    if (kineto_json::is_json(json)) args.add_json(key, json);
  }

  void add_collective(ArgsText& args, const Collective& collective) const {
    const auto add_text = [&](std::string_view key, uint32_t string) {
      if (string != kNoId) args.add_text(key, clean(defined_->text(string)));
    };
    add_text("Collective name", collective.name);
    add_text("dtype", collective.dtype);
    if (collective.in_elements >= 0) args.add("In msg nelems", collective.in_elements);
    if (collective.out_elements >= 0) args.add("Out msg nelems", collective.out_elements);
    if (collective.group_size >= 0) args.add("Group size", collective.group_size);
    add_text("Process Group Name", collective.group_name);
    add_text("Process Group Ranks", collective.group_ranks);
  }

  // Innermost first, as torch writes it.
  void add_stack(ArgsText& args, uint32_t id) const {
    constexpr int kMaxFrames = 4096;  // a stack that goes on for ever is damage
    std::string frames, module;
    const Stack* stack = id == kNoId ? nullptr : defined_->stacks.find(id);
    for (int depth = 0; stack != nullptr && depth < kMaxFrames; ++depth) {
      if (const Frame* frame = defined_->frames.find(stack->frame)) {
        if (!frames.empty()) frames += ';';
        frames.append(defined_->text(frame->file))
            .append("(")
            .append(std::to_string(frame->line))
            .append("): ");
        frames.append(defined_->text(frame->function));
      }
      const Module* found = module.empty() ? defined_->modules.find(stack->module) : nullptr;
      if (found != nullptr) module = defined_->text(found->name);
      stack = stack->parent == kNoId ? nullptr : defined_->stacks.find(stack->parent);
    }
    if (!frames.empty()) args.add_text("Call stack", clean(frames));
    if (!module.empty()) args.add_text("Module Hierarchy", clean(module));
  }

  static std::string clean(std::string_view text) {
    std::string valid;
    kineto_json::repair_utf8(text, valid);
    return valid;
  }

  const std::shared_ptr<const tracefile::Reader> file_;
  const std::shared_ptr<const Definitions> defined_;
  const int64_t base_ns_;
  std::vector<Place> chunks_;

  mutable std::mutex mutex_;
  mutable const tracefile::Chunk* unpacked_ = nullptr;
  mutable EventColumns events_;
};

}  // namespace

std::unique_ptr<ArgsSource> recorded_args(std::shared_ptr<const tracefile::Reader> file,
                                          std::shared_ptr<const Definitions> definitions, int64_t base_ns) {
  return std::make_unique<RecordedArgs>(std::move(file), std::move(definitions), base_ns);
}

const tracefile::Reader* recording_behind(const ArgsSource& args) {
  const auto* recorded = dynamic_cast<const RecordedArgs*>(&args);
  return recorded == nullptr ? nullptr : &recorded->file();
}

}  // namespace skyline::ingest::native

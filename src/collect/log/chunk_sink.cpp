#include "collect/log/chunk_sink.h"

#include <utility>

namespace skyline::collect {
namespace {

// Of zstd: on a machine without a core to spare, packing is paid by training. Takes a quarter more space
// than 1.
constexpr int kLevel = -5;

}  // namespace

ChunkSink::ChunkSink(tracefile::Writer file, GiveUp give_up)
    : file_(std::move(file)), chunk_(tracefile::TableId::kEvents, kLevel), give_up_(std::move(give_up)) {}

tracefile::ChunkBuilder& ChunkSink::begin(tracefile::TableId table) {
  chunk_.restart(table);
  return chunk_;
}

void ChunkSink::append() {
  if (has_failed_) return;
  const Status status = file_.append(chunk_);
  if (!status.ok()) fail(status.error().sentence);
}

void ChunkSink::finish() {
  if (has_failed_) return;
  const Status status = file_.finish();
  if (!status.ok()) fail(status.error().sentence);
}

void ChunkSink::fail(std::string_view sentence) noexcept {
  has_failed_ = true;
  give_up_(sentence);
}

}  // namespace skyline::collect

// Strong 32-bit ids: a SliceId cannot be passed where a TrackId is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace skyline {

template <typename Tag>
struct Id {
  static constexpr uint32_t kNoneValue = UINT32_MAX;

  uint32_t value = kNoneValue;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}

  constexpr bool exists() const { return value != kNoneValue; }
  constexpr auto operator<=>(const Id&) const = default;
};

struct IdHash {
  template <typename Tag>
  size_t operator()(Id<Tag> id) const {
    return id.value * size_t{0x9e3779b97f4a7c15};
  }
};

using StringId = Id<struct StringTag>;
using SliceId = Id<struct SliceTag>;
using TrackId = Id<struct TrackTag>;
using FrameId = Id<struct FrameTag>;
using StackId = Id<struct StackTag>;
using ModuleId = Id<struct ModuleTag>;
using CollectiveId = Id<struct CollectiveTag>;
using SignatureId = Id<struct SignatureTag>;
using KernelShapeId = Id<struct KernelShapeTag>;
using ProcessId = Id<struct ProcessTag>;

}  // namespace skyline

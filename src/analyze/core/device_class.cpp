#include "analyze/core/device_class.h"

#include <algorithm>
#include <string>

namespace skyline::analyze {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view name_of(DeviceClass kind) {
  constexpr std::string_view kNames[] = {"compute", "communication", "copy", "set"};
  return kNames[static_cast<size_t>(kind)];
}

bool names_communication(std::string_view name) {
  std::string lowered(name);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  return std::any_of(kCommunicationNames.begin(), kCommunicationNames.end(),
                     [&](std::string_view part) { return lowered.find(part) != std::string::npos; });
}

DeviceClassifier::DeviceClassifier(const Trace& trace)
    : trace_(trace), names_communication_(trace.strings, names_communication) {}

DeviceClass DeviceClassifier::operator()(uint32_t activity) {
  const SliceId slice = trace_.activities.slice[activity];
  const Category category = trace_.category(slice);
  if (category == Category::kMemcpy) return DeviceClass::kCopy;
  if (category == Category::kMemset) return DeviceClass::kSet;
  // MTIA has no category for copies.
  if (category == Category::kDeviceOther && trace_.slice_name(slice).starts_with("dma"))
    return DeviceClass::kCopy;
  if (trace_.activities.collective[activity].exists()) return DeviceClass::kCommunication;
  if (names_communication_(trace_.slices.name[slice.value])) return DeviceClass::kCommunication;
  return DeviceClass::kCompute;
}

}  // namespace skyline::analyze

#include "analyze/timeline/kinds.h"

#include "analyze/core/device_class.h"
#include "analyze/core/host_ranges.h"
#include "analyze/core/per_name.h"

namespace skyline::analyze {
namespace {}  // namespace

std::string_view TimelineKinds::name(uint8_t kind) {
  return kind == kCommunication ? name_of(DeviceClass::kCommunication) : kCategories[kind].name;
}

TimelineKinds::TimelineKinds(const Trace& trace)
    : trace_(trace), on_device_(trace.strings.size()), on_host_(trace.strings.size()) {
  DeviceClassifier class_of(trace);
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const StringId name = trace.slices.name[trace.activities.slice[activity].value];
    if (name.exists() && class_of(activity) == DeviceClass::kCommunication) on_device_[name.value] = true;
  }
  PerName<bool> is_collective(trace.strings, names_collective);
  for (size_t slice = 0; slice < trace.slices.size(); ++slice) {
    const StringId name = trace.slices.name[slice];
    if (name.exists() && is_op_or_range(trace.slices.category[slice]) && is_collective(name))
      on_host_[name.value] = true;
  }
}

uint8_t TimelineKinds::of(Category category, StringId name) const {
  const auto plain = static_cast<uint8_t>(category);
  if (!name.exists()) return plain;
  const bool communicates = is_activity(kCategories[plain].category) ? on_device_[name.value]
                            : is_op_or_range(category)               ? on_host_[name.value]
                                                                     : false;
  return communicates ? kCommunication : plain;
}

}  // namespace skyline::analyze

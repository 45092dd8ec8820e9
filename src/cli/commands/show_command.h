// skyline show: one table of a trace, to dig in.
#pragma once

#include <array>

#include "cli/setup/command.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {

Result<Answer> run_show(const Arguments& arguments, const Context& context);

// Which tables there are, and by what their rows can be grouped.
std::string summary_of_show();
std::string help_of_tables();
std::string help_of_groups();

inline constexpr Argument kTableArgument = {
    .name = "TABLE",
    .value = "TABLE",
    .doc = help_of_tables,
    .required = true,
};
inline constexpr Argument kSortArgument = {
    .name = "--sort",
    .value = "COLUMN",
    .doc = "order by this column: numbers largest first, +COLUMN smallest first",
};
inline constexpr Argument kTopArgument = {
    .name = "--top",
    .value = "N",
    .doc = "only the first N rows, 0 for all (default: 30 in text, all in csv and json)",
    .kind = ArgumentKind::kNumber,
};
inline constexpr Argument kGroupByArgument = {
    .name = "--group-by",
    .value = "WHAT",
    .doc = help_of_groups,
};
inline constexpr Argument kFilterArgument = {
    .name = "--filter",
    .value = "TEXT",
    .doc = "only rows with this text in a name, in upper or lower case",
};
inline constexpr Argument kStepArgument = {
    .name = "--step",
    .value = "N",
    .doc = "only what belongs to step N",
    .kind = ArgumentKind::kNumber,
};
inline constexpr Argument kRangesArgument = {
    .name = "--ranges",
    .value = "",
    .doc =
        "ops, calls: as torch's tables have them, with rows for ranges (record_function, optimizer, steps); "
        "a call that only hands on to one of its own name counts as one with it",
    .kind = ArgumentKind::kSwitch,
};
inline constexpr Argument kRankArgument = {
    .name = "--rank",
    .value = "R",
    .doc = "only this rank",
    .kind = ArgumentKind::kNumber,
};
inline constexpr std::array<std::string_view, 4> kShowFormats = {"text", "csv", "json", "folded"};
inline constexpr Argument kShowFormatArgument = {
    .name = "--format",
    .value = "text|csv|json|folded",
    .doc =
        "text for people (the default), csv and json for programs; of stacks and modules, folded for "
        "programs "
        "that draw flame graphs",
    .otherwise = "text",
    .choices = kShowFormats,
};
inline constexpr std::array<std::string_view, 2> kTimeChoices = {"host", "device"};
inline constexpr Argument kTimeArgument = {
    .name = "--time",
    .value = "host|device",
    .doc = "folded: self time of operators on the host (the default), or of the work they launched",
    .otherwise = "host",
    .choices = kTimeChoices,
};

inline constexpr std::array<const Argument*, 15> kShowArguments = {
    &kTableArgument,  &kTraceArgument,   &kSortArgument,      &kTopArgument,     &kGroupByArgument,
    &kFilterArgument, &kRangesArgument,  &kStepArgument,      &kRankArgument,    &kShowFormatArgument,
    &kTimeArgument,   &kThreadsArgument, &kMaxMemoryArgument, &kNoCacheArgument, &kColorArgument,
};

inline constexpr Command kShowCommand = {
    .name = "show",
    .summary = summary_of_show,
    .example = "skyline show ops trace.json.gz --sort host_self --top 10",
    .arguments = kShowArguments,
    .run = run_show,
};

}  // namespace skyline::cli

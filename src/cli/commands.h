// The list of all commands, one line each.
#pragma once

#include <array>
#include <string_view>

#include "cli/commands/analysis_command.h"
#include "cli/commands/check_command.h"
#include "cli/commands/convert_command.h"
#include "cli/commands/doctor_command.h"
#include "cli/commands/evaluate_command.h"
#include "cli/commands/explain_command.h"
#include "cli/commands/info_command.h"
#include "cli/commands/init_command.h"
#include "cli/commands/interactive_command.h"
#include "cli/commands/memory_command.h"
#include "cli/commands/open_command.h"
#include "cli/commands/report_command.h"
#include "cli/commands/run_command.h"
#include "cli/commands/show_command.h"
#include "cli/commands/time_command.h"
#include "cli/setup/command.h"

namespace skyline::cli {

// In the order in which one would use them.
inline constexpr std::array<const Command*, 15> kCommands = {
    &kInteractiveCommand,  //
    &kTimeCommand,         //
    &kMemoryCommand,       //
    &kAnalysisCommand,     //
    &kEvaluateCommand,     //
    &kRunCommand,          //
    &kOpenCommand,         //
    &kReportCommand,       //
    &kShowCommand,         //
    &kCheckCommand,        //
    &kInfoCommand,         //
    &kConvertCommand,      //
    &kExplainCommand,      //
    &kInitCommand,         //
    &kDoctorCommand,       //
};

constexpr const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

}  // namespace skyline::cli

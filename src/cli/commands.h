// The list of all commands, one line each.
#pragma once

#include <array>
#include <string_view>

#include "cli/analysis_command.h"
#include "cli/check_command.h"
#include "cli/command.h"
#include "cli/convert_command.h"
#include "cli/doctor_command.h"
#include "cli/evaluate_command.h"
#include "cli/explain_command.h"
#include "cli/info_command.h"
#include "cli/init_command.h"
#include "cli/interactive_command.h"
#include "cli/memory_command.h"
#include "cli/open_command.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "cli/show_command.h"
#include "cli/time_command.h"

namespace skyline {

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

}  // namespace skyline

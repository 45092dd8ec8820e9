// skyline doctor: what is here, and what would stop us from recording.
#pragma once

#include <array>

#include "cli/commands/run_command.h"
#include "cli/setup/command.h"

namespace skyline::cli {

Result<Answer> run_doctor(const Arguments& arguments, const Context& context);

inline constexpr std::array<const Argument*, 1> kDoctorArguments = {&kPythonArgument};

inline constexpr Command kDoctorCommand = {
    .name = "doctor",
    .summary = "The environment that recordings are made in, and what would keep them from being made.",
    .example = "skyline doctor",
    .arguments = kDoctorArguments,
    .run = run_doctor,
};

}  // namespace skyline::cli

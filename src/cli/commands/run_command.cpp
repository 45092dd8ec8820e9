#include "cli/commands/run_command.h"

#include "cli/setup/python.h"

namespace skyline::cli {

Result<Answer> run_run(const Arguments& arguments, const Context& context) {
  return pass_to_python("run", arguments, context);
}

}  // namespace skyline::cli

#include "cli/commands/init_command.h"

#include "cli/setup/python.h"

namespace skyline::cli {

Result<Answer> run_init(const Arguments& arguments, const Context& context) {
  return pass_to_python("init", arguments, context);
}

}  // namespace skyline::cli

#include "cli/init_command.h"

#include "cli/python.h"

namespace skyline {

Result<Answer> run_init(const Arguments& arguments, const Context& context) {
  return pass_to_python("init", arguments, context);
}

}  // namespace skyline

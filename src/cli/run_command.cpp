#include "cli/run_command.h"

#include "cli/python.h"

namespace skyline {

Result<Answer> run_run(const Arguments& arguments, const Context& context) {
  std::string python = default_python(context.environment);
  std::vector<std::string> words = {"run"};
  auto next = arguments.words.begin();
  if (next != arguments.words.end() && *next == kPythonArgument.name) {
    if (++next == arguments.words.end()) return Error{"the option --python needs a value"};
    python = *next++;
  }
  words.insert(words.end(), next, arguments.words.end());
  return become_python(python, words);
}

}  // namespace skyline

#include "session/process/python_launch.h"

namespace skyline::session {

Launch python_launch(const PythonLaunch& python, std::string_view function, std::vector<std::string> words) {
  Launch launch;
  launch.words = {python.python, python.package_folder + "/skyline/_start.py", python.binary,
                  std::string(function)};
  launch.words.insert(launch.words.end(), words.begin(), words.end());
  if (!python.python_path.empty()) launch.environment = {{"SKYLINE_PYTHONPATH", python.python_path}};
  return launch;
}

}  // namespace skyline::session

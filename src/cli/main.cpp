// The skyline program.
#include <csignal>

#include "cli/program.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // write() then says so
  return skyline::cli::run_program({argv + (argc > 0 ? 1 : 0), argv + argc}, SKYLINE_VERSION);
}

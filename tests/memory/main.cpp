// out_of_memory [WORD…]: all cases, or those whose names begin with one of the words.
#include <cstdio>
#include <string_view>

#include "every_allocation.h"

int main(int argc, char** argv) {
  using namespace skyline::faults;
  Cases cases;
  add_reading_cases(cases);
  add_analysing_cases(cases);
  add_writing_cases(cases);
  add_serving_cases(cases);
  add_program_cases(cases);
  int tried = 0, failed = 0;
  for (const Case& each : cases) {
    bool is_wanted = argc < 2;
    for (int i = 1; i < argc; ++i) is_wanted |= each.name.starts_with(std::string_view(argv[i]));
    if (!is_wanted) continue;
    ++tried;
    failed += try_every_allocation(each) ? 0 : 1;
  }
  std::printf("%d cases, %d failed\n", tried, failed);
  return tried > 0 && failed == 0 ? 0 : 1;
}

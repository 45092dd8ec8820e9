// The whole program: words in, text and an exit code out. Nothing is thrown out of it.
#pragma once

#include <span>
#include <string>

namespace skyline::cli {

int run_program(std::span<const char* const> words, const char* version);

}  // namespace skyline::cli

// The class of the backward function that the autograd engine is about to run on this thread.
#pragma once

#include <cstdint>

namespace skyline::collect {

// A number that stands for it; 0: there is none.
uint64_t current_backward_class();

// Whether all functions of that class have one name. Those that are written in Python share a class.
bool current_backward_class_has_one_name();

}  // namespace skyline::collect

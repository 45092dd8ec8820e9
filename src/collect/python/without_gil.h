// WithoutGil: while it lives, other threads may have the GIL.
#pragma once

#include <Python.h>

namespace skyline::collect {

class WithoutGil {
 public:
  WithoutGil() : held_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(held_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const held_;
};

}  // namespace skyline::collect

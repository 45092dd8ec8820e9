// nn.Modules as objects, though we meet them as addresses.
//
// A module's address is only worth something while somebody holds the object, and on the hot path
// nobody may take a reference. But Python's main loop can be asked, from anywhere, to call us between
// two instructions of the main thread: then we hold the GIL, and a module that has just called an
// operator is still in its frame.
#pragma once

#include <Python.h>

namespace skyline::collect::called_modules {

// With the GIL. Keeps a weak reference to the module in `living`, by its address; None once it is gone, which
// python_stacks hears of. No Python code runs in here: a signal handler might, and what it raises be lost.
// nullptr: a Python error.
PyObject* watch(PyObject* living, PyObject* module);

// With the GIL. `note` is called with each module that calls `module_call` (nn.Module.__call__); nullptr:
// nobody.
void start(PyCodeObject* module_call, PyObject* note);
// With the GIL.
void stop();

// A module was met for the first time. On any thread, without the GIL.
void ask();

}  // namespace skyline::collect::called_modules

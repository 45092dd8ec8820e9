// What the Python module offers of sampling: arguments in, answers out.
#pragma once

#include <Python.h>

namespace skyline::collect::sampling {

// sampling_prepare() -> path: before DataLoader workers are started; sampling_attach(path): in those that are
// not forked.
PyObject* prepare(PyObject* self, PyObject* none);
PyObject* attach(PyObject* self, PyObject* path);
// sampling_begin(folder, recording, hz, meta)
PyObject* begin(PyObject* self, PyObject* args);
// sampling_end() -> {"samples", "torn", "cost_ns", "trouble"}
PyObject* end(PyObject* self, PyObject* none);
// sampling_join(meta), sampling_leave(): in a worker.
PyObject* join(PyObject* self, PyObject* meta);
PyObject* leave(PyObject* self, PyObject* none);
// note_settings({key: text})
PyObject* note_settings(PyObject* self, PyObject* settings);
// ticks() -> int; note_range(name, ticks at its start)
PyObject* ticks(PyObject* self, PyObject* none);
PyObject* note_range(PyObject* self, PyObject* args);
// For gc.callbacks.
PyObject* note_gc(PyObject* self, PyObject* args);
PyObject* count_step(PyObject* self, PyObject* none);

}  // namespace skyline::collect::sampling

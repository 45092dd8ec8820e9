#include "collect/python/called_modules.h"

#include <atomic>
#include <vector>

#include "collect/python/frames.h"
#include "collect/python/stacks.h"

namespace skyline::collect::called_modules {
namespace {

std::atomic<bool> is_asked = false;
std::atomic<bool> is_on = false;
PyCodeObject* call = nullptr;  // these two with the GIL only
PyObject* note = nullptr;

// Between two instructions of the main thread, with the GIL.
int note_modules_on_stack(void*) {
  is_asked.store(false, std::memory_order_relaxed);
  if (note == nullptr) return 0;
  std::vector<PyObject*> modules;
  for (FrameHandle frame = innermost_frame(PyThreadState_Get()); frame != nullptr; frame = caller_of(frame)) {
    PyObject* const module = code_of(frame) == call ? first_local(frame) : nullptr;
    if (module != nullptr) modules.push_back(Py_NewRef(module));
  }
  PyObject* const callee = Py_NewRef(note);  // recording may stop meanwhile
  for (PyObject* const module : modules) {
    Py_XDECREF(PyObject_CallOneArg(callee, module));
    PyErr_Clear();  // of the memory's end
    Py_DECREF(module);
  }
  Py_DECREF(callee);
  return 0;
}

// `self` is (living, address).
PyObject* on_module_gone(PyObject* self, PyObject*) {
  PyObject* const living = PyTuple_GET_ITEM(self, 0);
  PyObject* const address = PyTuple_GET_ITEM(self, 1);
  if (PyDict_SetItem(living, address, Py_None) != 0) PyErr_Clear();
  python_stacks::forget_module(static_cast<PyObject*>(PyLong_AsVoidPtr(address)));
  Py_RETURN_NONE;
}

PyMethodDef module_gone = {"module_gone", on_module_gone, METH_O, nullptr};

}  // namespace

PyObject* watch(PyObject* living, PyObject* module) {
  PyObject* const address = PyLong_FromVoidPtr(module);
  PyObject* const known =
      address == nullptr ? nullptr : PyDict_GetItemWithError(living, address);  // borrowed
  const bool is_known = known != nullptr && known != Py_None;
  PyObject* const both = address == nullptr || is_known ? nullptr : PyTuple_Pack(2, living, address);
  PyObject* const callback = both == nullptr ? nullptr : PyCFunction_New(&module_gone, both);
  PyObject* const reference = callback == nullptr ? nullptr : PyWeakref_NewRef(module, callback);
  const bool is_kept = reference != nullptr && PyDict_SetItem(living, address, reference) == 0;
  for (PyObject* const mine : {reference, callback, both, address}) Py_XDECREF(mine);
  if (!is_kept && !is_known) return nullptr;
  if (is_kept) python_stacks::note_class(module);
  Py_RETURN_NONE;
}

void start(PyCodeObject* module_call, PyObject* new_note) {
  stop();
  if (module_call == nullptr || new_note == nullptr) return;
  call = module_call;
  note = Py_NewRef(new_note);
  is_on.store(true, std::memory_order_relaxed);
}

void stop() {
  is_on.store(false, std::memory_order_relaxed);
  Py_CLEAR(note);
}

void ask() {
  if (!is_on.load(std::memory_order_relaxed) || is_asked.exchange(true, std::memory_order_relaxed)) return;
  // Refused when others have filled the queue: then modules are looked for when they are named.
  if (Py_AddPendingCall(note_modules_on_stack, nullptr) != 0)
    is_asked.store(false, std::memory_order_relaxed);
}

}  // namespace skyline::collect::called_modules

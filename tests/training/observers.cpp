// Somebody else's library in the user's process: it observes all operators, and calls one through code of its
// own.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include <atomic>

namespace {

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;
std::atomic<long> begins = 0, ends = 0;

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction&) {
  ++begins;
  return nullptr;
}
void end(const at::RecordFunction&, at::ObserverContext*) { ++ends; }

PyObject* observe(PyObject*, PyObject*) {
  begins = ends = 0;
  handle = at::addGlobalCallback(at::RecordFunctionCallback(begin, end).scopes({at::RecordScope::FUNCTION}));
  Py_RETURN_NONE;
}

PyObject* forget(PyObject*, PyObject*) {
  at::removeCallback(handle);
  return Py_BuildValue("ll", begins.load(), ends.load());
}

// The dispatcher's templates become code of this library here.
PyObject* call_neg(PyObject*, PyObject* times) {
  static const auto neg =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::neg", "").typed<at::Tensor(const at::Tensor&)>();
  const at::Tensor one = at::ones({2});
  for (long i = PyLong_AsLong(times); i > 0; --i) neg.call(one);
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"observe", observe, METH_NOARGS, "Counts operators from now on."},
    {"forget", forget, METH_NOARGS, "No more; how many have begun and ended."},
    {"call_neg", call_neg, METH_O, "Calls aten::neg so many times."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "observers", "", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_observers() { return PyModule_Create(&module); }

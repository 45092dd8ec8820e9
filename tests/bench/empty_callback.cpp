// The floor that the collector is measured against: torch's own cost of calling somebody at every
// operator, with callbacks that do nothing.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ATen/record_function.h>

namespace {

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction&) { return nullptr; }
void end(const at::RecordFunction&, at::ObserverContext*) {}

PyObject* install(PyObject*, PyObject* needs_inputs) {
  at::RecordFunctionCallback callback(begin, end);
  callback.needsInputs(PyObject_IsTrue(needs_inputs) == 1);
  callback.scopes(
      {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE});
  handle = at::addGlobalCallback(callback);
  Py_RETURN_NONE;
}

PyObject* remove(PyObject*, PyObject*) {
  at::removeCallback(handle);
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"install", install, METH_O, "Calls nobody at every operator from now on."},
    {"remove", remove, METH_NOARGS, "No more."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "empty_callback", "", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_empty_callback() { return PyModule_Create(&module); }

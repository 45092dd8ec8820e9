// Somebody else's library in the user's process: it observes all operators, calls one through code of its
// own, and has an allocator.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <c10/core/CPUAllocator.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "collect/torch/direct_trial.cpp"  // this library consists of one file
#include "collect/torch/import_table.cpp"

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

// Its blocks can be freed by nobody else: they begin inside what malloc() gave.
constexpr size_t kHeader = 64;
std::atomic<long> blocks = 0;

void free_block(void* data) {
  if (data == nullptr) return;
  --blocks;
  std::free(static_cast<char*>(data) - kHeader);
}

struct OwnAllocator : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    ++blocks;
    void* const data = static_cast<char*>(std::aligned_alloc(64, (bytes + kHeader + 63) / 64 * 64)) + kHeader;
    return {data, data, &free_block, at::Device(at::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_block; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }
};

PyObject* exchange_allocator(PyObject*, PyObject*) {
  static OwnAllocator own;
  c10::SetCPUAllocator(&own);
  return PyBool_FromLong(c10::GetCPUAllocator() == &own);
}

PyObject* own_blocks(PyObject*, PyObject*) { return PyLong_FromLong(blocks); }

// What torch calls around an operator, and whether it still reaches its own functions by it.
constexpr const char* kSteps[][2] = {
    {"getStepCallbacksUnlessEmpty", "_ZN2at27getStepCallbacksUnlessEmptyENS_11RecordScopeE"},
    {"RecordFunction", "_ZN2at14RecordFunctionC1EONS_13StepCallbacksE"},
    {"~RecordFunction", "_ZN2at14RecordFunctionD1Ev"},
};

PyObject* steps(PyObject*, PyObject*) {
  void* const library = dlopen("libtorch_cpu.so", RTLD_LAZY | RTLD_NOLOAD);
  PyObject* const answer = PyDict_New();
  for (const auto& [name, symbol] : kSteps) {
    void* const torchs[] = {dlsym(library, symbol)};
    const bool leads_home = !skyline::collect::find_imports("/libtorch_cpu.so", torchs).empty();
    PyDict_SetItemString(answer, name, leads_home ? Py_True : Py_False);
  }
  dlclose(library);
  return answer;
}

// Whether the recorder's trial of the direct way has found a difference, once a step has seen an operator
// `step` where torch tells its observers of one called `torchs`.
PyObject* differs(PyObject*, PyObject* names) {
  namespace trial = skyline::collect::direct_trial;
  const char *step = nullptr, *torchs = nullptr;
  if (!PyArg_ParseTuple(names, "ss", &step, &torchs)) return nullptr;
  at::RecordFunction guard(at::RecordScope::FUNCTION);
  guard.before(torchs);
  trial::step_saw({&guard, step, -1, {}});
  trial::observer_was_told(guard);
  trial::step_ended(&guard);
  return PyBool_FromLong(trial::has_differed());
}

PyMethodDef methods[] = {
    {"differs", differs, METH_VARARGS, "Whether two names of one operator are a difference."},
    {"steps", steps, METH_NOARGS, "Which of torch's steps lead to torch, by name."},
    {"observe", observe, METH_NOARGS, "Counts operators from now on."},
    {"forget", forget, METH_NOARGS, "No more; how many have begun and ended."},
    {"call_neg", call_neg, METH_O, "Calls aten::neg so many times."},
    {"exchange_allocator", exchange_allocator, METH_NOARGS, "Ours from now on; whether torch takes it."},
    {"own_blocks", own_blocks, METH_NOARGS, "How many of its blocks live."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "observers", "", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_observers() { return PyModule_Create(&module); }

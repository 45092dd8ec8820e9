// The Python module `_collector`: arguments in, the recorder's answers out. No logic.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "collect/python/called_modules.h"
#include "collect/python/frames.h"
#include "collect/python/living_instances.h"
#include "collect/python/stacks.h"
#include "collect/recorder.h"
#include "collect/sampling/bindings.h"
#include "collect/torch/schema_epoch.h"

namespace skyline::collect {
namespace {

PyObject* text_of(const std::string& text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

// Nothing may fly through Python's own code.
PyObject* raise(const std::exception& error) {
  PyErr_SetString(PyExc_RuntimeError, error.what());
  return nullptr;
}

template <PyObject* (*kFunction)(PyObject*, PyObject*)>
PyObject* safely(PyObject* self, PyObject* argument) try {
  return kFunction(self, argument);
} catch (const std::exception& error) {
  return raise(error);
}

// A dict of texts.
bool read_meta(PyObject* meta, Options& options) {
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (meta != nullptr && PyDict_Next(meta, &position, &key, &value)) {
    const char* key_text = PyUnicode_AsUTF8(key);
    const char* value_text = key_text == nullptr ? nullptr : PyUnicode_AsUTF8(value);
    if (value_text == nullptr) return false;
    options.meta.emplace_back(key_text, value_text);
  }
  return true;
}

PyObject* start(PyObject*, PyObject* args, PyObject* keywords) try {
  static const char* names[] = {"path",        "ops",    "ranges",       "shapes",         "stacks",
                                "modules",     "memory", "buffer_bytes", "max_file_bytes", "module_call",
                                "note_module", "meta",   "direct",       "values",         nullptr};
  PyObject* path = nullptr;  // bytes, as the system has names
  Options options;
  int ops = 1, ranges = 1, shapes = 0, stacks = 0, modules = 0, memory = 0, direct = 0, values = 0;
  unsigned long long buffer = options.buffer_bytes, limit = options.max_file_bytes;
  PyObject* module_call = nullptr;
  PyObject* note_module = nullptr;
  PyObject* meta = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|ppppppKKOOO!pp", const_cast<char**>(names),
                                   PyUnicode_FSConverter, &path, &ops, &ranges, &shapes, &stacks, &modules,
                                   &memory, &buffer, &limit, &module_call, &note_module, &PyDict_Type, &meta,
                                   &direct, &values)) {
    return nullptr;
  }
  options.path = PyBytes_AS_STRING(path);
  Py_DECREF(path);
  if (!read_meta(meta, options)) return nullptr;
  options.ops = ops != 0;
  options.ranges = ranges != 0;
  options.shapes = shapes != 0;
  options.values = values != 0;
  options.stacks = (stacks != 0 || modules != 0) && kHasFrames;
  options.modules = modules != 0;
  options.memory = memory != 0;
  options.direct = direct != 0;
  options.buffer_bytes = buffer;
  options.max_file_bytes = limit;
  if (options.stacks) {
    const bool is_code = module_call != nullptr && PyCode_Check(module_call);
    const bool is_callable = note_module != nullptr && PyCallable_Check(note_module);
    options.stacks =
        python_stacks::start_watching(is_code ? reinterpret_cast<PyCodeObject*>(module_call) : nullptr,
                                      is_callable ? note_module : nullptr);
    options.modules = options.modules && options.stacks;
  }
  PyThreadState* const held = PyEval_SaveThread();  // who holds torch's lock on operators may want the GIL
  watch_schemas();
  const Status status = Recorder::instance().start(options);
  PyEval_RestoreThread(held);
  if (!status.ok()) {
    PyObject* const sentence = text_of(status.error().sentence);
    PyErr_SetObject(PyExc_RuntimeError, sentence);
    Py_XDECREF(sentence);
    return nullptr;
  }
  return PyBool_FromLong(options.stacks);
} catch (const std::exception& error) {
  return raise(error);
}

PyObject* stop(PyObject*, PyObject* name_modules) {
  const Outcome outcome = Recorder::instance().stop(name_modules);
  return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:O,s:N,s:N}", "records", outcome.records, "dropped",
                       outcome.dropped, "file_bytes", outcome.file_bytes, "threads", outcome.threads, "calls",
                       outcome.calls, "cost_ns", outcome.cost_ns, "direct",
                       outcome.way.direct ? Py_True : Py_False, "not_direct", text_of(outcome.way.why_not),
                       "trouble", text_of(outcome.trouble));
}

PyObject* resolve(PyObject*, PyObject* name_modules) {
  python_stacks::resolve(name_modules);
  Py_RETURN_NONE;
}

PyObject* files(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const std::string& name : python_stacks::files()) {
    PyObject* text = text_of(name);
    if (text != nullptr && list != nullptr) PyList_Append(list, text);
    Py_XDECREF(text);
  }
  return list;
}

PyObject* add_source(PyObject*, PyObject* args) {
  const char *path = nullptr, *hash = nullptr, *text = nullptr;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(args, "ssy#", &path, &hash, &text, &size)) return nullptr;
  Recorder::instance().add_source({path, hash, std::string(text, static_cast<size_t>(size))});
  Py_RETURN_NONE;
}

PyObject* note_device_text(PyObject*, PyObject* given) {
  PyObject* path = nullptr;
  if (PyUnicode_FSConverter(given, &path) == 0) return nullptr;
  Recorder::instance().note_device_text(PyBytes_AS_STRING(path));
  Py_DECREF(path);
  Py_RETURN_NONE;
}

// From (role, name, module, dims, address, bytes).
bool read_tensor(PyObject* row, TensorNote& note) {
  const char *name = nullptr, *module = nullptr, *dims = nullptr;
  unsigned long long address = 0;
  long long bytes = 0;
  if (!PyTuple_Check(row)) {
    PyErr_SetString(PyExc_TypeError, "a tensor is (role, name, module, dims, address, bytes)");
    return false;
  }
  if (!PyArg_ParseTuple(row, "bsssKL", &note.role, &name, &module, &dims, &address, &bytes)) return false;
  note.name = name;
  note.module = module;
  note.dims = dims;
  note.address = address;
  note.bytes = bytes;
  return true;
}

PyObject* note_tensors(PyObject*, PyObject* list) {
  if (!PyList_Check(list)) {
    PyErr_SetString(PyExc_TypeError, "not a list");
    return nullptr;
  }
  std::vector<TensorNote> notes(static_cast<size_t>(PyList_GET_SIZE(list)));
  const uint64_t now = read_ticks();
  for (size_t i = 0; i < notes.size(); ++i) {
    notes[i].ticks = now;
    if (!read_tensor(PyList_GET_ITEM(list, static_cast<Py_ssize_t>(i)), notes[i])) return nullptr;
  }
  Recorder::instance().note_tensors(std::move(notes));
  Py_RETURN_NONE;
}

PyObject* watch_module(PyObject*, PyObject* args) {
  PyObject *living = nullptr, *module = nullptr;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &living, &module)) return nullptr;
  return called_modules::watch(living, module);
}

PyObject* instances_of(PyObject*, PyObject* type) {
  if (PyType_Check(type)) return living_instances(reinterpret_cast<PyTypeObject*>(type));
  PyErr_SetString(PyExc_TypeError, "not a class");
  return nullptr;
}

// A part of the recording under way, from a file of its own.
PyObject* add_part(PyObject*, PyObject* args) {
  const char *name = nullptr, *bytes = nullptr;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(args, "sy#", &name, &bytes, &size)) return nullptr;
  Recorder::instance().add_part({name, std::string(bytes, static_cast<size_t>(size))});
  Py_RETURN_NONE;
}

PyObject* is_active(PyObject*, PyObject*) { return PyBool_FromLong(Recorder::instance().active()); }

PyMethodDef methods[] = {
    {"start", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(start)),
     METH_VARARGS | METH_KEYWORDS, "Begins to record into a file; whether with Python stacks."},
    {"stop", safely<stop>, METH_O, "Ends the recording; gives what it kept and lost."},
    {"resolve", safely<resolve>, METH_O, "Takes the names of the Python code met so far."},
    {"files", safely<files>, METH_NOARGS, "The Python files met so far, after resolve()."},
    {"add_source", safely<add_source>, METH_VARARGS,
     "A file's path, hash and bytes for the recording under way."},
    {"note_device_text", safely<note_device_text>, METH_O,
     "The file at this path goes into the recording when it is stopped."},
    {"note_tensors", safely<note_tensors>, METH_O,
     "What tensors that live now are: a list of (role, name, module, dims, address, bytes)."},
    {"watch_module", safely<watch_module>, METH_VARARGS,
     "Keeps a weak reference to an nn.Module in a dict, by its address; None once it is gone."},
    {"instances_of", safely<instances_of>, METH_O, "All living objects of a class."},
    {"add_part", safely<add_part>, METH_VARARGS, "A part's name and bytes for the recording under way."},
    {"sampling_prepare", safely<sampling::prepare>, METH_NOARGS,
     "Before DataLoader workers are started; gives a path for those that are not forked."},
    {"sampling_attach", safely<sampling::attach>, METH_O, "In such a worker, before it joins."},
    {"sampling_begin", safely<sampling::begin>, METH_VARARGS,
     "Begins parts of a recording, here and in workers: (folder, recording, hz, meta)."},
    {"sampling_end", safely<sampling::end>, METH_NOARGS, "Ends them; gives what was sampled here."},
    {"sampling_join", safely<sampling::join>, METH_O,
     "In a worker: writes a part of each recording from now on."},
    {"sampling_leave", safely<sampling::leave>, METH_NOARGS, "In a worker: ends that."},
    {"note_settings", safely<sampling::note_settings>, METH_O, "A dict of texts: what the run is set to."},
    {"ticks", safely<sampling::ticks>, METH_NOARGS, "The recorder's clock."},
    {"note_range", safely<sampling::note_range>, METH_VARARGS, "A range that ends now: (name, ticks)."},
    {"note_gc", safely<sampling::note_gc>, METH_VARARGS, "For gc.callbacks."},
    {"count_step", safely<sampling::count_step>, METH_NOARGS, "A training step has ended."},
    {"is_active", is_active, METH_NOARGS, "Whether a recording is running."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "_collector",
                      "Skyline's recorder.",
                      -1,
                      methods,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace
}  // namespace skyline::collect

// Python asks for this name. NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
PyMODINIT_FUNC PyInit__collector() { return PyModule_Create(&skyline::collect::module); }

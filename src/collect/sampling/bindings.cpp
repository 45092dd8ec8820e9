#include "collect/sampling/bindings.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "collect/python/without_gil.h"
#include "collect/sampling/process_part.h"

namespace skyline::collect::sampling {
namespace {

// A dict of texts.
bool read_pairs(PyObject* dict, Pairs& to) {
  if (!PyDict_Check(dict)) {
    PyErr_SetString(PyExc_TypeError, "not a dict");
    return false;
  }
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(dict, &position, &key, &value)) {
    const char* const key_text = PyUnicode_AsUTF8(key);
    const char* const value_text = key_text == nullptr ? nullptr : PyUnicode_AsUTF8(value);
    if (value_text == nullptr) return false;
    to.emplace_back(key_text, value_text);
  }
  return true;
}

PyObject* none_or_error(const Status& status) {
  if (status.ok()) Py_RETURN_NONE;
  PyErr_SetString(PyExc_RuntimeError, status.error().sentence.c_str());
  return nullptr;
}

int64_t this_thread() { return ::syscall(SYS_gettid); }

int64_t number_in(PyObject* dict, const char* key) {
  PyObject* const value = PyDict_Check(dict) ? PyDict_GetItemString(dict, key) : nullptr;
  const long long number = value == nullptr ? -1 : PyLong_AsLongLong(value);
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  return number;
}

thread_local uint64_t gc_start = 0;

}  // namespace

PyObject* prepare(PyObject*, PyObject*) { return PyUnicode_FromString(process_part::prepare().c_str()); }

PyObject* attach(PyObject*, PyObject* path) {
  const char* const text = PyUnicode_AsUTF8(path);
  return text == nullptr ? nullptr : none_or_error(process_part::attach(text));
}

PyObject* begin(PyObject*, PyObject* args) {
  PyObject *folder = nullptr, *meta = nullptr;
  const char* recording = nullptr;
  process_part::Order order;
  if (!PyArg_ParseTuple(args, "O&sIO", PyUnicode_FSConverter, &folder, &recording, &order.hz, &meta))
    return nullptr;
  order.folder = PyBytes_AS_STRING(folder);
  Py_DECREF(folder);
  order.recording = recording;
  if (!read_pairs(meta, order.meta)) return nullptr;
  return none_or_error(process_part::begin(order));
}

PyObject* end(PyObject*, PyObject*) {
  process_part::Outcome outcome;
  {
    const WithoutGil gil;
    outcome = process_part::end();
  }
  PyObject* const trouble = PyUnicode_DecodeUTF8(outcome.trouble.data(),
                                                 static_cast<Py_ssize_t>(outcome.trouble.size()), "replace");
  return Py_BuildValue("{s:K,s:K,s:K,s:N}", "samples", outcome.samples, "torn", outcome.torn, "cost_ns",
                       outcome.cost_ns, "trouble", trouble);
}

PyObject* join(PyObject*, PyObject* meta) {
  Pairs pairs;
  if (!read_pairs(meta, pairs)) return nullptr;
  return none_or_error(process_part::join(pairs));
}

PyObject* leave(PyObject*, PyObject*) {
  const WithoutGil gil;
  process_part::leave();
  return Py_NewRef(Py_None);
}

PyObject* note_settings(PyObject*, PyObject* settings) {
  Pairs pairs;
  if (!read_pairs(settings, pairs)) return nullptr;
  process_part::add_settings(std::move(pairs));
  Py_RETURN_NONE;
}

PyObject* ticks(PyObject*, PyObject*) { return PyLong_FromUnsignedLongLong(read_ticks()); }

PyObject* note_range(PyObject*, PyObject* args) {
  const char* name = nullptr;
  unsigned long long start = 0;
  if (!PyArg_ParseTuple(args, "sK", &name, &start)) return nullptr;
  if (process_part::is_writing()) {
    const uint64_t now = read_ticks();
    if (start > 0 && start <= now) process_part::add_range({this_thread(), start, now, name});
  }
  Py_RETURN_NONE;
}

PyObject* note_gc(PyObject*, PyObject* args) {
  const char* phase = nullptr;
  PyObject* info = nullptr;
  if (!PyArg_ParseTuple(args, "sO", &phase, &info)) return nullptr;
  if (std::strcmp(phase, "start") == 0) {
    gc_start = read_ticks();
  } else if (gc_start != 0 && process_part::is_writing()) {
    process_part::add_pause({this_thread(), gc_start, read_ticks(),
                             static_cast<int32_t>(number_in(info, "generation")),
                             number_in(info, "collected")});
    gc_start = 0;
  }
  Py_RETURN_NONE;
}

PyObject* count_step(PyObject*, PyObject*) {
  process_part::count_step();
  Py_RETURN_NONE;
}

}  // namespace skyline::collect::sampling

#include "collect/python/living_instances.h"

#include <array>
#include <cstdint>
#include <memory>

namespace skyline::collect {
namespace {

struct Release {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Owned = std::unique_ptr<PyObject, Release>;

// Most objects are of a few types, so the answer is kept for the last types met.
class TypeTest {
 public:
  explicit TypeTest(PyTypeObject* wanted) : wanted_(wanted) {}

  bool operator()(PyTypeObject* type) {
    Answer& known = answers_[reinterpret_cast<uintptr_t>(type) >> 4 & (answers_.size() - 1)];
    if (known.type != type) known = {type, PyType_IsSubtype(type, wanted_) != 0};
    return known.is_wanted;
  }

 private:
  struct Answer {
    PyTypeObject* type = nullptr;
    bool is_wanted = false;
  };
  PyTypeObject* const wanted_;
  std::array<Answer, 256> answers_;
};

}  // namespace

PyObject* living_instances(PyTypeObject* type) {
  const Owned gc(PyImport_ImportModule("gc"));
  if (gc == nullptr) return nullptr;
  const Owned all(PyObject_CallMethod(gc.get(), "get_objects", nullptr));
  if (all == nullptr) return nullptr;
  if (!PyList_Check(all.get())) return PyList_New(0);
  Owned found(PyList_New(0));
  if (found == nullptr) return nullptr;
  TypeTest is_wanted(type);
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all.get()); ++i) {
    PyObject* const object = PyList_GET_ITEM(all.get(), i);
    if (is_wanted(Py_TYPE(object)) && PyList_Append(found.get(), object) != 0) return nullptr;
  }
  return found.release();
}

}  // namespace skyline::collect

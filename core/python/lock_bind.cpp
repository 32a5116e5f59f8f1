#include <pthread.h>

#include "python/announced.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// As plain functions of Python's: a short call takes a few hundred nanoseconds, and each of these two would take fifty.
PyObject* enter(PyObject* self, PyObject*) {
  try {
    nb::inst_ptr<Lock>(self)->take(true);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject* leave(PyObject* self, PyObject* const*, Py_ssize_t) {
  nb::inst_ptr<Lock>(self)->give();
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(leave)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};

}  // namespace

static const afterwit::Announced announced("python/lock", [](nb::module_& m) {
  pthread_atfork(nullptr, nullptr, [] { ++forks; });
  nb::class_<Lock>(m, "Lock", nb::type_slots(slots),
                   "One thread at a time, with calls within calls; in a child as fresh as it can be.")
      .def(nb::init<>())
      .def(
          "refuse_nested",
          [](const Lock& self) {
            if (self.nested()) Lock::refuse_nested();
          },
          "Who holds it raises in a call within a call.");
});

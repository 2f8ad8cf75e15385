//===- PlainArguments.cpp - arguments without Python ----------------------===//
#include "PlainArguments.h"

using namespace jit_python;

static bool readInteger(nb::handle value, jit_value &made) {
  made.kind = JIT_KIND_INT;
  made.as.integer = PyLong_AsLongLong(value.ptr());
  if (made.as.integer != -1 || !PyErr_Occurred())
    return true;
  PyErr_Clear();
  return false;
}

static bool readPlain(nb::handle value, const TorchExchange &torch, jit_value &made) {
  made = {};
  if (value.is_none())
    return true;
  if (PyLong_CheckExact(value.ptr()))
    return readInteger(value, made);
  if (PyBool_Check(value.ptr())) {
    made.kind = JIT_KIND_BOOL;
    made.as.integer = value.ptr() == Py_True;
    return true;
  }
  if (PyFloat_CheckExact(value.ptr())) {
    made.kind = JIT_KIND_FLOAT;
    made.as.real = PyFloat_AsDouble(value.ptr());
    return true;
  }
  return torch.read(value, made);
}

bool PlainArguments::read(nb::tuple given, const TorchExchange &torch, int32_t flags) {
  count = nb::len(given);
  if (count > most)
    return false;
  bool hasTensors = false;
  for (size_t i = 0; i < count; ++i) {
    if (!readPlain(given[i], torch, values[i]))
      return false;
    if (values[i].kind != JIT_KIND_TENSOR)
      continue;
    values[i].flags |= flags;
    hasTensors = true;
  }
  return hasTensors;
}

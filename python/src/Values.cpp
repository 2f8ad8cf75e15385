//===- Values.cpp - Python's values at the C interface --------------------===//
#include "Values.h"

#include <algorithm>

using namespace jit_python;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void jit_python::check(jit_status status, const jit_error &error) {
  if (status != JIT_OK)
    throw Failure{error};
}

void jit_python::refuse(const std::string &message) {
  Failure failure{};
  failure.error.status = JIT_INVALID_ARGUMENT;
  std::snprintf(failure.error.message, sizeof failure.error.message, "%s", message.c_str());
  throw failure;
}

void jit_python::translateFailures() {
  nb::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Failure &failure) {
      const jit_error &error = failure.error;
      nb::object type = nb::module_::import_("jit_mlir._errors").attr("Error");
      nb::object made = type(nb::str(error.message), error.status, nb::str(error.where),
                             nb::str(error.python_class));
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct TypePair {
  jit_dtype ours;
  nb::dlpack::dtype theirs;
};
} // namespace

static constexpr uint8_t code(nb::dlpack::dtype_code value) { return uint8_t(value); }

static const TypePair types[] = {
    {JIT_U8, {code(nb::dlpack::dtype_code::UInt), 8, 1}},
    {JIT_I8, {code(nb::dlpack::dtype_code::Int), 8, 1}},
    {JIT_I16, {code(nb::dlpack::dtype_code::Int), 16, 1}},
    {JIT_I32, {code(nb::dlpack::dtype_code::Int), 32, 1}},
    {JIT_I64, {code(nb::dlpack::dtype_code::Int), 64, 1}},
    {JIT_F16, {code(nb::dlpack::dtype_code::Float), 16, 1}},
    {JIT_F32, {code(nb::dlpack::dtype_code::Float), 32, 1}},
    {JIT_F64, {code(nb::dlpack::dtype_code::Float), 64, 1}},
    {JIT_C32, {code(nb::dlpack::dtype_code::Complex), 32, 1}},
    {JIT_C64, {code(nb::dlpack::dtype_code::Complex), 64, 1}},
    {JIT_C128, {code(nb::dlpack::dtype_code::Complex), 128, 1}},
    {JIT_BF16, {code(nb::dlpack::dtype_code::Bfloat), 16, 1}},
    {JIT_BOOL, {code(nb::dlpack::dtype_code::Bool), 8, 1}},
    {JIT_U16, {code(nb::dlpack::dtype_code::UInt), 16, 1}},
    {JIT_U32, {code(nb::dlpack::dtype_code::UInt), 32, 1}},
    {JIT_U64, {code(nb::dlpack::dtype_code::UInt), 64, 1}},
    // Of DLPack 1.1, which nanobind's names do not have.
    {JIT_F8E4M3FN, {10, 8, 1}},
    {JIT_F8E4M3FNUZ, {11, 8, 1}},
    {JIT_F8E5M2, {12, 8, 1}},
    {JIT_F8E5M2FNUZ, {13, 8, 1}},
};

int32_t jit_python::elementTypeOf(nb::dlpack::dtype type) {
  for (const TypePair &pair : types)
    if (pair.theirs == type)
      return pair.ours;
  return -1;
}

nb::dlpack::dtype jit_python::elementTypeFor(int32_t type) {
  for (const TypePair &pair : types)
    if (pair.ours == type)
      return pair.theirs;
  return {};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// JAX's arrays never change, which it does not tell.
static bool isOfJax(nb::handle value) {
  return nb::cast<std::string>(value.type().attr("__module__")).starts_with("jax");
}

/// The array in jit_mlir's own mark that it may not be written; null for any other.
static nb::object markedReadOnly(nb::handle value) {
  static PyObject *mark = nullptr; // for good, as the module is
  if (!mark)
    mark = nb::module_::import_("jit_mlir._arrays").attr("ReadOnly").inc_ref().ptr();
  return value.type().ptr() == mark ? nb::object(value.attr("array")) : nb::object();
}

static bool isImported(const char *module) {
  return PyDict_GetItemString(PyImport_GetModuleDict(), module) != nullptr;
}

Arguments::Arguments(nb::handle values, const std::vector<bool> &marked, bool mayBeOnDevice)
    : mayHaveJax(isImported("jax")), mayBeOnDevice(mayBeOnDevice) {
  for (nb::handle value : nb::borrow<nb::sequence>(values))
    list.push_back(read(value, 0));
  if (marked.empty())
    return;
  size_t next = 0;
  forEachTensor([&](jit_value &tensor) {
    if (next < marked.size() && marked[next++])
      tensor.flags |= JIT_REQUIRES_GRAD;
  });
}

jit_value Arguments::read(nb::handle value, unsigned depth) {
  jit_value made = {};
  if (depth > 64)
    refuse("expected at most 64 nested containers");
  if (value.is_none())
    return made;
  if (nb::isinstance<nb::bool_>(value)) {
    made.kind = JIT_KIND_BOOL;
    made.as.integer = nb::cast<bool>(value);
  } else if (nb::isinstance<nb::int_>(value)) {
    made.kind = JIT_KIND_INT;
    made.as.integer = nb::cast<int64_t>(value);
  } else if (nb::isinstance<nb::float_>(value)) {
    made.kind = JIT_KIND_FLOAT;
    made.as.real = nb::cast<double>(value);
  } else if (nb::isinstance<nb::str>(value)) {
    texts.push_back(nb::cast<std::string>(value));
    made.kind = JIT_KIND_STRING;
    made.as.string = texts.back().c_str();
  } else if (PyComplex_Check(value.ptr())) {
    complexNumbers.push_back(
        {PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr())});
    made.kind = JIT_KIND_TENSOR;
    made.as.tensor.data = complexNumbers.back().data();
    made.as.tensor.dtype = JIT_C128;
  } else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    std::vector<jit_value> inner;
    for (nb::handle item : nb::borrow<nb::sequence>(value))
      inner.push_back(read(item, depth + 1));
    items.push_back(std::move(inner));
    made.kind = nb::isinstance<nb::list>(value) ? JIT_KIND_LIST : JIT_KIND_TUPLE;
    if (!PyList_CheckExact(value.ptr()) &&
        nb::hasattr(value, "is_dict")) // jit_mlir's own list of pairs
      made.flags = JIT_IS_DICT;
    made.as.list.items = items.back().data();
    made.as.list.count = items.back().size();
  } else {
    made = readArray(value);
  }
  return made;
}

/// "<class 'torch.Tensor'> on cuda:0, torch.sparse_coo": what is known of it.
static std::string describe(nb::handle value) {
  std::string text = nb::cast<std::string>(nb::str(nb::borrow(value.type())));
  for (auto [name, before] :
       {std::pair("device", " on "), std::pair("layout", ", "), std::pair("dtype", ", ")})
    if (nb::hasattr(value, name))
      text += before + nb::cast<std::string>(nb::str(nb::borrow(value.attr(name))));
  return text;
}

/// torch.Tensor, for good, as the module is; null where PyTorch is not imported.
static PyObject *typeOfTorch() {
  static PyObject *type = nullptr;
  if (!type && isImported("torch.utils.dlpack"))
    type = nb::module_::import_("torch").attr("Tensor").inc_ref().ptr();
  return type;
}

/// Whether it is PyTorch's tensor whose elements are conjugates or negatives of those in its
/// memory, which a capsule does not say.
static bool isLazy(nb::handle value) {
  PyObject *type = typeOfTorch();
  if (!type || (value.type().ptr() != type && PyObject_IsInstance(value.ptr(), type) != 1))
    return false;
  return nb::cast<bool>(value.attr("is_conj")()) || nb::cast<bool>(value.attr("is_neg")());
}

/// PyTorch's own capsule of a tensor on the CPU; null for anything else, and where PyTorch refuses.
/// `Tensor.__dlpack__` is written in Python and takes longer than a small call.
static nb::object capsuleOfTorch(nb::handle value) {
  static PyObject *exports = nullptr; // for good, as the module is
  if (!typeOfTorch() || value.type().ptr() != typeOfTorch() ||
      !nb::cast<bool>(value.attr("is_cpu")))
    return {};
  if (!exports)
    exports = nb::module_::import_("torch.utils.dlpack").attr("to_dlpack").inc_ref().ptr();
  PyObject *arguments[] = {value.ptr()}; // PyObject_CallOneArg is not in the stable ABI
  nb::object capsule = nb::steal(PyObject_Vectorcall(exports, arguments, 1, nullptr));
  if (!capsule.is_valid())
    PyErr_Clear(); // the general way says what is wrong
  return capsule;
}

/// The strides of PyTorch's tensor in elements. Its capsule says 1 for each dimension of size 1,
/// whatever the tensor says.
static std::vector<int64_t> stridesOfTorch(nb::handle tensor) {
  std::vector<int64_t> strides;
  for (nb::handle stride : nb::borrow<nb::tuple>(tensor.attr("stride")()))
    strides.push_back(nb::cast<int64_t>(stride));
  return strides;
}

static bool hasDimensionOfOne(const jit_tensor &tensor) {
  return std::any_of(tensor.sizes, tensor.sizes + tensor.rank,
                     [](int64_t size) { return size == 1; });
}

/// Takes an array in the memory of `Device`; false for others. `isWritable`: whether it may be
/// written, too.
template <typename Device>
static bool import(nb::handle value, nb::ndarray<nb::ro> &array, bool &isWritable) {
  nb::ndarray<Device> writable;
  nb::ndarray<nb::ro, Device> readable;
  isWritable = nb::try_cast(value, writable, false);
  if (!isWritable && !nb::try_cast(value, readable, false))
    return false;
  array = nb::ndarray<nb::ro>(isWritable ? writable.handle() : readable.handle());
  return true;
}

jit_value Arguments::readArray(nb::handle value) {
  nb::object other = markedReadOnly(value);
  if (!other.is_valid() && isLazy(value))
    other = value.attr("resolve_conj")().attr("resolve_neg")();
  if (other.is_valid()) {
    jit_value made = readArray(other);
    made.flags |= JIT_READ_ONLY;
    return made;
  }
  nb::ndarray<nb::ro> array;
  bool isWritable = false;
  nb::object capsule = capsuleOfTorch(value);
  nb::handle source = capsule.is_valid() ? nb::handle(capsule) : value;
  bool isOnDevice = mayBeOnDevice && import<nb::device::cuda>(source, array, isWritable);
  if (!isOnDevice && !import<nb::device::cpu>(source, array, isWritable))
    refuse("expected a dense array in the memory of the CPU" +
           std::string(mayBeOnDevice ? " or of a CUDA device" : "") +
           ", a number, a string, None, or a list or tuple of such, got " + describe(value));
  jit_value made = {};
  made.kind = JIT_KIND_TENSOR;
  made.flags = isWritable && !(mayHaveJax && isOfJax(value)) ? 0 : JIT_READ_ONLY;
  made.as.tensor.dtype = elementTypeOf(array.dtype());
  if (made.as.tensor.dtype < 0)
    refuse("expected elements that are bool, int8 to int64, uint8 to uint64, float8 to float64, "
           "complex32 to complex128 or bfloat16, got " +
           describe(value));
  made.as.tensor.data = const_cast<void *>(array.data());
  made.as.tensor.rank = int32_t(array.ndim());
  made.as.tensor.sizes = array.shape_ptr();
  made.as.tensor.strides = array.stride_ptr();
  if (capsule.is_valid() && made.as.tensor.rank > 1 && hasDimensionOfOne(made.as.tensor)) {
    strides.push_back(stridesOfTorch(value));
    made.as.tensor.strides = strides.back().data();
  }
  arrays.push_back(std::move(array));
  return made;
}

static void visitTensors(jit_value &value, const std::function<void(jit_value &)> &visit) {
  if (value.kind == JIT_KIND_TENSOR)
    visit(value);
  else if (value.kind == JIT_KIND_LIST || value.kind == JIT_KIND_TUPLE)
    for (size_t i = 0; i < value.as.list.count; ++i)
      visitTensors(const_cast<jit_value &>(value.as.list.items[i]), visit);
}

void Arguments::forEachTensor(const std::function<void(jit_value &)> &visit) {
  for (jit_value &value : list)
    visitTensors(value, visit);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

nb::object jit_python::toPython(const jit_value &value, nb::handle owner) {
  switch (value.kind) {
  case JIT_KIND_INT:
    return nb::int_(value.as.integer);
  case JIT_KIND_BOOL:
    return nb::bool_(value.as.integer != 0);
  case JIT_KIND_FLOAT:
    return nb::float_(value.as.real);
  case JIT_KIND_STRING:
    return value.flags & JIT_IS_DEVICE && isImported("torch")
               ? nb::module_::import_("torch").attr("device")(value.as.string)
               : nb::object(nb::str(value.as.string));
  case JIT_KIND_TENSOR:
    break;
  default:
    return nb::none();
  }
  const jit_tensor &tensor = value.as.tensor;
  if (value.flags & JIT_IS_COMPLEX) {
    auto *parts = static_cast<const double *>(tensor.data);
    return nb::steal(PyComplex_FromDoubles(parts[0], parts[1]));
  }
  std::vector<size_t> sizes(tensor.sizes, tensor.sizes + tensor.rank);
  bool isOnDevice = value.flags & JIT_ON_DEVICE;
  return nb::cast(nb::ndarray<nb::array_api>(
      tensor.data, sizes.size(), sizes.data(), owner, nullptr, elementTypeFor(tensor.dtype),
      isOnDevice ? nb::device::cuda::value : nb::device::cpu::value,
      isOnDevice ? JIT_DEVICE_NUMBER(value.flags) : 0));
}

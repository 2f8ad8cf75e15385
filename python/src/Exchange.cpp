//===- Exchange.cpp - PyTorch's tensors without Python --------------------===//
#include "Exchange.h"

#include <algorithm>
#include <cstdlib>
#include <new>

using namespace jit_python;

//===----------------------------------------------------------------------===//
// DLPack's structs, as far as they are used
//===----------------------------------------------------------------------===//

namespace {
struct Version {
  uint32_t major, minor;
};

struct ManagedTensor {
  Version version;
  void *context;
  void (*deleter)(ManagedTensor *self);
  uint64_t flags;
  nb::dlpack::dltensor tensor;
};
} // namespace

struct jit_python::ExchangeTable {
  Version version;
  ExchangeTable *previous;
  void *allocate, *take;
  int (*give)(ManagedTensor *tensor, void **object);
  int (*look)(void *object, nb::dlpack::dltensor *tensor);
};

static constexpr uint32_t supportedMajor = 1;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

TorchExchange::TorchExchange(const ExchangeTable *table, PyObject *tensorType, PyObject *isNegative)
    : table(table), tensorType(tensorType), isNegative(isNegative),
      requiresGrad(PyUnicode_InternFromString("requires_grad")) {}

const TorchExchange *TorchExchange::make() {
  nb::object type = nb::module_::import_("torch").attr("Tensor");
  if (!nb::hasattr(type, "__dlpack_c_exchange_api__"))
    return nullptr;
  nb::object capsule = type.attr("__dlpack_c_exchange_api__");
  auto *table = static_cast<const ExchangeTable *>(
      PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (!table)
    PyErr_Clear();
  while (table && table->version.major > supportedMajor)
    table = table->previous;
  if (!table || table->version.major != supportedMajor || !table->look || !table->give)
    return nullptr;
  nb::object isNegative = type.attr("is_neg");
  return new TorchExchange(table, type.release().ptr(), isNegative.release().ptr());
}

const TorchExchange *TorchExchange::find() {
  static const TorchExchange *found = nullptr; // for good, as the module is
  static bool isKnown = false;
  if (!isKnown && PyDict_GetItemString(PyImport_GetModuleDict(), "torch.utils.dlpack")) {
    found = make();
    isKnown = true;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Whether it says no; an error of Python is none.
static bool isFalse(PyObject *answer) {
  if (!answer)
    PyErr_Clear();
  bool is = answer == Py_False;
  Py_XDECREF(answer);
  return is;
}

bool TorchExchange::isPlain(nb::handle value) const {
  PyObject *arguments[] = {value.ptr()};
  return isFalse(PyObject_GetAttr(value.ptr(), requiresGrad)) &&
         isFalse(PyObject_Vectorcall(isNegative, arguments, 1, nullptr));
}

bool TorchExchange::read(nb::handle value, jit_value &made) const {
  if (reinterpret_cast<PyObject *>(Py_TYPE(value.ptr())) != tensorType || !isPlain(value))
    return false;
  nb::dlpack::dltensor seen;
  if (table->look(value.ptr(), &seen) != 0) {
    PyErr_Clear();
    return false;
  }
  // Complex elements may be conjugates that nobody has computed yet.
  if (seen.device.device_type != nb::device::cpu::value ||
      seen.dtype.code == uint8_t(nb::dlpack::dtype_code::Complex))
    return false;
  int32_t type = elementTypeOf(seen.dtype);
  if (type < 0)
    return false;
  made = {};
  made.kind = JIT_KIND_TENSOR;
  made.as.tensor = {static_cast<char *>(seen.data) + seen.byte_offset, seen.shape, seen.strides,
                    seen.ndim, type};
  return true;
}

namespace {
/// One allocation for a tensor of PyTorch over memory of ours.
struct Given {
  ManagedTensor managed;
  void (*free)(void *owner);
  int64_t sizes[1]; // and then strides
};
} // namespace

static void freeGiven(ManagedTensor *self) {
  auto *given = reinterpret_cast<Given *>(self);
  given->free(self->context);
  std::free(given);
}

nb::object TorchExchange::give(const jit_tensor &tensor, void *owner,
                               void (*free)(void *owner)) const {
  size_t rank = size_t(tensor.rank);
  size_t bytes = sizeof(Given) + 2 * rank * sizeof(int64_t);
  auto *given = static_cast<Given *>(std::malloc(bytes));
  if (!given) {
    free(owner);
    throw std::bad_alloc();
  }
  given->free = free;
  int64_t *strides = std::copy_n(tensor.sizes, rank, given->sizes);
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0; stride *= tensor.sizes[i])
    strides[i] = stride;
  given->managed = {.version = {1, 1}, .context = owner, .deleter = freeGiven, .flags = 0};
  given->managed.tensor = {.data = tensor.data,
                           .device = {nb::device::cpu::value, 0},
                           .ndim = tensor.rank,
                           .dtype = elementTypeFor(tensor.dtype),
                           .shape = given->sizes,
                           .strides = strides,
                           .byte_offset = 0};
  void *made = nullptr;
  if (table->give(&given->managed, &made) != 0) {
    freeGiven(&given->managed);
    nb::raise_python_error();
  }
  return nb::steal(static_cast<PyObject *>(made));
}

//===- Values.cpp - values and errors across the C boundary ---------------===//
#include "../Runtime/Strides.h"
#include "Handles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace jit;
using namespace jit::runtime;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static_assert(JIT_IO == int(ErrorCode::Io) + 1 && JIT_RAISED == int(ErrorCode::Raised) + 1 &&
                  JIT_INTERNAL == int(ErrorCode::Internal) + 1,
              "the C interface numbers errors as we do");

template <size_t N> static void copyText(char (&to)[N], const std::string &from) {
  size_t length = std::min(from.size(), N - 1);
  std::memcpy(to, from.data(), length);
  to[length] = 0;
}

jit_status jit::report(const Error &error, jit_error *into) {
  int status = int(error.code) + 1;
  if (into) {
    into->status = status;
    copyText(into->python_class, error.pythonClass);
    copyText(into->where, error.where);
    copyText(into->message, error.message);
  }
  return jit_status(status);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Error invalid(const std::string &what) { return {ErrorCode::InvalidArgument, what}; }

namespace {
/// How a tensor's elements lie.
enum class Rows {
  Not,        // elsewhere than row by row
  OddStrides, // row by row, with other strides where a dimension has size 1
  RowMajor
};
} // namespace

static Rows rowsOf(const jit_tensor &tensor) {
  Rows rows = Rows::RowMajor;
  int64_t expected = 1;
  for (int32_t i = tensor.rank - 1; tensor.strides && i >= 0; --i) {
    if (tensor.strides[i] != expected)
      rows = Rows::OddStrides;
    if (tensor.strides[i] != expected && tensor.sizes[i] != 1)
      return Rows::Not;
    expected *= std::max<int64_t>(tensor.sizes[i], 1);
  }
  return rows;
}

static bool isRowMajor(const jit_tensor &tensor) { return rowsOf(tensor) != Rows::Not; }

/// The tensor over other memory, in which its elements lie row by row.
static jit_tensor inRows(jit_tensor tensor, void *data) {
  tensor.data = data;
  tensor.strides = nullptr;
  return tensor;
}

static Result<Value> readTensor(const jit_tensor &tensor, int32_t flags) {
  if (!scalarTypeNumbered(tensor.dtype))
    return invalid("expected a jit_dtype, got " + std::to_string(tensor.dtype));
  auto type = ScalarType(tensor.dtype);
  if (tensor.rank < 0 || (tensor.rank > 0 && !tensor.sizes))
    return invalid("expected a tensor with sizes, got rank " + std::to_string(tensor.rank));
  std::vector<int64_t> sizes(tensor.sizes, tensor.sizes + tensor.rank);
  Result<int64_t> count = elementCount(sizes, type);
  if (!count)
    return count.takeError();
  if (*count > 0 && !tensor.data)
    return invalid("expected data of " + typeString(type, sizes) + ", got a null pointer");
  if (CallerStream::current() && !isRowMajor(tensor))
    return invalid("expected a row-major tensor, as the call is in a stream, got strides");
  Result<Tensor> made = isRowMajor(tensor) ? Tensor::view(type, sizes, tensor.data, nullptr)
                                           : Tensor::allocate(type, sizes);
  if (!made)
    return made.takeError();
  if (!isRowMajor(tensor)) {
    jit_tensor copy = inRows(tensor, made->mutableData());
    jit_copy_elements(&copy, &tensor);
  }
  // Of strided memory it is a copy; who calls gets what that has become.
  made->setMayBeOverwritten(!(flags & JIT_READ_ONLY));
  if (rowsOf(tensor) != Rows::RowMajor)
    made->setCallerLayout(
        {.strides = {tensor.strides, tensor.strides + tensor.rank}, .origin = tensor.data});
  made->setRequiresGrad(flags & JIT_REQUIRES_GRAD);
  return Value(std::move(*made));
}

static Result<Value> readValue(const jit_value &value, unsigned depth) {
  switch (value.kind) {
  case JIT_KIND_NONE:
    return Value();
  case JIT_KIND_TENSOR:
    return readTensor(value.as.tensor, value.flags);
  case JIT_KIND_INT:
    return Value(value.as.integer);
  case JIT_KIND_FLOAT:
    return Value(value.as.real);
  case JIT_KIND_BOOL:
    return Value(value.as.integer != 0);
  case JIT_KIND_STRING:
    return value.as.string ? Result<Value>(Value(value.as.string))
                           : Result<Value>(invalid("expected a string, got a null pointer"));
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    break;
  default:
    return invalid("expected a jit_kind, got " + std::to_string(value.kind));
  }
  if (depth >= maxArgumentDepth)
    return invalid("expected at most " + std::to_string(maxArgumentDepth) + " nested containers");
  if (value.as.list.count > 0 && !value.as.list.items)
    return invalid("expected a container's elements, got a null pointer");
  std::vector<Value> items;
  for (size_t i = 0; i < value.as.list.count; ++i) {
    auto item = readValue(value.as.list.items[i], depth + 1);
    if (!item)
      return item;
    items.push_back(std::move(*item));
  }
  if (value.flags & JIT_IS_DICT)
    return Value(List{std::move(items)}).as(Value::Meaning::Dict);
  return value.kind == JIT_KIND_LIST ? Value(List{std::move(items)})
                                     : Value(Tuple{std::move(items)});
}

Result<std::vector<Value>> jit::readArguments(std::span<const jit_value> arguments) {
  std::vector<Value> values;
  values.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto value = readValue(arguments[i], 0);
    if (!value) {
      Error error = value.takeError();
      error.where = "argument " + std::to_string(i);
      return error;
    }
    values.push_back(std::move(*value));
  }
  return values;
}

static void writeTo(const jit_tensor &tensor, const Tensor &from) {
  if (from.data() == tensor.data)
    return; // computed there
  jit_tensor dense = inRows(tensor, const_cast<void *>(from.data()));
  jit_copy_elements(&tensor, &dense);
}

namespace {
/// A tensor of the call that the program gave another value.
struct Written {
  const jit_value *argument;
  const Tensor *after;
  std::string where;
};
} // namespace

static const jit_value &follow(std::span<const jit_value> arguments, const ArgumentPath &path) {
  const jit_value *argument = &arguments[path[0]];
  for (int64_t index : llvm::ArrayRef(path).drop_front())
    argument = &argument->as.list.items[index];
  return *argument;
}

/// "1.0" for the first element of the second argument.
static std::string toString(const ArgumentPath &path) {
  auto numbers = llvm::map_range(path, [](int64_t index) { return std::to_string(index); });
  return llvm::join(numbers, ".");
}

static Result<void> checkWritten(const Written &written) {
  if (written.argument->flags & JIT_READ_ONLY)
    return Error{ErrorCode::InvalidArgument,
                 "expected memory that may be written, as the program writes it in place, got "
                 "read-only memory",
                 written.where};
  if (CallerStream::current())
    return Error{ErrorCode::Unsupported,
                 "expected a program that writes no argument in place, as the call is in a stream",
                 written.where};
  if (jit_overlaps_itself(&written.argument->as.tensor))
    return Error{ErrorCode::Unsupported,
                 "expected elements with a place each where the program writes them, got strides "
                 "under which some share one; clone() it before the call",
                 written.where};
  return {};
}

/// Writes what has changed of the memory of `argument`, also between its elements. What has not may
/// be others' there.
static void writeChanged(const jit_tensor &argument, const WrittenMemory &written) {
  auto size = size_t(elementSize(written.value.type()));
  auto *now = static_cast<const char *>(written.value.data());
  auto *memory = static_cast<char *>(argument.data) - written.offset * int64_t(size);
  for (size_t at = 0; at < written.value.byteSize(); at += size)
    if (std::memcmp(memory + at, now + at, size) != 0)
      std::memcpy(memory + at, now + at, size);
}

Result<void> jit::writeBack(std::span<const jit_value> arguments, const ChangedArguments &changed) {
  std::vector<Written> all;
  for (const WrittenArgument &written : changed.written)
    all.push_back(
        {&follow(arguments, written.path), &written.value, "argument " + toString(written.path)});
  for (const Written &written : all)
    if (auto checked = checkWritten(written); !checked)
      return checked.takeError();
  for (const Written &written : all)
    writeTo(written.argument->as.tensor, *written.after);
  for (const WrittenMemory &written : changed.memories)
    writeChanged(follow(arguments, written.path).as.tensor, written);
  return {};
}

void jit::fillReshaped(std::span<const jit_value> arguments, jit_result &result) {
  for (const ReshapedArgument &reshaped : result.result.changed.reshaped) {
    jit_value now = follow(arguments, reshaped.path);
    jit_tensor &tensor = now.as.tensor;
    if (reshaped.outgrown)
      tensor.data = const_cast<void *>(reshaped.outgrown->data());
    else if (tensor.data)
      tensor.data = static_cast<char *>(tensor.data) +
                    reshaped.offset * int64_t(elementSize(ScalarType(tensor.dtype)));
    tensor.sizes = reshaped.sizes.data();
    tensor.strides = reshaped.strides.data();
    tensor.rank = int32_t(reshaped.sizes.size());
    result.reshaped.push_back({toString(reshaped.path), now});
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// An undefined tensor is None.
static jit_value writeTensor(const Tensor &tensor) {
  jit_value made = {};
  if (!tensor.defined())
    return made;
  made.kind = JIT_KIND_TENSOR;
  // A weight that is a result is still the host's.
  if (CallerStream::current())
    if (std::optional<int> device = cudaDeviceOf(tensor.data()))
      made.flags = JIT_ON_DEVICE | *device << JIT_DEVICE_SHIFT;
  made.as.tensor = {const_cast<void *>(tensor.data()), tensor.sizes().data(), nullptr,
                    int32_t(tensor.sizes().size()), int32_t(tensor.type())};
  return made;
}

static int32_t flagsOf(const Value &value) {
  switch (value.meaning()) {
  case Value::Meaning::Complex:
    return JIT_IS_COMPLEX;
  case Value::Meaning::Dict:
    return JIT_IS_DICT;
  case Value::Meaning::Device:
    return JIT_IS_DEVICE;
  case Value::Meaning::Itself:
    break;
  }
  return 0;
}

static jit_value writeValue(const Value &value, jit_result &result) {
  jit_value made = {};
  const std::vector<Value> *parts = nullptr;
  if (auto *tensor = value.getIf<Tensor>()) {
    made = writeTensor(*tensor);
    made.flags |= flagsOf(value);
    return made;
  } else if (auto *number = value.getIf<int64_t>()) {
    made.kind = JIT_KIND_INT;
    made.as.integer = *number;
  } else if (auto *real = value.getIf<double>()) {
    made.kind = JIT_KIND_FLOAT;
    made.as.real = *real;
  } else if (auto *flag = value.getIf<bool>()) {
    made.kind = JIT_KIND_BOOL;
    made.as.integer = *flag;
  } else if (auto *text = value.getIf<std::string>()) {
    made.kind = JIT_KIND_STRING;
    made.as.string = text->c_str();
  } else if (auto *list = value.getIf<List>()) {
    made.kind = JIT_KIND_LIST;
    parts = &list->items;
  } else if (auto *tuple = value.getIf<Tuple>()) {
    made.kind = JIT_KIND_TUPLE;
    parts = &tuple->items;
  }
  made.flags = flagsOf(value);
  if (parts) {
    std::vector<jit_value> items;
    for (const Value &part : *parts)
      items.push_back(writeValue(part, result));
    result.items.push_back(std::move(items));
    made.as.list.items = result.items.back().data();
    made.as.list.count = result.items.back().size();
  }
  return made;
}

void jit::fillResult(jit_result &result) {
  result.value = writeValue(result.result.value, result);
  for (const NamedGradient &gradient : result.result.gradients)
    result.gradients.push_back(writeTensor(gradient.value));
}

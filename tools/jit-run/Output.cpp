//===- Output.cpp - results as files and as short text --------------------===//

#include "Output.h"
#include "jit/NarrowFloats.h"
#include "jit/QuotedText.h"
#include "jit/Runtime/Npy.h"
#include "llvm/Support/Format.h"

#include <cstring>

namespace jit {
using namespace runtime;

template <typename T> static Result<Tensor> scalarTensor(ScalarType type, T value) {
  return Tensor::from<T>(type, {}, std::span<const T>(&value, 1));
}

static Result<void> appendLeaves(const Value &value, std::vector<Tensor> &leaves) {
  auto add = [&](Result<Tensor> tensor) -> Result<void> {
    if (!tensor)
      return tensor.takeError();
    leaves.push_back(std::move(*tensor));
    return {};
  };
  if (auto *tensor = value.getIf<Tensor>())
    return add(*tensor);
  if (auto *number = value.getIf<int64_t>())
    return add(scalarTensor(ScalarType::Long, *number));
  if (auto *number = value.getIf<double>())
    return add(scalarTensor(ScalarType::Double, *number));
  if (auto *flag = value.getIf<bool>())
    return add(scalarTensor(ScalarType::Bool, uint8_t(*flag)));
  const std::vector<Value> *items = nullptr;
  if (auto *list = value.getIf<List>())
    items = &list->items;
  if (auto *tuple = value.getIf<Tuple>())
    items = &tuple->items;
  for (size_t i = 0; items && i < items->size(); ++i)
    if (auto done = appendLeaves((*items)[i], leaves); !done)
      return done;
  return {};
}

Result<std::vector<Tensor>> leavesOf(const Value &value) {
  std::vector<Tensor> leaves;
  if (auto done = appendLeaves(value, leaves); !done)
    return done.takeError();
  return leaves;
}

Result<void> writeText(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? Result<void>(Error{ErrorCode::Io, error.message(), path}) : Result<void>();
}

/// An element of a format that is narrower than f32.
static float widened(const Tensor &tensor, const llvm::fltSemantics &format, int64_t i) {
  auto *bytes = static_cast<const char *>(tensor.data());
  return readNarrow(format, bytes + i * elementSize(tensor.type()));
}

Result<void> writeArray(const std::string &path, const Tensor &tensor) {
  const llvm::fltSemantics *format = narrowFormatOf(tensor.type());
  if (!format || tensor.type() == ScalarType::Half)
    return writeNpy(path, tensor);
  auto wide = Tensor::allocate(ScalarType::Float, tensor.sizes());
  if (!wide)
    return wide.takeError();
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    wide->mutableAs<float>()[i] = widened(tensor, *format, i);
  return writeNpy(path, *wide);
}

Result<void> writeOutputs(const std::vector<Tensor> &leaves, const std::string &prefix) {
  for (size_t i = 0; i < leaves.size(); ++i)
    if (auto done = writeArray(prefix + "." + std::to_string(i) + ".npy", leaves[i]); !done)
      return done;
  return {};
}

static void printElement(llvm::raw_ostream &os, const Tensor &tensor, int64_t i) {
  if (const llvm::fltSemantics *format = narrowFormatOf(tensor.type())) {
    os << llvm::format("%.6g", widened(tensor, *format, i));
    return;
  }
  switch (tensor.type()) {
  case ScalarType::Float:
    os << llvm::format("%.6g", tensor.as<float>()[i]);
    return;
  case ScalarType::Double:
    os << llvm::format("%.6g", tensor.as<double>()[i]);
    return;
  case ScalarType::ComplexFloat:
    os << llvm::format("%.6g%+.6gj", tensor.as<float>()[2 * i], tensor.as<float>()[2 * i + 1]);
    return;
  case ScalarType::ComplexDouble:
    os << llvm::format("%.6g%+.6gj", tensor.as<double>()[2 * i], tensor.as<double>()[2 * i + 1]);
    return;
  case ScalarType::Byte:
    os << unsigned(tensor.as<uint8_t>()[i]);
    return;
  case ScalarType::Char:
    os << int(tensor.as<int8_t>()[i]);
    return;
  case ScalarType::Short:
    os << tensor.as<int16_t>()[i];
    return;
  case ScalarType::Int:
    os << tensor.as<int32_t>()[i];
    return;
  case ScalarType::Long:
    os << tensor.as<int64_t>()[i];
    return;
  case ScalarType::UInt16:
    os << tensor.as<uint16_t>()[i];
    return;
  case ScalarType::UInt32:
    os << tensor.as<uint32_t>()[i];
    return;
  case ScalarType::UInt64:
    os << tensor.as<uint64_t>()[i];
    return;
  case ScalarType::Bool:
    os << (tensor.as<uint8_t>()[i] ? "true" : "false");
    return;
  default:
    os << "?";
  }
}

static void printTensor(llvm::raw_ostream &os, const Tensor &tensor) {
  constexpr int64_t shown = 8;
  os << tensor.typeString() << " = [";
  for (int64_t i = 0; i < std::min(shown, tensor.numElements()); ++i) {
    if (i)
      os << ", ";
    printElement(os, tensor, i);
  }
  os << (tensor.numElements() > shown ? ", ...]" : "]");
}

void printValue(llvm::raw_ostream &os, const Value &value, unsigned indent) {
  os.indent(indent);
  const std::vector<Value> *items = nullptr;
  if (auto *tensor = value.getIf<Tensor>())
    printTensor(os, *tensor);
  else if (auto *integer = value.getIf<int64_t>())
    os << *integer;
  else if (auto *number = value.getIf<double>())
    os << llvm::format("%.17g", *number);
  else if (auto *flag = value.getIf<bool>())
    os << (*flag ? "true" : "false");
  else if (auto *text = value.getIf<std::string>())
    os << quoted(*text);
  else if (auto *list = value.getIf<List>())
    os << "list of " << (items = &list->items)->size();
  else if (auto *tuple = value.getIf<Tuple>())
    os << "tuple of " << (items = &tuple->items)->size();
  else
    os << "none";
  os << '\n';
  for (size_t i = 0; items && i < items->size(); ++i)
    printValue(os, (*items)[i], indent + 2);
}

Result<std::vector<Tensor>> stackOutputs(const std::vector<std::vector<Tensor>> &calls) {
  std::vector<Tensor> stacked;
  for (size_t leaf = 0; !calls.empty() && leaf < calls[0].size(); ++leaf) {
    const Tensor &first = calls[0][leaf];
    std::vector<int64_t> sizes = first.sizes();
    sizes.insert(sizes.begin(), int64_t(calls.size()));
    auto all = Tensor::allocate(first.type(), sizes);
    if (!all)
      return all.takeError();
    auto *to = static_cast<std::byte *>(all->mutableData());
    for (const std::vector<Tensor> &call : calls) {
      if (call.size() <= leaf || call[leaf].type() != first.type() ||
          call[leaf].sizes() != first.sizes())
        return Error{ErrorCode::InvalidArgument,
                     "expected results of one type at every call, got " + first.typeString() +
                         " and " + (call.size() > leaf ? call[leaf].typeString() : "nothing")};
      std::memcpy(to, call[leaf].data(), first.byteSize());
      to += first.byteSize();
    }
    stacked.push_back(std::move(*all));
  }
  return stacked;
}

} // namespace jit

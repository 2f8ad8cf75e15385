//===- Marshalling.cpp - values to pointers and back ----------------------===//
#include "Marshalling.h"
#include "Failure.h"

#include <algorithm>

using namespace jit;
using namespace jit::runtime;

static_assert(JIT_IO == int(ErrorCode::Io) + 1 && JIT_INTERNAL == int(ErrorCode::Internal) + 1,
              "the runtime's C numbers errors as we do");

Error jit::runtime::errorOf(const jit_error &error) {
  return {ErrorCode(error.status - 1), error.message, error.where, error.python_class};
}

Error jit::runtime::raisedError(const jit_call &call) {
  std::string message(jit_failure_room(&call), 0);
  jit_text text = {message.data(), message.size(), 0};
  jit_append_failure(&text, &call);
  message.resize(text.length);
  // No exception of the program's: what it asks for is known to be unsupported only now.
  if (jit_failure_status(&call) == JIT_UNSUPPORTED)
    return Error{ErrorCode::Unsupported, message, call.location};
  // Unequal sizes keep their class: a session compiles for them.
  return Error{ErrorCode::Raised, message, call.location, call.python_class};
}

Error jit::runtime::mismatch(const ArgumentInfo &info, size_t index, const std::string &got) {
  std::string what =
      info.name.empty() ? "argument " + std::to_string(index) : "'" + info.name + "'";
  return Error{ErrorCode::InvalidArgument, what + ": expected " + info.type.str() + ", got " + got};
}

/// Whether a tensor has the sizes of a type, as far as the type says them.
static bool fits(const std::vector<int64_t> &sizes, const std::vector<int64_t> &expected) {
  return std::ranges::equal(sizes, expected, [](int64_t size, int64_t known) {
    return size == known || known == ValueType::openSize;
  });
}

bool jit::runtime::addOpenSizes(const ArgumentInfo &info, const Value &value,
                                std::vector<int64_t> &sizes) {
  if (!info.type.isOpen())
    return true;
  const std::vector<int64_t> &given = value.getIf<Tensor>()->sizes();
  for (size_t i = 0; i < given.size(); ++i) {
    if (info.type.sizes[i] != ValueType::openSize)
      continue;
    if (i < info.sizeNames.size() && !info.sizeNames[i].empty() && given[i] < 2)
      return false;
    sizes.push_back(given[i]);
  }
  return true;
}

Result<void> jit::runtime::checkNames(std::span<const ArgumentInfo> arguments,
                                      std::span<const Value> inputs) {
  std::vector<std::pair<std::string_view, int64_t>> known;
  size_t next = 0;
  for (const ArgumentInfo &info : arguments) {
    if (info.kind == ArgumentKind::Weight)
      continue;
    const Value &input = inputs[next++];
    for (size_t i = 0; i < info.sizeNames.size(); ++i) {
      if (info.sizeNames[i].empty())
        continue;
      int64_t size = input.getIf<Tensor>()->sizes()[i];
      auto same = std::ranges::find(known, info.sizeNames[i],
                                    [](const auto &entry) { return entry.first; });
      if (same == known.end())
        known.emplace_back(info.sizeNames[i], size);
      else if (same->second != size)
        return mismatch(info, next - 1,
                        "a size " + info.sizeNames[i] + " of " + std::to_string(size) +
                            " beside one of " + std::to_string(same->second));
    }
  }
  return {};
}

const void *jit::runtime::argumentPointer(const ValueType &type, const Value &value,
                                          ScalarCell &cell) {
  if (type.isTensor) {
    auto *tensor = value.getIf<Tensor>();
    if (!tensor || tensor->type() != type.scalar || !fits(tensor->sizes(), type.sizes))
      return nullptr;
    // An empty view may have no memory at all.
    return tensor->data() ? tensor->data() : &cell;
  }
  auto *integer = value.getIf<int64_t>();
  auto *real = value.getIf<double>();
  auto *boolean = value.getIf<bool>();
  if (type.scalar == ScalarType::Long && integer)
    cell.integer = *integer;
  else if (type.scalar == ScalarType::Double && real)
    cell.real = *real;
  else if (type.scalar == ScalarType::Double && integer)
    cell.real = static_cast<double>(*integer);
  else if (type.scalar == ScalarType::Bool && boolean)
    cell.boolean = *boolean;
  else
    return nullptr;
  return &cell;
}

Value jit::runtime::scalarResult(ScalarType type, const ScalarCell &cell) {
  if (type == ScalarType::Double)
    return cell.real;
  if (type == ScalarType::Bool)
    return cell.boolean != 0;
  return cell.integer;
}

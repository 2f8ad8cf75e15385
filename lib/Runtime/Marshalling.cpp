//===- Marshalling.cpp - values to pointers and back ----------------------===//
#include "Marshalling.h"

#include <cstdio>
#include <cstdlib>

using namespace jit;

static std::string formatArgument(const jit_arg &arg) {
  if (arg.kind == JIT_ARG_BOOL)
    return arg.value.i ? "True" : "False";
  if (arg.kind == JIT_ARG_INT)
    return std::to_string(arg.value.i);
  char text[32];
  // The shortest text that reads back as the same number, as Python prints it.
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, arg.value.f);
    if (std::strtod(text, nullptr) == arg.value.f)
      break;
  }
  std::string result = text;
  if (result.find_first_not_of("-0123456789") == std::string::npos)
    result += ".0";
  return result;
}

Error jit::raisedError(const jit_call &call) {
  std::string message;
  int32_t next = 0;
  for (const char *c = call.message; *c; ++c) {
    if (c[0] == '{' && c[1] == '}' && next < call.count) {
      message += formatArgument(call.args[next++]);
      ++c;
      continue;
    }
    message += *c;
  }
  return Error{ErrorCode::Raised, message, call.location, call.python_class};
}

Error jit::mismatch(const ArgumentInfo &info, size_t index, const std::string &got) {
  std::string what =
      info.name.empty() ? "argument " + std::to_string(index) : "'" + info.name + "'";
  return Error{ErrorCode::InvalidArgument, what + ": expected " + info.type.str() + ", got " + got};
}

const void *jit::argumentPointer(const ValueType &type, const Value &value, ScalarCell &cell) {
  if (type.isTensor) {
    auto *tensor = value.getIf<Tensor>();
    if (!tensor || tensor->type() != type.scalar || tensor->sizes() != type.sizes)
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

Value jit::scalarResult(ScalarType type, const ScalarCell &cell) {
  if (type == ScalarType::Double)
    return cell.real;
  if (type == ScalarType::Bool)
    return cell.boolean != 0;
  return cell.integer;
}

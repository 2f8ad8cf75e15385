//===- Upgraders.cpp - what operators meant in older archives -------------===//
//
// An archive says by its version which meaning its operators have. PyTorch puts the old ones in
// terms of the present operators while it loads; so does this.
//
//===----------------------------------------------------------------------===//

#include "FunctionImporter.h"

using namespace mlir;

namespace jit {

Value FunctionImporter::callVersioned(StringRef name, SmallVectorImpl<CallArgument> &arguments,
                                      Location loc) {
  int64_t version = program.archive.version();
  bool known = llvm::all_of(arguments, [](const CallArgument &a) { return bool(a.value); });
  if (version >= 9 || !known)
    return callOperator(name, arguments, loc);
  bool isDivision = name == "aten::div" || name == "aten::div_";
  bool hasOut = !arguments.empty() && arguments.back().keyword == "out";
  if (version < 4 && isDivision && arguments.size() == (hasOut ? 3 : 2)) {
    Value quotient = callOldDivision(name, arguments[0].value, arguments[1].value, loc);
    return hasOut ? writeOut(arguments.back().value, quotient, loc) : quotient;
  }
  if (version < 5 && name == "aten::full")
    fillWithFloat(arguments, loc);
  if ((version < 8 && name == "aten::linspace") || name == "aten::logspace")
    addSteps(arguments, loc);
  return callOperator(name, arguments, loc);
}

/// Integers were divided to integers, towards zero.
Value FunctionImporter::callOldDivision(StringRef name, Value self, Value other, Location loc) {
  if (!isa<TensorType>(self.getType()))
    return callOperator(name, {self, other}, loc);
  auto isFloat = [&](Value value) -> Value {
    if (isa<TensorType>(value.getType()))
      return callOperator("aten::is_floating_point", ArrayRef(value), loc);
    return boolConstant(!value.getType().isInteger(), loc);
  };
  Value floats = callOperator("aten::__or__", {isFloat(self), isFloat(other)}, loc);
  if (!floats)
    return unknown();
  auto exact = [&] { return callOperator("aten::div", {self, other}, loc); };
  auto truncated = [&] {
    Value mode = ConstantOp::create(builder, loc, "trunc");
    return callOperator("aten::div", {{self, {}}, {other, {}}, {mode, "rounding_mode"}}, loc);
  };
  Value quotient = choose(floats, exact, truncated, loc);
  if (!quotient || name == "aten::div")
    return quotient;
  return overwrite(self, quotient, "category", loc);
}

/// Without an element type the result was of floats whatever it was filled with.
void FunctionImporter::fillWithFloat(SmallVectorImpl<CallArgument> &arguments, Location loc) {
  for (const CallArgument &argument : arguments)
    if (argument.keyword == "dtype" && !isa<NoneType>(argument.value.getType()))
      return;
  if (arguments.size() > 1 && arguments[1].keyword.empty() &&
      arguments[1].value.getType().isInteger())
    arguments[1].value = callOperator("aten::Float", ArrayRef(arguments[1].value), loc);
}

/// Without a number of steps there were 100.
void FunctionImporter::addSteps(SmallVectorImpl<CallArgument> &arguments, Location loc) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.keyword == "steps" || (argument.keyword.empty() && i == 2)) {
      if (isa<NoneType>(argument.value.getType()))
        argument.value = intConstant(100, loc);
      return;
    }
  arguments.push_back({intConstant(100, loc), "steps"});
}

} // namespace jit

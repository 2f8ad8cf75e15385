//===- TrailingValues.cpp - more arguments and results of a function ------===//

#include "TrailingValues.h"

using namespace mlir;

namespace jit {

Value addTrailingArgument(func::FuncOp func, Type type, Location loc, StringRef name,
                          Attribute attr) {
  unsigned index = func.getNumArguments();
  auto attrs = DictionaryAttr::get(func.getContext(),
                                   NamedAttribute(StringAttr::get(func.getContext(), name), attr));
  // Fails only where the function has no body to take the argument.
  (void)func.insertArgument(index, type, attrs, loc);
  return func.getArgument(index);
}

void addTrailingResult(func::FuncOp func, Value value, StringRef name, Attribute attr) {
  unsigned index = func.getNumResults();
  auto attrs = DictionaryAttr::get(func.getContext(),
                                   NamedAttribute(StringAttr::get(func.getContext(), name), attr));
  (void)func.insertResult(index, value.getType(), attrs);
  Operation *terminator = func.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
}

} // namespace jit

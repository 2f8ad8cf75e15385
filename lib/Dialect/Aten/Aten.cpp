//===- Aten.cpp - the aten dialect: registration --------------------------===//

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

#include "jit/Dialect/Aten/AtenDialect.cpp.inc"
#include "jit/Dialect/Aten/AtenInterfaces.cpp.inc"

Type jit::PointwiseOpInterface::computeType() { return opmathType(promotedType()); }

namespace jit::aten {

#define JIT_FAMILY(name) void register##name##Operations(AtenDialect *dialect);
#include "jit/Dialect/Aten/Families.inc"
#undef JIT_FAMILY

void AtenDialect::initialize() {
#define JIT_FAMILY(name) register##name##Operations(this);
#include "jit/Dialect/Aten/Families.inc"
#undef JIT_FAMILY
  getContext()->loadDialect<arith::ArithDialect, math::MathDialect>();
}

Operation *AtenDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  return getContext()->getLoadedDialect<JitDialect>()->materializeConstant(builder, value, type,
                                                                           loc);
}

ParseResult parseOperator(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon() || parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), place, result.operands))
    return failure();
  result.addTypes(type.getResults());
  return success();
}

void printOperator(OpAsmPrinter &printer, Operation *op) {
  printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
}

} // namespace jit::aten

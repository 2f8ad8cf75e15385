//===- TextProgram.cpp - what a program in MLIR text may be made of -------===//

#include "jit/Import/TextProgram.h"

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;

namespace jit {

/// Elements of a constant that its text says once.
static constexpr int64_t kMaxSplatElements = int64_t(1) << 24;

static bool isProgramDialect(Dialect *dialect) {
  return isa_and_nonnull<JitDialect, aten::AtenDialect, arith::ArithDialect, func::FuncDialect,
                         scf::SCFDialect, BuiltinDialect>(dialect);
}

/// Numbers of the widths that TorchScript has, and what is made of them.
static bool isProgramType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  return isa<JitDialect>(type.getDialect()) || isFloat8(type) ||
         isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type, ComplexType,
             FunctionType>(type);
}

static bool isProgramAttribute(Attribute attribute) {
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return !elements.isSplat() || elements.getType().getNumElements() <= kMaxSplatElements;
  return !isa<DenseResourceElementsAttr, SparseElementsAttr, OpaqueAttr, AffineMapAttr,
              IntegerSetAttr>(attribute);
}

namespace {
class TextProgramCheck {
public:
  TextProgramCheck() {
    walker.addWalk([](Type type) {
      return isProgramType(type) ? WalkResult::advance() : WalkResult::interrupt();
    });
    walker.addWalk([](Attribute attribute) {
      return isProgramAttribute(attribute) ? WalkResult::advance() : WalkResult::interrupt();
    });
  }

  LogicalResult check(Operation *op) {
    if (!isProgramDialect(op->getDialect()))
      return op->emitOpError("expected an operation of jit, aten, arith, func or scf in a program");
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(checkType(op, type)))
            return failure();
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type)))
        return failure();
    for (NamedAttribute attribute : op->getAttrs())
      if (walker.walk(attribute.getValue()).wasInterrupted())
        return op->emitOpError("expected attributes of plain values, at most ")
               << kMaxSplatElements << " times the same one, got another as '"
               << attribute.getName().getValue() << "'";
    return success();
  }

private:
  LogicalResult checkType(Operation *op, Type type) {
    if (!walker.walk(type).wasInterrupted())
      return success();
    return op->emitOpError("expected values of TorchScript's types, got ") << type;
  }

  AttrTypeWalker walker;
};
} // namespace

LogicalResult checkTextProgram(ModuleOp module) {
  TextProgramCheck program;
  WalkResult walk = module.walk([&](Operation *op) {
    return succeeded(program.check(op)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit

//===- Aten.cpp - the aten dialect: registration --------------------------===//

#include "jit/Dialect/Aten/Aten.h"
#include "Families.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

#include "jit/Dialect/Aten/AtenDialect.cpp.inc"
#include "jit/Dialect/Aten/AtenInterfaces.cpp.inc"

namespace jit::aten {

#define JIT_FAMILY(name)                                                                           \
  namespace family {                                                                               \
  struct name;                                                                                     \
  }                                                                                                \
  template <> void AtenDialect::Families::add<family::name>(AtenDialect & dialect);
#include "jit/Dialect/Aten/Families.inc"
#undef JIT_FAMILY

void AtenDialect::initialize() {
#define JIT_FAMILY(name) Families::add<family::name>(*this);
#include "jit/Dialect/Aten/Families.inc"
#undef JIT_FAMILY
  getContext()->loadDialect<arith::ArithDialect, math::MathDialect>();
}

Operation *AtenDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  return getContext()->getLoadedDialect<JitDialect>()->materializeConstant(builder, value, type,
                                                                           loc);
}

} // namespace jit::aten

//===- JoinState.cpp - state that calls have left in one memory -----------===//

#include "Signature.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

/// Whether a tensor is all of the memory that others are parts of: it has no gaps, and nothing lies
/// before or behind it.
static bool isWhole(const ValueSpec &spec) {
  return spec.part->offset == 0 && ShapedType::getNumElements(spec.sizes) == spec.part->extent &&
         isDense(spec.sizes, spec.strides);
}

/// The view of `whole` that a part of its memory is.
static Value partOf(OpBuilder &b, Value whole, const ValueSpec &spec) {
  GraphBuilder build{b, whole.getLoc()};
  SmallVector<Value> operands = {whole, build.ints(spec.sizes).v, build.ints(spec.strides).v,
                                 build.i(spec.part->offset).v};
  Operation *view =
      createInferred(b, whole.getLoc(), OperationName("aten.as_strided", b.getContext()), operands);
  if (!view)
    return {};
  view->setAttr(fromStartAttr, b.getUnitAttr());
  return view->getResult(0);
}

void joinState(OpBuilder &b, func::FuncOp generic, ArrayRef<ValueSpec> specs, IRMapping &map) {
  auto isPart = [&](unsigned i) { return generic.getArgAttr(i, slotAttr) && specs[i].part; };
  llvm::SmallDenseMap<int64_t, unsigned> wholes; // by the number of the memory
  for (auto [i, spec] : llvm::enumerate(specs))
    if (isPart(i) && isWhole(spec))
      wholes.insert({spec.part->memory, i});
  for (auto [i, spec] : llvm::enumerate(specs)) {
    auto whole = isPart(i) ? wholes.find(spec.part->memory) : wholes.end();
    if (whole == wholes.end() || whole->second == i)
      continue;
    if (Value part = partOf(b, map.lookup(generic.getArgument(whole->second)), spec))
      map.map(generic.getArgument(i), part);
  }
}

} // namespace jit

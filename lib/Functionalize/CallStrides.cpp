//===- CallStrides.cpp - strides that come into a call and go out of it ---===//

#include "CallStrides.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

/// The strides of a slot's new value; null for row-major. Of several tensors nothing is said but
/// that there is one of other strides.
static DenseI64ArrayAttr stridesOf(Attribute value, func::ReturnOp ret) {
  Builder b(ret.getContext());
  if (auto parts = dyn_cast<ArrayAttr>(value)) {
    bool isRowMajor = llvm::all_of(parts, [&](Attribute part) { return !stridesOf(part, ret); });
    return isRowMajor ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr({ShapedType::kDynamic});
  }
  auto leaf = dyn_cast<IntegerAttr>(value);
  Value tensor = leaf ? ret.getOperand(leaf.getInt()) : Value();
  auto type = tensor ? dyn_cast<TensorType>(tensor.getType()) : TensorType();
  if (!type || !type.hasRank())
    return type ? b.getDenseI64ArrayAttr({ShapedType::kDynamic}) : DenseI64ArrayAttr();
  Layout layout = layoutOf(tensor);
  auto strides = layout.strides(type.getSizes());
  // Along a dimension of size 1 rows may have any stride.
  auto ofRows = Layout::rowMajor().strides(type.getSizes());
  bool isOther = strides && ofRows && *strides != *ofRows;
  if (!isOther && layout.isRowMajor(type.getSizes()).value_or(false))
    return {};
  return b.getDenseI64ArrayAttr(
      strides.value_or(SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic)));
}

void recordStateStrides(func::FuncOp func) {
  auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr);
  if (!outputs || !func->getParentOp()->hasAttr(asksStridesAttr))
    return;
  auto ret = cast<func::ReturnOp>(func.front().getTerminator());
  Builder b(func.getContext());
  SmallVector<Attribute> all;
  for (auto output : outputs.getAsRange<DictionaryAttr>()) {
    NamedAttrList attrs(output);
    if (output.get("slot"))
      if (DenseI64ArrayAttr strides = stridesOf(output.get("value"), ret))
        attrs.set("strides", strides);
    all.push_back(attrs.getDictionary(func.getContext()));
  }
  func->setAttr(outputsAttr, b.getArrayAttr(all));
}

/// Whether `op` counts places in the memory of an argument: an out= tensor that takes other sizes
/// takes the places behind its first.
static bool countsPlaces(Operation *op) {
  if (!isa<aten::AsStridedOp>(op))
    return false;
  auto argument = dyn_cast<BlockArgument>(viewRoot(op->getOperand(0)));
  auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return func && !func.getArgAttr(argument.getArgNumber(), slotAttr);
}

bool dependsOnStrides(func::FuncOp func, const MemoryClasses &classes) {
  Builder b(func.getContext());
  SmallVector<unsigned> marked;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<TensorType>(type) && !func.getArgAttr(i, stridesAttr) &&
        !func.getArgAttr(i, slotAttr)) {
      func.setArgAttr(i, stridesAttr, b.getDenseI64ArrayAttr({ShapedType::kDynamic}));
      marked.push_back(i);
    }
  bool depends =
      func.walk([&](Operation *op) {
            bool isOpen = mayCopyOrShare(op) && (classes.isWritten(op->getOperand(0)) ||
                                                 classes.isWritten(op->getResult(0)));
            return isOpen || countsPlaces(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  auto ret = cast<func::ReturnOp>(func.front().getTerminator());
  if (auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr))
    for (auto output : outputs.getAsRange<DictionaryAttr>())
      depends |= output.get("slot") && stridesOf(output.get("value"), ret);
  for (unsigned i : marked)
    func.removeArgAttr(i, stridesAttr);
  return depends;
}

} // namespace jit

//===- Padding.cpp - zeros around other memory ----------------------------===//
#include "Kernels/Padding.h"
#include "Analysis/BufferRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::codegen::Padding;

/// True for an op that writes zeros to all of `buffer`.
static bool isZeroFill(Operation *op, Value buffer) {
  auto fill = dyn_cast<linalg::LinalgOp>(op);
  if (!fill || fill.getNumDpsInits() != 1 || fill.getDpsInits()[0] != buffer ||
      fill.getNumReductionLoops() > 0 || fill.getNumDpsInputs() > (isa<linalg::FillOp>(op) ? 1 : 0))
    return false;
  Value written = fill.getBlock()->getTerminator()->getOperand(0);
  if (auto fillOp = dyn_cast<linalg::FillOp>(op))
    written = fillOp.getInputs().front();
  return matchPattern(written, m_AnyZeroFloat());
}

/// The copy to a part of a buffer that only it writes to.
static linalg::CopyOp copyTo(memref::SubViewOp part) {
  auto isConstant = [](ArrayRef<int64_t> numbers) {
    return llvm::none_of(numbers, ShapedType::isDynamic);
  };
  bool isPlain = isConstant(part.getStaticOffsets()) && isConstant(part.getStaticSizes()) &&
                 llvm::all_of(part.getStaticStrides(), [](int64_t step) { return step == 1; }) &&
                 part.getDroppedDims().none() && part->hasOneUse();
  auto copy = isPlain ? dyn_cast<linalg::CopyOp>(*part->user_begin()) : linalg::CopyOp();
  return copy && copy.getOutputs().front() == part.getResult() ? copy : linalg::CopyOp();
}

/// True if nothing between the two ops writes to what `buffer` is a part of.
static bool staysTheSame(Value buffer, Operation *from, Operation *to) {
  Value root = jit::codegen::viewedBuffer(buffer);
  if (!jit::codegen::isDistinctRoot(root))
    return false;
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (!jit::codegen::isAside(op) &&
        (!jit::codegen::hasKnownMemory(op) || jit::codegen::writes(op, root)))
      return false;
  return true;
}

std::optional<Padding> jit::codegen::findPadding(Value buffer, Operation *reader, Operation *end) {
  Value root = reshapeSource(buffer);
  if (!root.getDefiningOp<memref::AllocOp>() || (root != buffer && !buffer.hasOneUse()))
    return std::nullopt;
  Operation *fill = nullptr;
  memref::SubViewOp part;
  for (Operation *user : root.getUsers()) {
    if (user == reader || user == buffer.getDefiningOp())
      continue;
    if (auto view = dyn_cast<memref::SubViewOp>(user); view && !part)
      part = view;
    else if (!fill && isZeroFill(user, root))
      fill = user;
    else
      return std::nullopt;
  }
  linalg::CopyOp copy = part ? copyTo(part) : linalg::CopyOp();
  if (!copy || !fill || fill->getBlock() != copy->getBlock() ||
      copy->getBlock() != reader->getBlock() || !fill->isBeforeInBlock(copy) ||
      !copy->isBeforeInBlock(reader))
    return std::nullopt;
  Value source = copy.getInputs().front();
  if (!staysTheSame(source, copy, end))
    return std::nullopt;
  return Padding{source, SmallVector<int64_t>(part.getStaticOffsets()), {copy, part, fill}};
}

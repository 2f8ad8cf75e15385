//===- Resized.cpp - partial evaluation: resize_ and set_ -----------------===//
//
// `x.resize_(sizes)` shows as many elements of the memory of x, row by row from its own first one
// on; where there are fewer, the memory becomes larger by elements of which nothing is said.
// `x.set_(y)` is another name for y.
//
//===----------------------------------------------------------------------===//

#include "ChangedSizes.h"
#include "Evaluator.h"
#include "MemoryRoom.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

bool showsRest(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<aten::ResizedOp>(inner) || isa<aten::AsStridedOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The memory that `tensor` shows a part of, with `more` elements behind.
static Tensor withRoom(GraphBuilder &build, Value tensor, int64_t more) {
  Value root = viewRoot(tensor);
  int64_t count = ShapedType::getNumElements(cast<TensorType>(root.getType()).getSizes());
  Tensor all = build.op<aten::AsStridedOp>(Tensor(build, root), build.ints({count}),
                                           build.ints({1}), build.i(0));
  Value none = build.none().v;
  Tensor rest = build.op<aten::NewEmptyOp>(all, build.ints({more}), none, none, none, none);
  return build.op<aten::CatOp>(build.list({all, rest}), 0);
}

FailureOr<Evaluator::Flow> Evaluator::evaluateResize(BecomeOp op, OpBuilder &b, IRMapping &map) {
  Value tensor = tensorBehind(map.lookup(op.getSelf()));
  auto self = cast<TensorType>(tensor.getType()),
       given = cast<TensorType>(map.lookup(op.getValue()).getType());
  if (isOpenTensor(tensor) || isOutOfScope(tensor))
    return op.emitOpError("expected a tensor that is known where its sizes change in place");
  std::optional<int64_t> room = roomOf(tensor);
  if (!self.isStatic() || !given.isStatic() || !room)
    return op.emitOpError(
               "expected to know the sizes and the memory of a tensor that is resized, got ")
           << self << ", to be " << given;
  refuseGradient(b, op.getLoc(), tensor, "cannot resize variables that require grad",
                 "builtins.RuntimeError");
  if (haveEqualSizes(self, given)) {
    map.map(op.getResult(), map.lookup(op.getSelf()));
    return Flow::Continues;
  }
  int64_t more = ShapedType::getNumElements(given.getSizes()) - *room;
  if (more > 0 && growsMemory(op, tensor, given, b, map,
                              [&](GraphBuilder &build) { return withRoom(build, tensor, more); }))
    return Flow::Continues;
  if (more > 0)
    return op.emitOpError("expected a tensor that is resized to have room for that in its memory, "
                          "or one that the program made, got ")
           << more << " elements too many";
  GraphBuilder build{b, op.getLoc()};
  Value now = build
                  .op<aten::AsStridedOp>(Tensor(build, tensor), build.ints(given.getSizes()),
                                         build.ints(*Layout::rowMajor().strides(given.getSizes())),
                                         build.i(*layoutOf(tensor).offset()))
                  .v;
  if (failed(noteChange(op, tensor, now, /*isOutgrown=*/false)))
    return failure();
  return become(op, tensor, now, b, map);
}

FailureOr<bool> Evaluator::checkSet(BecomeOp op, OpBuilder &b, IRMapping &map) {
  Value tensor = tensorBehind(map.lookup(op.getSelf())), source = map.lookup(op.getValue());
  if (viewRoot(source) == viewRoot(tensor))
    return true;
  if (!makesMemory(viewRoot(tensor).getDefiningOp()))
    return op.emitOpError("expected set_ of a tensor that the program made");
  auto self = cast<TensorType>(tensor.getType()), given = cast<TensorType>(source.getType());
  if (!self.hasDtype() || !given.hasDtype())
    return op.emitOpError("expected to know the element types of the operands of set_");
  for (Value value : {tensor, source})
    refuseGradient(b, op.getLoc(), value,
                   "set_ of tensors that require gradients is not supported");
  if (self.getDtype() == given.getDtype())
    return true;
  raise(b, op.getLoc(), "Could not set tensor to one of another element type");
  return false;
}

} // namespace jit

//===- PadSequence.cpp - sequences of several lengths in one tensor -------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Rearrange.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/PackedLists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// Each sequence, of known sizes, padded to the longest, [sequences, steps, ...].
static Tensor paddedEach(ArrayRef<Tensor> sequences, Float value, bool atBegin) {
  GraphBuilder &build = *value.b;
  int64_t longest = 0;
  for (Tensor sequence : sequences)
    longest = std::max(longest, sequence.info().size(0));
  SmallVector<Tensor> padded;
  for (Tensor sequence : sequences) {
    SmallVector<int64_t> pad(2 * sequence.info().rank(), 0);
    pad[pad.size() - (atBegin ? 2 : 1)] = longest - sequence.info().size(0);
    padded.push_back(build.op<aten::ConstantPadNdOp>(sequence, build.ints(pad), value));
  }
  return build.op<aten::StackOp>(build.list(padded), 0);
}

/// The same of sequences that lie one after the other in `rows`: sequence `i` from `bounds[i]` up
/// to `bounds[i + 1]`.
static Tensor paddedParts(Tensor rows, Tensor bounds, Float value, bool atBegin) {
  GraphBuilder &build = *value.b;
  Any none = build.none();
  Tensor begins = build.op<aten::SliceTensorOp>(bounds, 0, 0, -1, 1);
  Tensor lengths = build.op<aten::SliceTensorOp>(bounds, 0, 1, none, 1) - begins;
  Int longest = build.intOp<aten::IntTensorOp>(build.op<aten::MaxOp>(lengths));
  Tensor steps = build.op<aten::ArangeOp>(longest, none, none, none, none);
  Tensor step = build.op<aten::UnsqueezeOp>(steps, 0);
  Tensor length = build.op<aten::UnsqueezeOp>(lengths, 1);
  if (atBegin)
    step = build.op<aten::SubScalarOp>(step + length, longest, 1);
  Tensor isThere = build.op<aten::LogicalAndOp>(build.op<aten::GeScalarOp>(step, 0),
                                                build.op<aten::LtTensorOp>(step, length));
  Tensor place = build.op<aten::UnsqueezeOp>(begins, 1) + step;
  Tensor safe = build.op<aten::WhereScalarOtherOp>(isThere, place, 0);
  Tensor flat = build.op<aten::ReshapeOp>(safe, build.ints({-1}));
  Tensor picked = build.op<aten::IndexSelectOp>(rows, 0, flat);
  SmallVector<Int> sizes{sizeOf(lengths, 0), longest};
  for (int64_t dim = 1; dim < rows.info().rank(); ++dim) {
    sizes.push_back(sizeOf(rows, dim));
    isThere = build.op<aten::UnsqueezeOp>(isThere, -1);
  }
  Tensor shaped = build.op<aten::ReshapeOp>(picked, build.list(sizes));
  return build.op<aten::WhereScalarOtherOp>(isThere, shaped, value);
}

/// Of lists that can be packed; nullopt where its sequences do not differ in their length alone.
static std::optional<Tensor> paddedPacked(TensorList sequences, Float value, bool atBegin) {
  GraphBuilder &build = *value.b;
  auto form = packedForm(sequences.v);
  if (!form || form->sizes.empty() || form->dim().value_or(0) != 0)
    return std::nullopt;
  form->sizes[0] = TensorType::kDynamic;
  SmallVector<Value> tensors = packList(build, sequences.v, *form);
  Tensor rows(build, tensors[0]), bounds(build, tensors[1]);
  Value isFilled = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sgt,
                                         sizeOf(bounds, 0).v, build.i(1).v);
  GuardOp::create(build.builder, build.loc, isFilled, "builtins.RuntimeError",
                  "received an empty list of sequences", ValueRange());
  return paddedParts(rows, bounds, value, atBegin);
}

Decomposition paddedSequences(TensorList sequences, Bool batchFirst, Float value, Str side) {
  GraphBuilder &build = *sequences.b;
  if (!batchFirst.known() || (side.known() != "left" && side.known() != "right"))
    return build.notYet("the value of batch_first, and a padding_side of left or right");
  bool atBegin = side.known() == "left";
  std::optional<Tensor> padded;
  auto elements = sequences.elements();
  auto tensors = llvm::map_to_vector(elements.value_or(SmallVector<Value>()),
                                     [&](Value v) { return Tensor(build, v); });
  bool areAlike = !tensors.empty() && llvm::all_of(tensors, [&](Tensor t) {
    return isStatic(t) && t.info().rank() > 0 && t.info().rank() == tensors[0].info().rank() &&
           t.info().dtype() == tensors[0].info().dtype();
  });
  padded = areAlike ? std::optional(paddedEach(tensors, value, atBegin))
                    : paddedPacked(sequences, value, atBegin);
  if (!padded)
    return build.notYet("sequences of one element type that differ in their length alone");
  return *batchFirst.known() ? *padded : Tensor(build.op<aten::TransposeIntOp>(*padded, 0, 1));
}

} // namespace jit

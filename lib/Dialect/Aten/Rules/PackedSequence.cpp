//===- PackedSequence.cpp - sequences of several lengths, packed ----------===//
//
// What packed sequences have of rows and steps, data tell. So a network of sequences that the
// program packed itself is one of the padded sequences with a mask, and is packed again: only where
// something else looks at the rows they are made.
//
//===----------------------------------------------------------------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Recurrent.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Recurrent.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

Type packedRowsOf(TypeRules &infer, TensorInfo input) {
  if (!input.hasRank() || input.rank() < 2)
    return infer.unranked(input.dtype());
  SmallVector<int64_t> sizes = {TensorType::kDynamic};
  llvm::append_range(sizes, input.sizes().drop_front(2));
  return infer.tensor(sizes, input.dtype());
}

/// Which sequences have each step: [steps, batch].
static Tensor maskOf(GraphBuilder &build, int64_t steps, Tensor lengths) {
  Any none = build.none();
  Tensor step = build.op<aten::ArangeOp>(steps, none, none, none, none);
  return build.op<aten::LtTensorOp>(build.op<aten::UnsqueezeOp>(step, 1), lengths);
}

static Int elementAt(Tensor lengths, int64_t at) {
  GraphBuilder &build = *lengths.b;
  return build.intOp<aten::ItemOp>(build.op<aten::SelectIntOp>(lengths, 0, at));
}

static void guardLengths(Tensor lengths, int64_t steps) {
  GraphBuilder &build = *lengths.b;
  int64_t count = lengths.info().size(0);
  auto holds = [&](arith::CmpIPredicate how, Value a, Value c) -> Value {
    return arith::CmpIOp::create(build.builder, build.loc, how, a, c);
  };
  auto guard = [&](Value ok, StringRef message, ValueRange values = {}) {
    GuardOp::create(build.builder, build.loc, ok, "builtins.RuntimeError", message, values);
  };
  Tensor earlier = build.op<aten::SliceTensorOp>(lengths, 0, 0, count - 1, 1);
  Tensor later = build.op<aten::SliceTensorOp>(lengths, 0, 1, count, 1);
  Tensor isSorted = build.op<aten::AllOp>(build.op<aten::GeTensorOp>(earlier, later));
  guard(build.intOp<aten::BoolTensorOp>(isSorted).v,
        "expected lengths in decreasing order, as enforce_sorted is True");
  Int least = elementAt(lengths, count - 1), most = elementAt(lengths, 0);
  guard(holds(arith::CmpIPredicate::sgt, least.v, build.i(0).v),
        "expected lengths of more than 0, got {}", least.v);
  guard(holds(arith::CmpIPredicate::sle, most.v, build.i(steps).v),
        "expected lengths of at most {}, got {}", ValueRange{build.i(steps).v, most.v});
}

Decomposition packed(Tensor input, Tensor lengths, Bool batchFirst) {
  GraphBuilder &build = *input.b;
  TensorInfo of = input.info(), counts = lengths.info();
  bool isKnown = of.hasRank() && of.rank() >= 2 && of.tensor.isStatic() && counts.hasRank() &&
                 counts.rank() == 1 && counts.tensor.isStatic() && batchFirst.known();
  if (!isKnown)
    return build.notYet("the sizes of input and lengths");
  int64_t batch = of.size(*batchFirst.known() ? 0 : 1), steps = of.size(*batchFirst.known());
  if (counts.size(0) != batch || batch == 0)
    return build.notYet("as many lengths as sequences, and one of them");
  guardLengths(lengths, steps);
  Tensor byStep = *batchFirst.known() ? build.op<aten::TransposeIntOp>(input, 0, 1) : input;
  Operation *rows = build.multi<aten::PackedRowsOp>(byStep, lengths);
  return {Tensor(build, rows->getResult(0)), Tensor(build, rows->getResult(1))};
}

Decomposition packedRows(Tensor input, Tensor lengths) {
  GraphBuilder &build = *input.b;
  if (!input.info().hasRank() || !input.info().tensor.isStatic())
    return build.notYet("the sizes of input");
  Tensor mask = maskOf(build, input.info().size(0), lengths);
  Tensor counts = build.op<aten::SumDimIntListOp>(mask, build.ints({1}), false, build.none());
  return {Tensor(build.op<aten::IndexTensorOp>(input, build.list(ArrayRef<Tensor>{mask}))),
          Tensor(build.op<aten::SliceTensorOp>(counts, 0, 0, elementAt(lengths, 0), 1))};
}

/// What the program packed as `data` and `batchSizes`; null for anything else. A network keeps the
/// steps of its input, and packs its outputs by the same lengths.
static aten::PackedRowsOp packedBy(Value data, Value batchSizes) {
  auto rows = data.getDefiningOp<aten::PackedRowsOp>();
  auto steps = batchSizes.getDefiningOp<aten::PackedRowsOp>();
  bool isOne = rows && steps && rows.getData() == data && steps.getBatchSizes() == batchSizes &&
               rows.getLengths() == steps.getLengths() &&
               TensorInfo(rows.getInput()).size(0) == TensorInfo(steps.getInput()).size(0);
  return isOne ? rows : aten::PackedRowsOp();
}

/// The conversions of which `data` is one, the last one first, and what they begin with.
static std::pair<SmallVector<aten::ToDTypeOp>, Value> withoutConversions(Value data) {
  SmallVector<aten::ToDTypeOp> conversions;
  while (auto conversion = data.getDefiningOp<aten::ToDTypeOp>()) {
    conversions.push_back(conversion);
    data = conversion.getSelf();
  }
  return {conversions, data};
}

/// The sequences that `rows` packs, converted as its rows are.
static Tensor inputOf(GraphBuilder &build, aten::PackedRowsOp rows,
                      ArrayRef<aten::ToDTypeOp> conversions) {
  Tensor input(build, rows.getInput());
  for (aten::ToDTypeOp conversion : llvm::reverse(conversions))
    input = build.op<aten::ToDTypeOp>(input, Any(build, conversion.getDtype()), false, false,
                                      build.none());
  return input;
}

/// Whether a length is that of the longest of these sequences: what packed ones have of steps, or
/// -1, which stands for it.
static bool isLongest(Int length, aten::PackedRowsOp rows) {
  auto size = length.v.getDefiningOp<aten::SizeIntOp>();
  auto steps = size ? size.getSelf().getDefiningOp<aten::PackedRowsOp>() : nullptr;
  return steps ? steps.getBatchSizes() == size.getSelf() && steps.getLengths() == rows.getLengths()
               : length.known().value_or(1) <= 0;
}

/// `tensor`, of whose first dimension there is more, less or as much as `length`.
static Tensor ofLength(Tensor tensor, int64_t length, Scalar padding) {
  GraphBuilder &build = *tensor.b;
  int64_t steps = tensor.info().size(0);
  if (length <= steps)
    return build.op<aten::SliceTensorOp>(tensor, 0, 0, length, 1);
  SmallVector<int64_t> sides(2 * tensor.info().rank(), 0);
  sides.back() = length - steps;
  return build.op<aten::ConstantPadNdOp>(tensor, build.ints(sides), padding);
}

Decomposition padded(Tensor data, Tensor batchSizes, Bool batchFirst, Scalar padding, Int length) {
  GraphBuilder &build = *data.b;
  auto [conversions, packed] = withoutConversions(data.v);
  auto rows = packedBy(packed, batchSizes.v);
  if (!rows || !batchFirst.known() || !(isLongest(length, rows) || length.known()))
    return build.notYet("sequences that the program itself has packed");
  Tensor input = inputOf(build, rows, conversions), lengths(build, rows.getLengths());
  Tensor mask = maskOf(build, input.info().size(0), lengths);
  for (int64_t dim = 2; dim < input.info().rank(); ++dim)
    mask = build.op<aten::UnsqueezeOp>(mask, -1);
  Tensor all = build.op<aten::WhereSelfOp>(mask, input, fullLike(input, padding));
  Int longest = elementAt(lengths, 0);
  if (isLongest(length, rows)) {
    all = build.op<aten::SliceTensorOp>(all, 0, 0, longest, 1);
  } else {
    Value isEnough = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sle,
                                           longest.v, length.v);
    GuardOp::create(build.builder, build.loc, isEnough, "builtins.RuntimeError",
                    "expected a total_length of at least {}, got {}",
                    ValueRange{longest.v, length.v});
    all = ofLength(all, *length.known(), padding);
  }
  if (*batchFirst.known())
    all = build.op<aten::TransposeIntOp>(all, 0, 1);
  return {all, lengths};
}

/// A network of sequences that the program packed, as one of the padded sequences.
template <typename MaskedOp, typename OpTy>
static LogicalResult overMask(OpTy op, PatternRewriter &rewriter) {
  auto [conversions, packed] = withoutConversions(op.getData());
  auto rows = packedBy(packed, op.getBatchSizes());
  if (!rows)
    return rewriter.notifyMatchFailure(op, "expected sequences that the program has packed");
  GraphBuilder build{rewriter, op.getLoc()};
  Tensor input = inputOf(build, rows, conversions), lengths(build, rows.getLengths());
  Tensor mask = build.op<aten::UnsqueezeOp>(maskOf(build, input.info().size(0), lengths), 2);
  SmallVector<Value> operands(op->getOperands());
  Operation *network = build.multi<MaskedOp>(input, mask, Any(build, operands[2]),
                                             Any(build, operands[3]), Any(build, operands[4]),
                                             Any(build, operands[5]), Any(build, operands[6]),
                                             Any(build, operands[7]), Any(build, operands[8]));
  SmallVector<Value> results(network->getResults());
  results[0] = build.multi<aten::PackedRowsOp>(Tensor(build, results[0]), lengths)->getResult(0);
  if (build.failed)
    return failure();
  for (auto [result, old] : llvm::zip(results, op->getResults()))
    result = castTo(rewriter, op.getLoc(), result, old.getType());
  rewriter.replaceOp(op, results);
  return success();
}

namespace aten {

LogicalResult LstmDataOp::canonicalize(LstmDataOp op, PatternRewriter &rewriter) {
  return overMask<LstmMaskedOp>(op, rewriter);
}
LogicalResult GruDataOp::canonicalize(GruDataOp op, PatternRewriter &rewriter) {
  return overMask<GruMaskedOp>(op, rewriter);
}
LogicalResult RnnTanhDataOp::canonicalize(RnnTanhDataOp op, PatternRewriter &rewriter) {
  return overMask<RnnTanhMaskedOp>(op, rewriter);
}
LogicalResult RnnReluDataOp::canonicalize(RnnReluDataOp op, PatternRewriter &rewriter) {
  return overMask<RnnReluMaskedOp>(op, rewriter);
}

} // namespace aten
} // namespace jit

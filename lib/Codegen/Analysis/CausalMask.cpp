//===- CausalMask.cpp - which keys a query cannot see ---------------------===//
//
// A mask is a buffer of bools, from ops that compare numbers of rows and columns, which may be in
// buffers themselves. An element is followed through what wrote it, in terms of the score's place.
//
//===----------------------------------------------------------------------===//
#include "Analysis/CausalMask.h"
#include "Analysis/BufferRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
/// row * query + column * key + constant.
struct Linear {
  int64_t row = 0, column = 0, constant = 0;
};

/// An op at the point of a score; what is not known of it is null.
struct Point {
  linalg::LinalgOp op;
  SmallVector<std::optional<Linear>> places;
};

/// A value that an op yields at a point.
struct Yielded {
  Point point;
  Value value;
};

/// Follows elements of one mask; gives up on long ways.
class Tracer {
public:
  /// A number c such that key - query <= c wherever the bool is `expected`.
  std::optional<int64_t> bound(const Point &at, Value condition, bool expected);
  /// The same wherever `score` is above minus infinity.
  std::optional<int64_t> boundOfScore(const Point &at, Value score);
  /// Whether the bool that was followed is `expected` wherever key - query <= c, too.
  bool isExact() const { return !hasPairs; }

private:
  std::optional<int64_t> boundOfComparison(const Point &at, arith::CmpIOp compare, bool expected);
  /// Of two bools of which one is `expected`, or both are.
  std::optional<int64_t> boundOfPair(const Point &at, Operation *pair, bool expected, bool isBoth);
  std::optional<Linear> numberOf(const Point &at, Value number);
  std::optional<Yielded> follow(const Point &at, Value element);

  unsigned stepsLeft = 64;
  bool hasPairs = false;
};
} // namespace

static std::optional<Linear> evaluate(AffineExpr expr, ArrayRef<std::optional<Linear>> places) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return places[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Linear{0, 0, constant.getValue()};
  return std::nullopt;
}

/// The op that wrote the memory of `buffer` before `reader`, where nothing else may have since.
static linalg::LinalgOp writerOf(Operation *reader, Value buffer) {
  Value root = jit::codegen::viewedBuffer(buffer);
  if (!jit::codegen::isDistinctRoot(root) || jit::codegen::reshapeSource(buffer) != root)
    return nullptr;
  for (Operation *op = reader->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!jit::codegen::hasKnownMemory(op))
      return nullptr;
    if (jit::codegen::writes(op, root))
      return dyn_cast<linalg::LinalgOp>(op);
  }
  return nullptr;
}

static SmallVector<int64_t> realSizes(Value buffer) {
  return SmallVector<int64_t>(llvm::make_filter_range(cast<MemRefType>(buffer.getType()).getShape(),
                                                      [](int64_t size) { return size != 1; }));
}

/// The writer's point whose element of `init` has these coordinates in sizes other than 1.
static std::optional<Point> pointOf(linalg::LinalgOp writer, OpOperand &init,
                                    ArrayRef<std::optional<Linear>> coordinates) {
  AffineMap map = writer.getMatchingIndexingMap(&init);
  Value root = jit::codegen::viewedBuffer(init.get());
  if (jit::codegen::reshapeSource(init.get()) != root || !map.isProjectedPermutation())
    return std::nullopt;
  Point point{writer, SmallVector<std::optional<Linear>>(writer.getNumLoops())};
  for (auto [expr, size] :
       llvm::zip(map.getResults(), cast<MemRefType>(init.get().getType()).getShape())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    point.places[dim] = size == 1 ? Linear() : coordinates.front();
    coordinates = coordinates.drop_front(size != 1);
  }
  return point;
}

/// What another op had yielded for the element of an operand.
std::optional<Yielded> Tracer::follow(const Point &at, Value element) {
  auto argument = dyn_cast<BlockArgument>(element);
  if (!argument || argument.getOwner() != linalg::LinalgOp(at.op).getBlock() || stepsLeft == 0)
    return std::nullopt;
  --stepsLeft;
  linalg::LinalgOp reader = at.op;
  OpOperand &operand = reader->getOpOperand(argument.getArgNumber());
  if (!isa<MemRefType>(operand.get().getType()))
    return std::nullopt;
  linalg::LinalgOp writer = writerOf(reader, operand.get());
  if (!writer || writer.getNumReductionLoops() > 0)
    return std::nullopt;
  SmallVector<std::optional<Linear>> coordinates;
  for (auto [expr, size] : llvm::zip(reader.getMatchingIndexingMap(&operand).getResults(),
                                     cast<MemRefType>(operand.get().getType()).getShape()))
    if (size != 1)
      coordinates.push_back(evaluate(expr, at.places));
  for (auto [number, init] : llvm::enumerate(writer.getDpsInitsMutable())) {
    if (jit::codegen::viewedBuffer(init.get()) != jit::codegen::viewedBuffer(operand.get()))
      continue;
    if (realSizes(init.get()) != realSizes(operand.get()))
      return std::nullopt;
    std::optional<Point> point = pointOf(writer, init, coordinates);
    Value value = writer.getBlock()->getTerminator()->getOperand(static_cast<unsigned>(number));
    return point ? std::optional(Yielded{*point, value}) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Linear> Tracer::numberOf(const Point &at, Value number) {
  if (auto constant = getConstantIntValue(number))
    return Linear{0, 0, *constant};
  if (std::optional<Yielded> from = follow(at, number))
    return numberOf(from->point, from->value);
  Operation *op = number.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(op))
    return at.places[index.getDim()];
  if (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op))
    return numberOf(at, op->getOperand(0));
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto left = numberOf(at, op->getOperand(0)), right = numberOf(at, op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
  return Linear{left->row + sign * right->row, left->column + sign * right->column,
                left->constant + sign * right->constant};
}

std::optional<int64_t> Tracer::boundOfComparison(const Point &at, arith::CmpIOp compare,
                                                 bool expected) {
  using Predicate = arith::CmpIPredicate;
  auto left = numberOf(at, compare.getLhs()), right = numberOf(at, compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  Predicate predicate =
      expected ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  // As smaller <= larger, or smaller < larger.
  bool isSwapped = predicate == Predicate::sgt || predicate == Predicate::sge;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (!isSwapped && !isStrict && predicate != Predicate::sle)
    return std::nullopt;
  Linear smaller = isSwapped ? *right : *left, larger = isSwapped ? *left : *right;
  bool isOfKeys = smaller.column - larger.column == 1 && smaller.row - larger.row == -1;
  if (!isOfKeys)
    return std::nullopt;
  return larger.constant - smaller.constant - (isStrict ? 1 : 0);
}

std::optional<int64_t> Tracer::boundOfPair(const Point &at, Operation *pair, bool expected,
                                           bool isBoth) {
  hasPairs = true;
  auto left = bound(at, pair->getOperand(0), expected);
  auto right = bound(at, pair->getOperand(1), expected);
  if (isBoth)
    return left && right ? std::min(left, right) : left ? left : right;
  return left && right ? std::max(left, right) : std::nullopt;
}

std::optional<int64_t> Tracer::bound(const Point &at, Value condition, bool expected) {
  if (std::optional<Yielded> from = follow(at, condition))
    return bound(from->point, from->value, expected);
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return boundOfComparison(at, compare, expected);
  if (isa_and_nonnull<arith::AndIOp>(op))
    return boundOfPair(at, op, expected, /*isBoth=*/expected);
  if (isa_and_nonnull<arith::OrIOp>(op))
    return boundOfPair(at, op, expected, /*isBoth=*/!expected);
  if (isa_and_nonnull<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
    return bound(at, op->getOperand(0), !expected);
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(op)) {
    bool isSame = matchPattern(choice.getTrueValue(), m_One()) &&
                  matchPattern(choice.getFalseValue(), m_Zero());
    bool isOpposite = matchPattern(choice.getTrueValue(), m_Zero()) &&
                      matchPattern(choice.getFalseValue(), m_One());
    if (isSame || isOpposite)
      return bound(at, choice.getCondition(), expected == isSame);
  }
  return std::nullopt;
}

bool jit::codegen::isHiddenScore(Value score) {
  Operation *op = score.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(op))
    return isHiddenScore(op->getOperand(0));
  if (isa_and_nonnull<arith::AddFOp>(op))
    return llvm::any_of(op->getOperands(), isHiddenScore);
  llvm::APFloat number(0.0);
  return matchPattern(score, m_ConstantFloat(&number)) && number.isInfinity() &&
         number.isNegative();
}

std::optional<int64_t> Tracer::boundOfScore(const Point &at, Value score) {
  Operation *op = score.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(op))
    return boundOfScore(at, op->getOperand(0));
  auto choice = dyn_cast_or_null<arith::SelectOp>(op);
  if (!choice)
    return std::nullopt;
  if (jit::codegen::isHiddenScore(choice.getFalseValue()))
    return bound(at, choice.getCondition(), /*expected=*/true);
  if (jit::codegen::isHiddenScore(choice.getTrueValue()))
    return bound(at, choice.getCondition(), /*expected=*/false);
  return std::nullopt;
}

std::optional<jit::codegen::CausalBound> jit::codegen::findCausalBound(const Attention &attention) {
  const ProductShape &shape = attention.scores.shape;
  auto isLine = [](const Side &side) {
    return llvm::count_if(side.sizes, [](int64_t size) { return size != 1; }) == 1;
  };
  if (!isLine(shape.rows) || !isLine(shape.columns))
    return std::nullopt;
  for (linalg::LinalgOp op : llvm::reverse(attention.scores.epilogue))
    for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      if (viewedBuffer(init.get()) != attention.scored)
        continue;
      // The op goes over batches, rows and columns, in this order.
      SmallVector<unsigned> dims;
      for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
        if (size != 1)
          dims.push_back(static_cast<unsigned>(dim));
      if (dims.size() < 2)
        return std::nullopt;
      Point point{op, SmallVector<std::optional<Linear>>(op.getNumLoops())};
      point.places[dims.back()] = Linear{0, 1, 0};
      point.places[dims[dims.size() - 2]] = Linear{1, 0, 0};
      Value score = op.getBlock()->getTerminator()->getOperand(static_cast<unsigned>(number));
      Tracer tracer;
      std::optional<int64_t> bound = tracer.boundOfScore(point, score);
      return bound ? std::optional(CausalBound{*bound, tracer.isExact()}) : std::nullopt;
    }
  return std::nullopt;
}

//===- Attention.cpp - products with a softmax between them ---------------===//
//
// What a buffer has is followed from op to op: scores, their maximum, the exponentials of what they
// are below it, the sum of these, and the shares that the second product takes of its rows.
// Conversions between floats count for nothing here: one kernel rounds less often.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Attention.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/CausalMask.h"
#include "Analysis/RearrangedCopies.h"
#include "Analysis/RowChains.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::codegen::Attention, jit::codegen::ProductGroup, jit::codegen::Reach;

/// Products of fewer rows or columns leave most of a tensor core's matrix empty.
static constexpr int64_t smallSide = 16;

SmallVector<linalg::LinalgOp> Attention::ops() const {
  SmallVector<linalg::LinalgOp> all = scores.ops();
  llvm::append_range(all, rows);
  llvm::append_range(all, output.ops());
  llvm::sort(all, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return all;
}

/// Of a block, by their products.
using Groups = llvm::DenseMap<Operation *, const ProductGroup *>;

namespace {
/// What a buffer has.
enum class Content { Score, Maximum, Exponential, Sum, IsEmpty, Share };

class Matcher {
public:
  Matcher(const ProductGroup &scores, const jit::codegen::Extents &extents)
      : space{&extents,
              {scores.shape.batch.count * scores.shape.rows.count, {}},
              {scores.shape.columns.count, {}}} {
    attention.scores = scores;
  }

  /// Takes in what follows, up to one of the products of `groups`.
  std::optional<Attention> match(const Groups &groups);

private:
  /// What a value of an op's body is an element of.
  struct Source {
    Content content;
    Value root;
  };

  bool startsWithScores();
  /// False for an op that has to do with what is followed and is no part of a softmax.
  bool takes(linalg::LinalgOp op);
  bool takesReduction(linalg::LinalgOp op);
  bool takesElements(linalg::LinalgOp op);
  bool touches(linalg::LinalgOp op);
  bool isEnd(const ProductGroup &group);
  bool keepsApart(ArrayRef<linalg::LinalgOp> members);
  std::optional<Source> sourceOf(linalg::LinalgOp op, Value element);
  std::optional<Content> contentOf(linalg::LinalgOp op, Value result);
  bool isExponential(linalg::LinalgOp op, Operation *exp);
  std::optional<Content> shareOf(linalg::LinalgOp op, Value result);
  void write(linalg::LinalgOp op, Value root, Content content);

  jit::codegen::RowSpace space;
  Attention attention;
  llvm::SmallDenseMap<Value, Content> contents;
  /// Of which scores a maximum is, and what buffers were filled with.
  llvm::SmallDenseMap<Value, Value> scoresOf;
  llvm::SmallDenseMap<Value, linalg::FillOp> fills;
};
} // namespace

/// The value before conversions from float to float.
static Value unconverted(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static bool isMinusInfinity(Value value) {
  llvm::APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isInfinity() &&
         number.isNegative();
}

static bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

static Value yieldedOf(linalg::LinalgOp op, unsigned result) {
  return op.getBlock()->getTerminator()->getOperand(result);
}

/// True if the operand's elements in memory are the points of these sides, in order.
static bool walks(linalg::LinalgOp op, OpOperand &operand,
                  ArrayRef<const jit::codegen::Side *> sides) {
  auto type = cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type.getLayout().isIdentity() || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  SmallVector<unsigned> expected, found;
  for (const jit::codegen::Side *side : sides)
    for (auto [dim, size] : llvm::zip_equal(side->dims, side->sizes))
      if (size != 1)
        expected.push_back(dim);
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && size != 1)
      found.push_back(dim.getPosition());
  return expected == found;
}

/// True for the whole of a buffer that the function allocates.
static bool isWholeBuffer(Value buffer) {
  Value root = jit::codegen::viewedBuffer(buffer);
  return jit::codegen::reshapeSource(buffer) == root && root.getDefiningOp<memref::AllocOp>();
}

bool Matcher::startsWithScores() {
  ProductGroup &scores = attention.scores;
  OpOperand &sums = *scores.product.getDpsInitOperand(0);
  if (!jit::codegen::isProductOfHalves(scores.product) || !scores.start ||
      !isWholeBuffer(sums.get()) ||
      !walks(scores.product, sums,
             {&scores.shape.batch, &scores.shape.rows, &scores.shape.columns}))
    return false;
  contents[jit::codegen::viewedBuffer(sums.get())] = Content::Score;
  for (linalg::LinalgOp op : scores.epilogue)
    for (Value init : op.getDpsInits())
      contents[jit::codegen::viewedBuffer(init)] = Content::Score;
  return true;
}

std::optional<Matcher::Source> Matcher::sourceOf(linalg::LinalgOp op, Value element) {
  auto argument = dyn_cast<BlockArgument>(unconverted(element));
  if (!argument || argument.getOwner() != op.getBlock())
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (!isa<MemRefType>(operand.get().getType()) || !isWholeBuffer(operand.get()))
    return std::nullopt;
  Value root = jit::codegen::viewedBuffer(operand.get());
  auto found = contents.find(root);
  if (found == contents.end())
    return std::nullopt;
  bool isOfRow = found->second == Content::Maximum || found->second == Content::Sum ||
                 found->second == Content::IsEmpty;
  if (jit::codegen::reachOf(op, operand, space) != (isOfRow ? Reach::Row : Reach::Element))
    return std::nullopt;
  return Source{found->second, root};
}

/// The buffer that has the same numbers as `root`: an op of the epilogue may give halves, and
/// floats of these.
static Value sameNumbers(ArrayRef<linalg::LinalgOp> epilogue, Value root) {
  for (linalg::LinalgOp op : llvm::reverse(epilogue)) {
    SmallVector<Value> roots;
    for (Value init : op.getDpsInits())
      roots.push_back(jit::codegen::viewedBuffer(init));
    auto found = llvm::find(roots, root);
    if (found == roots.end())
      continue;
    Value half = yieldedOf(op, static_cast<unsigned>(found - roots.begin()));
    for (auto [i, other] : llvm::enumerate(roots)) {
      auto wider = yieldedOf(op, static_cast<unsigned>(i)).getDefiningOp<arith::ExtFOp>();
      if (wider && wider.getIn() == half)
        return other;
    }
    break;
  }
  return root;
}

/// True for the exponential of what a score is below its row's maximum.
bool Matcher::isExponential(linalg::LinalgOp op, Operation *exp) {
  auto difference = unconverted(exp->getOperand(0)).getDefiningOp<arith::SubFOp>();
  if (!difference)
    return false;
  auto score = sourceOf(op, difference.getLhs()), maximum = sourceOf(op, difference.getRhs());
  if (!score || !maximum || score->content != Content::Score ||
      maximum->content != Content::Maximum)
    return false;
  Value scored = sameNumbers(attention.scores.epilogue, score->root);
  if ((attention.scored && attention.scored != scored) || scoresOf.lookup(maximum->root) != scored)
    return false;
  attention.scored = scored;
  return true;
}

/// Quotients of exponentials and their sum, zero in rows that are empty.
std::optional<Content> Matcher::shareOf(linalg::LinalgOp op, Value result) {
  bool emptyIsZero = false;
  if (auto choice = result.getDefiningOp<arith::SelectOp>()) {
    auto condition = sourceOf(op, choice.getCondition());
    if (!condition || condition->content != Content::IsEmpty || !isZero(choice.getTrueValue()))
      return std::nullopt;
    emptyIsZero = true;
    result = unconverted(choice.getFalseValue());
  }
  auto quotient = result.getDefiningOp<arith::DivFOp>();
  if (!quotient)
    return std::nullopt;
  auto part = sourceOf(op, quotient.getLhs()), whole = sourceOf(op, quotient.getRhs());
  if (!part || !whole || part->content != Content::Exponential || whole->content != Content::Sum)
    return std::nullopt;
  attention.emptyIsZero = emptyIsZero;
  return Content::Share;
}

/// What an elementwise op gives, if it is a step of a softmax.
std::optional<Content> Matcher::contentOf(linalg::LinalgOp op, Value result) {
  result = unconverted(result);
  Operation *def = result.getDefiningOp();
  if (isa_and_nonnull<math::ExpOp>(def))
    return isExponential(op, def) ? std::optional(Content::Exponential) : std::nullopt;
  if (auto comparison = dyn_cast_or_null<arith::CmpFOp>(def)) {
    auto maximum = sourceOf(op, comparison.getLhs());
    bool isTest = comparison.getPredicate() == arith::CmpFPredicate::OEQ &&
                  isMinusInfinity(comparison.getRhs()) && maximum &&
                  maximum->content == Content::Maximum && attention.scored &&
                  scoresOf.lookup(maximum->root) == attention.scored;
    return isTest ? std::optional(Content::IsEmpty) : std::nullopt;
  }
  return shareOf(op, result);
}

void Matcher::write(linalg::LinalgOp op, Value root, Content content) {
  contents[root] = content;
  if (!llvm::is_contained(attention.rows, op))
    attention.rows.push_back(op);
}

/// Maxima of scores and sums of exponentials.
bool Matcher::takesReduction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return false;
  OpOperand &init = *op.getDpsInitOperand(0);
  Value root = jit::codegen::viewedBuffer(init.get());
  Operation *combiner = yieldedOf(op, 0).getDefiningOp();
  linalg::FillOp fill = fills.lookup(root);
  if (!combiner || combiner->getNumOperands() != 2 || !fill || !isWholeBuffer(init.get()) ||
      jit::codegen::reachOf(op, init, space) != Reach::Row)
    return false;
  Value old = op.getRegionOutputArgs().front();
  Value other = combiner->getOperand(combiner->getOperand(0) == old ? 1 : 0);
  auto source = sourceOf(op, other);
  if (!llvm::is_contained(combiner->getOperands(), old) || !source)
    return false;
  Value start = fill.getInputs().front();
  bool isMaximum = isa<arith::MaximumFOp>(combiner) && source->content == Content::Score &&
                   isMinusInfinity(start);
  bool isSum =
      isa<arith::AddFOp>(combiner) && source->content == Content::Exponential && isZero(start);
  if (!isMaximum && !isSum)
    return false;
  attention.rows.push_back(cast<linalg::LinalgOp>(fill.getOperation()));
  fills.erase(root);
  write(op, root, isMaximum ? Content::Maximum : Content::Sum);
  if (isMaximum)
    scoresOf[root] = sameNumbers(attention.scores.epilogue, source->root);
  return true;
}

bool Matcher::takesElements(linalg::LinalgOp op) {
  if (op.hasIndexSemantics() || op.getNumDpsInits() != 1)
    return false;
  OpOperand &init = *op.getDpsInitOperand(0);
  std::optional<Content> content = contentOf(op, yieldedOf(op, 0));
  if (!content || !isWholeBuffer(init.get()))
    return false;
  Reach reach = *content == Content::IsEmpty ? Reach::Row : Reach::Element;
  if (jit::codegen::reachOf(op, init, space) != reach)
    return false;
  write(op, jit::codegen::viewedBuffer(init.get()), *content);
  return true;
}

bool Matcher::touches(linalg::LinalgOp op) {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    return isa<MemRefType>(value.getType()) && contents.contains(jit::codegen::viewedBuffer(value));
  });
}

bool Matcher::takes(linalg::LinalgOp op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation())) {
    Value root = jit::codegen::viewedBuffer(fill.getOutputs().front());
    if (contents.contains(root))
      return false;
    fills[root] = fill;
    return true;
  }
  if (!touches(op))
    return true;
  return op.getNumReductionLoops() > 0 ? takesReduction(op) : takesElements(op);
}

/// True for the product of the shares with something else.
bool Matcher::isEnd(const ProductGroup &group) {
  const jit::codegen::ProductShape &first = attention.scores.shape, &second = group.shape;
  OpOperand &shares = *linalg::LinalgOp(group.product).getDpsInputOperand(0);
  Value root = jit::codegen::viewedBuffer(shares.get());
  auto found = contents.find(root);
  return found != contents.end() && found->second == Content::Share && group.start &&
         isWholeBuffer(shares.get()) && jit::codegen::isProductOfHalves(group.product) &&
         second.batch.count == first.batch.count && second.rows.count == first.rows.count &&
         second.depth.count == first.columns.count &&
         walks(group.product, shares, {&second.batch, &second.rows, &second.depth});
}

static SmallVector<Value> buffersOf(linalg::LinalgOp op) {
  SmallVector<Value> roots;
  for (Value value : op->getOperands())
    if (isa<MemRefType>(value.getType()))
      roots.push_back(jit::codegen::viewedBuffer(value));
  return roots;
}

/// Nobody else has what is between the two products, and blocks of the kernel write nothing that
/// others of it still read.
bool Matcher::keepsApart(ArrayRef<linalg::LinalgOp> members) {
  SmallVector<linalg::LinalgOp> ends = attention.output.ops();
  llvm::SmallDenseSet<Value> written;
  for (linalg::LinalgOp op : ends)
    for (Value init : op.getDpsInits())
      written.insert(jit::codegen::viewedBuffer(init));
  for (linalg::LinalgOp op : members) {
    bool isEnd = llvm::is_contained(ends, op), isProduct = op == attention.output.product;
    for (auto [i, root] : llvm::enumerate(buffersOf(op))) {
      bool isShare = isProduct && i == 0;
      if (isEnd ? contents.contains(root) && !isShare : written.contains(root))
        return false;
    }
  }
  return llvm::none_of(contents, [&](const auto &known) {
    return jit::codegen::isUsedOutside(known.first, members);
  });
}

/// All ops go to the place of the last one: nothing may change what they read meanwhile.
static bool mayMove(ArrayRef<linalg::LinalgOp> members) {
  SmallVector<Operation *> passed;
  for (Operation *op = members.front(); op != members.back(); op = op->getNextNode()) {
    if (llvm::is_contained(members, dyn_cast<linalg::LinalgOp>(op)))
      passed.push_back(op);
    else if (!jit::codegen::isAside(op) &&
             (!jit::codegen::hasKnownMemory(op) || llvm::any_of(passed, [&](Operation *before) {
               return jit::codegen::conflict(op, before);
             })))
      return false;
  }
  return true;
}

std::optional<Attention> Matcher::match(const Groups &groups) {
  if (!startsWithScores())
    return std::nullopt;
  for (Operation *next = attention.scores.product->getNextNode(); next;
       next = next->getNextNode()) {
    auto op = dyn_cast<linalg::LinalgOp>(next);
    if (jit::codegen::isAside(next) || (op && llvm::is_contained(attention.scores.epilogue, op)))
      continue;
    if (!jit::codegen::hasKnownMemory(next))
      return std::nullopt;
    const ProductGroup *end = groups.lookup(next);
    if (end && isEnd(*end)) {
      attention.output = *end;
      for (linalg::LinalgOp product : {attention.scores.product, attention.output.product})
        if (auto generic = dyn_cast<linalg::GenericOp>(product.getOperation()))
          llvm::append_range(attention.copies, jit::codegen::readOriginals(generic));
      attention.causal = jit::codegen::findCausalBound(attention);
      SmallVector<linalg::LinalgOp> members = attention.ops();
      return keepsApart(members) && mayMove(members) ? std::optional(attention) : std::nullopt;
    }
    if (op && !takes(op))
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<Attention> jit::codegen::findAttentions(Block &block) {
  std::vector<ProductGroup> groups = findProductGroups(block, smallSide);
  Extents extents(block);
  Groups byProduct;
  for (ProductGroup &group : groups)
    byProduct[group.product] = &group;
  std::vector<Attention> found;
  llvm::SmallDenseSet<Operation *> ends;
  for (ProductGroup &group : groups) {
    auto attention =
        ends.contains(group.product) ? std::nullopt : Matcher(group, extents).match(byProduct);
    if (!attention)
      continue;
    ends.insert(attention->output.product);
    found.push_back(std::move(*attention));
  }
  return found;
}

//===- SinkSums.cpp - sums over trips become one product or reduction -----===//

#include "LoopSums.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Simplify/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITSINKSUMS
#include "jit/Simplify/Passes.h.inc"

namespace {

/// Something that the loop carries from now on: the values of `value` in all trips, stacked from
/// the first or from the last on, or their sum.
struct NewCarried {
  enum Kind { Forward, Backward, Sum } kind;
  Value value;
};

/// A sum that leaves the loop.
struct SunkProduct {
  Summand summand;
  ProductSummand product;
  TripStack left, right;
};
struct SunkReduction {
  Summand summand;
  ReducedSummand reduced;
  std::optional<TripStack> stack; // of the tensors; none: the loop carries their sum
  unsigned sum = 0;               // the result that is it
};

class SumSinker {
public:
  SumSinker(scf::ForOp loop, int64_t trips, int64_t maxBytes)
      : loop(loop), trips(trips), maxBytes(maxBytes), oldCount(loop.getNumResults()) {}

  void run() {
    for (const Summand &summand : findSummands(loop))
      if (auto product = matchProductSummand(loop, summand))
        plan(summand, *product);
    // Reductions take the stacks that products need.
    for (const Summand &summand : findSummands(loop))
      if (auto reduced = matchReducedSummand(loop, summand))
        plan(summand, *reduced);
    extendLoop();
    takeOut();
    addTotals();
  }

private:
  //===--------------------------------------------------------------------===//
  // Plan
  //===--------------------------------------------------------------------===//

  /// The stack that there is, or that is planned.
  std::optional<TripStack> findStack(Value value) {
    if (auto stack = findTripStack(loop, value))
      return stack;
    for (auto [i, c] : llvm::enumerate(added))
      if (c.value == value && c.kind != NewCarried::Sum)
        return stackOf(c, oldCount + i);
    return std::nullopt;
  }

  TripStack stackOf(const NewCarried &c, unsigned result) {
    bool isBackward = c.kind == NewCarried::Backward;
    IndexWalk walk{isBackward ? trips - 1 : 0, isBackward ? -1 : 1, trips};
    return {.outside = Value(), .result = result, .dim = 0, .walk = walk};
  }

  unsigned add(NewCarried::Kind kind, Value value) {
    added.push_back({kind, value});
    return oldCount + added.size() - 1;
  }

  void plan(const Summand &summand, const ProductSummand &product) {
    int64_t elements = 0, bytes = 0;
    for (Value part : {product.left, product.right}) {
      if (findStack(part))
        continue;
      if (loop.isDefinedOutsideOfLoop(part))
        return;
      elements += elementsOf(staticType(part));
      bytes += trips * bytesOf(staticType(part));
    }
    if (elements > elementsOf(staticType(summand.value)) || bytes > maxBytes)
      return;
    auto left = findStack(product.left), right = findStack(product.right);
    // A new stack runs in the direction of the other one.
    bool isBackward = (left && left->walk.isBackward()) || (right && right->walk.isBackward());
    auto kind = isBackward ? NewCarried::Backward : NewCarried::Forward;
    for (auto [stack, part] : {std::pair(&left, product.left), std::pair(&right, product.right)})
      if (!(*stack = findStack(part)))
        *stack = stackOf({kind, part}, add(kind, part));
    products.push_back({summand, product, *left, *right});
  }

  void plan(const Summand &summand, const ReducedSummand &reduced) {
    auto stack = findStack(reduced.tensor);
    reductions.push_back({summand, reduced, stack, 0});
    if (stack)
      return;
    for (auto [i, c] : llvm::enumerate(added))
      if (c.value == reduced.tensor) // a sum: stacks were looked for
        reductions.back().sum = oldCount + i;
    if (reductions.back().sum == 0)
      reductions.back().sum = add(NewCarried::Sum, reduced.tensor);
  }

  //===--------------------------------------------------------------------===//
  // Rewrite
  //===--------------------------------------------------------------------===//

  Value initialOf(GraphBuilder &build, const NewCarried &c) {
    TensorType type = staticType(c.value);
    if (c.kind == NewCarried::Sum)
      return build
          .op<aten::ZerosOp>(build.ints(type.getSizes()), int64_t(*typeToDtype(type.getDtype())),
                             build.none(), build.none(), build.none())
          .v;
    SmallVector<int64_t> sizes = {trips};
    llvm::append_range(sizes, type.getSizes());
    auto stack = TensorType::get(type.getContext(), ArrayRef<int64_t>(sizes), type.getDtype());
    return PoisonOp::create(build.builder, build.loc, stack);
  }

  Int tripNumber(GraphBuilder &build) {
    Int counter(build, loop.getInductionVar());
    if (int64_t lower = *IntInfo(loop.getLowerBound()).known)
      counter = counter - build.i(lower);
    int64_t step = *IntInfo(loop.getStep()).known;
    if (step == 1)
      return counter;
    Value by = build.i(step).v;
    return {build, arith::DivSIOp::create(build.builder, build.loc, counter.v, by)};
  }

  Value nextOf(GraphBuilder &build, const NewCarried &c, Value argument, Int trip) {
    Tensor carried(build, argument), value(build, c.value);
    if (c.kind == NewCarried::Sum)
      return (carried + value).v;
    Int place = c.kind == NewCarried::Backward ? build.i(trips - 1) - trip : trip;
    return build.op<aten::SelectScatterOp>(carried, value, 0, place).v;
  }

  void extendLoop() {
    if (added.empty())
      return;
    OpBuilder before(loop);
    GraphBuilder outside{before, loop.getLoc()};
    auto inits =
        llvm::map_to_vector(added, [&](const NewCarried &c) { return initialOf(outside, c); });
    OpBuilder end(loop.getBody()->getTerminator());
    GraphBuilder inside{end, loop.getLoc()};
    Int trip = tripNumber(inside);
    auto yields = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
      GraphBuilder build{b, loc};
      SmallVector<Value> values;
      for (auto [c, argument] : llvm::zip(added, arguments))
        values.push_back(nextOf(build, c, argument, {build, trip.v}));
      return values;
    };
    DenseMap<Value, unsigned> numbers;
    for (BlockArgument argument : loop.getBody()->getArguments())
      numbers[argument] = argument.getArgNumber();
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(loop);
    auto wider = loop.replaceWithAdditionalYields(rewriter, inits,
                                                  /*replaceInitOperandUsesInLoop=*/false, yields);
    loop = cast<scf::ForOp>(*wider);
    renameArguments(numbers);
  }

  /// What was an argument of the loop's body, by its number, is one of the wider loop's.
  void renameArguments(const DenseMap<Value, unsigned> &numbers) {
    auto rename = [&](Value &value) {
      if (auto known = numbers.find(value); known != numbers.end())
        value = loop.getBody()->getArgument(known->second);
    };
    for (SunkProduct &sunk : products) {
      rename(sunk.product.left);
      rename(sunk.product.right);
    }
    for (SunkReduction &sunk : reductions)
      rename(sunk.reduced.tensor);
  }

  /// The loop no longer adds what is added after it.
  void takeOut() {
    auto take = [&](const Summand &summand) {
      aten::AddTensorOp add = summand.add;
      Value rest = add.getSelf() == summand.value ? add.getOther() : add.getSelf();
      add.replaceAllUsesWith(rest);
      add.erase();
    };
    for (const SunkProduct &sunk : products)
      take(sunk.summand);
    for (const SunkReduction &sunk : reductions)
      take(sunk.summand);
  }

  void addTotals() {
    OpBuilder after(loop.getContext());
    after.setInsertionPointAfter(loop);
    GraphBuilder build{after, loop.getLoc()};
    llvm::MapVector<unsigned, SmallVector<Tensor>> totals;
    for (const SunkProduct &sunk : products)
      totals[sunk.summand.carried].push_back(totalOf(build, sunk));
    for (const SunkReduction &sunk : reductions)
      totals[sunk.summand.carried].push_back(totalOf(build, sunk));
    for (auto &[number, summands] : totals) {
      Value rest = loop.getResult(number);
      bool isUnchanged = loop.getYieldedValues()[number] == loop.getRegionIterArg(number);
      if (isUnchanged)
        rest = loop.getInitArgs()[number];
      SmallVector<Operation *> users(loop.getResult(number).getUsers());
      Tensor sum = splatOf(rest) == 0.0 ? summands.front() : Tensor(build, rest) + summands.front();
      for (Tensor summand : ArrayRef(summands).drop_front())
        sum = sum + summand;
      for (Operation *user : users)
        user->replaceUsesOfWith(loop.getResult(number), sum.v);
    }
  }

  /// All rows of all trips under each other.
  Tensor rowsOf(GraphBuilder &build, const TripStack &stack, Value part, int64_t rows) {
    int64_t columns = elementsOf(staticType(part)) / rows;
    return viewed(buildTripStack(build, loop, stack), {trips * rows, columns});
  }

  Tensor totalOf(GraphBuilder &build, const SunkProduct &sunk) {
    Tensor left = rowsOf(build, sunk.left, sunk.product.left, sunk.product.rows);
    Tensor right = buildTripStack(build, loop, sunk.right);
    if (sunk.left.walk.isBackward() != sunk.right.walk.isBackward())
      right = build.op<aten::FlipOp>(right, build.ints({0}));
    int64_t columns = elementsOf(staticType(sunk.product.right)) / sunk.product.rows;
    right = viewed(right, {trips * sunk.product.rows, columns});
    return build.op<aten::MmOp>(build.op<aten::TransposeIntOp>(left, 0, 1), right);
  }

  Tensor totalOf(GraphBuilder &build, const SunkReduction &sunk) {
    TensorType from = staticType(sunk.reduced.tensor);
    SmallVector<int64_t> sizes(from.getSizes()), dims(sunk.reduced.dims);
    Tensor tensor(build, loop.getResult(sunk.sum));
    if (sunk.stack) {
      tensor = buildTripStack(build, loop, *sunk.stack);
      sizes.insert(sizes.begin(), trips);
      for (int64_t &dim : dims)
        ++dim;
      dims.insert(dims.begin(), 0);
    }
    tensor = viewed(tensor, sizes);
    if (!dims.empty())
      tensor = build.op<aten::SumDimIntListOp>(tensor, build.ints(dims), false, build.none());
    return viewed(tensor, staticType(loop.getResult(sunk.summand.carried)).getSizes());
  }

  scf::ForOp loop;
  int64_t trips, maxBytes;
  unsigned oldCount;
  SmallVector<NewCarried> added;
  SmallVector<SunkProduct> products;
  SmallVector<SunkReduction> reductions;
};

struct SinkSumsPass : impl::JitSinkSumsBase<SinkSumsPass> {
  using JitSinkSumsBase::JitSinkSumsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      auto trips = tripCountOf(loop);
      if (!trips || *trips < 2)
        continue;
      readInitialSlices(loop);
      SumSinker(loop, *trips, maxBytes).run();
    }
  }
};

} // namespace

} // namespace jit

//===- OutlineLoops.cpp - loops that run alone, each compiled once --------===//
#include "Loops/OutlinedFunctions.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {
#define GEN_PASS_DEF_OUTLINELOOPS
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Operations in `op`, itself among them; more than `limit` are not counted.
static int64_t countOps(Operation *op, int64_t limit) {
  int64_t count = 0;
  op->walk([&](Operation *) {
    return ++count > limit ? WalkResult::interrupt() : WalkResult::advance();
  });
  return count;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Ops beside each other.
using Segment = SmallVector<Operation *>;

/// Whether a value ties the ops that use it to the one that makes it. Pointers do not: what holds
/// one stays.
static bool ties(Value value) {
  return !isa<LLVM::LLVMPointerType>(value.getType()) && !jit::codegen::canTravel(value);
}

namespace {
/// Ops whose values are computed from what loops give: these go where the loop goes.
class LoopResults {
public:
  /// To be asked in the order of the block.
  bool contains(Operation *op) {
    bool isOne = isa<LoopLikeOpInterface>(op) || llvm::any_of(op->getOperands(), [&](Value value) {
                   return ops.contains(value.getDefiningOp());
                 });
    if (isOne)
      ops.insert(op);
    return isOne;
  }

private:
  llvm::DenseSet<Operation *> ops;
};
} // namespace

/// The shortest segments of a block that no value ties together. An op that one ties to the
/// terminator is in none, nor are those after it.
static SmallVector<Segment> segmentsOf(Block &block) {
  llvm::DenseMap<Operation *, size_t> places;
  for (auto [place, op] : llvm::enumerate(block))
    places[&op] = place;
  SmallVector<Segment> segments;
  Segment segment;
  LoopResults loopResults;
  size_t end = 0;
  for (auto [place, op] : llvm::enumerate(block)) {
    segment.push_back(&op);
    bool isFromLoop = loopResults.contains(&op);
    for (Value result : op.getResults())
      if (isFromLoop || ties(result))
        for (Operation *user : result.getUsers())
          end = std::max(end, places[block.findAncestorOpInBlock(*user)]);
    if (place >= end)
      segments.push_back(std::exchange(segment, {}));
  }
  return segments;
}

/// Whether what stays can make the values of `op` itself, at any later time.
static bool canBeMadeAgain(Operation *op) {
  return llvm::all_of(op->getResults(), jit::codegen::canTravel) && op->getNumRegions() == 0 &&
         isPure(op);
}

/// True if all that others use of the segment can be made again where they are, along with what it
/// is made of: a number that was read may have been overwritten by then.
static bool canBeLeft(const Segment &segment) {
  llvm::SmallPtrSet<Operation *, 16> inside(llvm::from_range, segment), staying;
  for (Operation *op : llvm::reverse(segment)) {
    bool stays = llvm::any_of(op->getUsers(), [&](Operation *user) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      return !inside.contains(ancestor) || staying.contains(ancestor);
    });
    if (stays && !canBeMadeAgain(op))
      return false;
    if (stays)
      staying.insert(op);
  }
  return true;
}

static bool canMove(const Segment &segment) {
  bool hasLoop = llvm::any_of(segment, llvm::IsaPred<LoopLikeOpInterface>);
  return hasLoop && canBeLeft(segment) && llvm::all_of(segment, [&](Operation *op) {
           return !op->hasTrait<OpTrait::IsTerminator>() && jit::codegen::isAlone(op);
         });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Makes `closure -> ()` of a segment.
static func::FuncOp createFunction(const Segment &segment, const jit::codegen::Closure &closure,
                                   StringRef name) {
  Location loc = segment.front()->getLoc();
  OpBuilder b(segment.front()->getContext());
  b.setInsertionPointAfter(segment.front()->getParentOfType<func::FuncOp>());
  auto type = b.getFunctionType(LLVM::LLVMPointerType::get(b.getContext()), {});
  auto func = func::FuncOp::create(b, loc, name, type);
  func.setPrivate();
  // Together again they would be as slow to compile as before.
  func->setAttr("no_inline", b.getUnitAttr());
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  IRMapping map;
  closure.load(b, entry->getArgument(0), map);
  for (Operation *op : segment)
    b.clone(*op, map);
  func::ReturnOp::create(b, loc);
  return func;
}

namespace {
struct OutlineLoops : jit::codegen::impl::OutlineLoopsBase<OutlineLoops> {
  using OutlineLoopsBase::OutlineLoopsBase;

  void runOnOperation() override {
    outlined = jit::codegen::OutlinedFunctions(shareSizes);
    for (func::FuncOp func : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!func.isPublic() || countOps(func, largest) <= largest)
        continue;
      number = 0;
      outlineIn(func.getBody());
    }
    outlined.finish();
  }

private:
  void outlineIn(Region &region);
  bool outline(const Segment &segment);

  jit::codegen::OutlinedFunctions outlined{true};
  unsigned number = 0; // of the function's next loop
};
} // namespace

bool OutlineLoops::outline(const Segment &segment) {
  if (!canMove(segment))
    return false;
  Operation *first = segment.front();
  jit::codegen::PointerToMemref pointers(first->getContext());
  jit::codegen::Closure closure(segment, pointers);
  if (!closure.captureUses())
    return false;
  auto parent = first->getParentOfType<func::FuncOp>();
  std::string name = (parent.getName() + ".loop" + Twine(number++)).str();
  OpBuilder b(first);
  auto [func, words] = outlined.add(createFunction(segment, closure, name), closure, b);
  func::CallOp::create(b, first->getLoc(), func, words);
  for (Operation *op : llvm::reverse(segment))
    if (op->use_empty())
      op->erase();
  return true;
}

void OutlineLoops::outlineIn(Region &region) {
  for (Block &block : region)
    for (const Segment &segment : segmentsOf(block))
      if (!outline(segment))
        for (Operation *op : segment)
          if (op->getNumRegions() != 0 && countOps(op, largest) > largest)
            for (Region &inner : op->getRegions())
              outlineIn(inner);
}

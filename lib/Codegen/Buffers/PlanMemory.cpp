//===- PlanMemory.cpp - one arena for all buffers -------------------------===//
#include "Buffers/OpenBuffers.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/Remarks.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace jit::codegen {
#define GEN_PASS_DEF_PLANMEMORY
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

static constexpr int64_t alignment = 64;
/// Bytes that a process can address.
static constexpr int64_t addressSpace = int64_t(1) << 47;
static constexpr const char *carriedMessage =
    "expected a buffer that stays within one iteration of its loop";

namespace {
/// A buffer, when it is in use (positions of the first and last op, inclusive), and its place.
struct Buffer {
  Operation *alloc; // a memref.alloc, or what stands for a buffer that loops carry
  Operation *home;  // the allocation, or the outermost loop that hands it from trip to trip
  int64_t bytes = 0;
  int64_t begin = 0, end = 0;
  int64_t offset = 0;

  MemRefType type() const { return cast<MemRefType>(alloc->getResult(0).getType()); }
};

/// Numbers the ops of a function so that a nested op lies between its parent's two numbers.
class Positions {
public:
  explicit Positions(func::FuncOp func) { number(func); }
  int64_t begin(Operation *op) const { return range.lookup(op).first; }
  int64_t end(Operation *op) const { return range.lookup(op).second; }

private:
  void number(Operation *op) {
    int64_t first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          number(&nested);
    range[op] = {first, next++};
  }

  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> range;
  int64_t next = 0;
};
} // namespace

/// Widens the lifetime of `buffer` by one use. A use inside a region op beside its home
/// counts as a use by the whole of that op: it may be a loop, and a later iteration sees the
/// buffer.
static LogicalResult addUse(Buffer &buffer, Operation *user, const Positions &positions) {
  Block *home = buffer.home->getBlock();
  if (Operation *beside = home->findAncestorOpInBlock(*user)) {
    buffer.begin = std::min(buffer.begin, positions.begin(beside));
    buffer.end = std::max(buffer.end, positions.end(beside));
    return success();
  }
  // The buffer left the region that allocates it, through the branches of an scf.if.
  for (Operation *parent = home->getParentOp(); parent; parent = parent->getParentOp()) {
    if (parent->isProperAncestor(user)) {
      Operation *beside = nullptr;
      for (Region &region : parent->getRegions())
        for (Block &block : region)
          if (Operation *found = block.findAncestorOpInBlock(*user))
            beside = found;
      buffer.end = std::max(buffer.end, positions.end(beside));
      return success();
    }
    if (isa<LoopLikeOpInterface>(parent))
      return jit::refuse(buffer.alloc->emitOpError(carriedMessage));
  }
  return success();
}

/// What the buffer takes of the arena; nullopt where no machine has as much.
static std::optional<int64_t> bytesOf(MemRefType type) {
  Type element = type.getElementType();
  int64_t bytes = element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  if (bytes > addressSpace)
    return std::nullopt;
  return int64_t(llvm::alignTo(bytes, alignment));
}

/// The outermost loop around `alloc` to whose next trip one of `aliases` hands it; `alloc` itself
/// where there is none.
static Operation *homeOf(Operation *alloc, ArrayRef<Value> aliases) {
  Operation *home = alloc;
  for (Value alias : aliases)
    if (isa<BlockArgument>(alias) && alias.getParentRegion()->isAncestor(home->getParentRegion()))
      home = alias.getParentRegion()->getParentOp();
  return home;
}

static LogicalResult collectBuffers(func::FuncOp func, SmallVectorImpl<Buffer> &buffers) {
  Positions positions(func);
  BufferViewFlowAnalysis aliases(func);
  WalkResult walk = func.walk([&](Operation *alloc) {
    bool isCarried = jit::codegen::isOpenBuffer(alloc, jit::codegen::openCarriedAttr);
    if (!isCarried && !isa<memref::AllocOp>(alloc))
      return WalkResult::advance();
    auto type = cast<MemRefType>(alloc->getResult(0).getType());
    if (!type.getLayout().isIdentity()) {
      alloc->emitOpError() << "expected an identity layout, got " << type;
      return WalkResult::interrupt();
    }
    std::optional<int64_t> bytes = type.hasStaticShape() ? bytesOf(type) : 0;
    if (!bytes) {
      alloc->emitOpError() << "expected a buffer of at most " << addressSpace << " bytes, got "
                           << type;
      return WalkResult::interrupt();
    }
    auto names = llvm::to_vector(aliases.resolve(alloc->getResult(0)));
    Buffer buffer{alloc, homeOf(alloc, names), *bytes};
    if (buffer.home != alloc && !isCarried)
      return WalkResult(jit::refuse(alloc->emitOpError(carriedMessage)));
    buffer.begin = std::numeric_limits<int64_t>::max();
    for (Value alias : names)
      for (Operation *user : alias.getUsers())
        if (failed(addUse(buffer, user, positions)))
          return WalkResult::interrupt();
    if (buffer.begin > buffer.end)
      buffer.begin = buffer.end = positions.begin(alloc);
    buffers.push_back(buffer);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Gives each buffer the lowest place that no buffer alive at the same time has, larger ones
/// first; returns the size of the whole.
static int64_t assignOffsets(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> bySize;
  for (Buffer &buffer : buffers)
    bySize.push_back(&buffer);
  llvm::sort(bySize, [](Buffer *a, Buffer *b) {
    return std::tie(b->bytes, a->begin, a) < std::tie(a->bytes, b->begin, b);
  });
  SmallVector<Buffer *> placed; // ordered by offset
  int64_t total = 0;
  for (Buffer *buffer : bySize) {
    int64_t offset = 0;
    for (Buffer *other : placed) {
      bool together = buffer->begin <= other->end && other->begin <= buffer->end;
      if (!together || other->offset + other->bytes <= offset)
        continue;
      if (offset + buffer->bytes <= other->offset)
        break;
      offset = other->offset + other->bytes;
    }
    buffer->offset = offset;
    total = std::max(total, offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](Buffer *a, Buffer *b) { return a->offset < b->offset; }),
                  buffer);
  }
  return total;
}

/// Buffers of open size lie in pieces of memory that the runtime keeps: each in the first piece
/// that no buffer alive at the same time is in.
static void usePieces(SmallVectorImpl<Buffer> &buffers) {
  SmallVector<SmallVector<Buffer *>> pieces;
  for (Buffer &buffer : buffers) {
    auto isFree = [&](ArrayRef<Buffer *> piece) {
      return llvm::none_of(piece, [&](Buffer *other) {
        return buffer.begin <= other->end && other->begin <= buffer.end;
      });
    };
    auto *piece = llvm::find_if(pieces, isFree);
    if (piece == pieces.end())
      piece = &pieces.emplace_back();
    piece->push_back(&buffer);
    OpBuilder b(buffer.alloc);
    Value memory = jit::codegen::createOpenBuffer(
        b, buffer.alloc->getLoc(), buffer.type(), buffer.alloc->getOperands(),
        jit::codegen::openScratchAttr, piece - pieces.begin());
    buffer.alloc->getResult(0).replaceAllUsesWith(memory);
    buffer.alloc->erase();
  }
}

static void useArena(func::FuncOp func, MutableArrayRef<Buffer> buffers, int64_t bytes) {
  OpBuilder b(func);
  auto arenaType = MemRefType::get({bytes}, b.getI8Type());
  unsigned index = func.getNumArguments();
  auto attrs = b.getDictionaryAttr(b.getNamedAttr("jit.arena", b.getUnitAttr()));
  (void)func.insertArgument(index, arenaType, attrs, func.getLoc());
  b.setInsertionPointToStart(&func.front());
  SmallVector<Value> views;
  for (Buffer &buffer : buffers) {
    Location loc = buffer.alloc->getLoc();
    Value offset = arith::ConstantIndexOp::create(b, loc, buffer.offset);
    views.push_back(memref::ViewOp::create(b, loc, buffer.type(), func.getArgument(index), offset,
                                           ValueRange()));
  }
  // Only now, for the builder may stand before an allocation.
  for (auto [buffer, view] : llvm::zip(buffers, views)) {
    buffer.alloc->getResult(0).replaceAllUsesWith(view);
    buffer.alloc->erase();
  }
}

namespace {
struct PlanMemory : jit::codegen::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    SmallVector<Buffer> buffers;
    if (failed(collectBuffers(func, buffers)))
      return signalPassFailure();
    func.walk([](memref::DeallocOp op) { op.erase(); });
    SmallVector<Buffer> open, known;
    for (Buffer &buffer : buffers)
      (buffer.type().hasStaticShape() ? known : open).push_back(buffer);
    usePieces(open);
    useArena(func, known, assignOffsets(known));
  }
};
} // namespace

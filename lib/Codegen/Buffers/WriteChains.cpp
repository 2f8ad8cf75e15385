//===- WriteChains.cpp - many writes into one buffer ----------------------===//
#include "jit/Codegen/Buffers/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_WRITECHAINS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

using Chain = SmallVector<tensor::InsertSliceOp>;

static bool writesTo(Operation *op, Value tensor) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  return insert && insert.getDest() == tensor && insert.getSource() != tensor;
}

/// The write that follows that of `insert`, with all other uses of the tensor before it; or null.
static tensor::InsertSliceOp nextWrite(tensor::InsertSliceOp insert) {
  Value tensor = insert.getResult();
  Block *block = insert->getBlock();
  tensor::InsertSliceOp next;
  for (Operation *user : tensor.getUsers())
    if (user->getBlock() == block && writesTo(user, tensor)) {
      if (next)
        return {};
      next = cast<tensor::InsertSliceOp>(user);
    }
  auto isBefore = [&](Operation *user) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    return user == next || (inBlock && inBlock->isBeforeInBlock(next));
  };
  return next && llvm::all_of(tensor.getUsers(), isBefore) ? next : tensor::InsertSliceOp();
}

/// Whether all that is read of `tensor` is read before `write`, with no view of it left behind.
static bool isReadBefore(Value tensor, Operation *write) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    Operation *inBlock = write->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock || !inBlock->isBeforeInBlock(write))
      return false;
    if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return isReadBefore(user->getResult(0), write);
    return isa<linalg::LinalgOp, tensor::ExtractOp, tensor::DimOp>(user);
  });
}

namespace {
/// One chain and the buffer that all of it writes.
class BufferChain {
public:
  explicit BufferChain(ArrayRef<tensor::InsertSliceOp> chain) : chain(chain) {}
  void rewrite();

private:
  void makeBuffer();
  Value partOf(OpBuilder &b, Location loc, OffsetSizeAndStrideOpInterface slice,
               RankedTensorType type);
  void write(tensor::InsertSliceOp insert);
  void readBetween(tensor::InsertSliceOp insert, tensor::InsertSliceOp next);

  ArrayRef<tensor::InsertSliceOp> chain;
  Value buffer;
};
} // namespace

static Value tensorOf(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      b, loc, RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true);
}

/// Copies `tensor` to the buffer where the builder stands.
static void copyTo(OpBuilder &b, Location loc, Value tensor, Value buffer) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value source = bufferization::ToBufferOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), tensor,
      /*read_only=*/true);
  memref::CopyOp::create(b, loc, source, buffer);
}

void BufferChain::makeBuffer() {
  tensor::InsertSliceOp first = chain.front();
  Value start = first.getDest();
  auto type = cast<RankedTensorType>(start.getType());
  OpBuilder b(first);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, first.getLoc(), start, dim));
  buffer = memref::AllocOp::create(b, first.getLoc(),
                                   MemRefType::get(type.getShape(), type.getElementType()), sizes);
  if (!start.getDefiningOp<tensor::EmptyOp>())
    copyTo(b, first.getLoc(), start, buffer);
}

Value BufferChain::partOf(OpBuilder &b, Location loc, OffsetSizeAndStrideOpInterface slice,
                          RankedTensorType type) {
  auto part = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(buffer.getType()), slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
  return memref::SubViewOp::create(b, loc, part, buffer, slice.getMixedOffsets(),
                                   slice.getMixedSizes(), slice.getMixedStrides());
}

void BufferChain::write(tensor::InsertSliceOp insert) {
  OpBuilder b(insert);
  copyTo(b, insert.getLoc(), insert.getSource(),
         partOf(b, insert.getLoc(), insert, insert.getSourceType()));
}

/// What uses the tensor between two writes reads the buffer; what might do so later reads a copy.
void BufferChain::readBetween(tensor::InsertSliceOp insert, tensor::InsertSliceOp next) {
  for (OpOperand &use : llvm::make_early_inc_range(insert.getResult().getUses())) {
    Operation *user = use.getOwner();
    if (user == next)
      continue;
    OpBuilder b(user);
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    Value read = tensorOf(b, user->getLoc(),
                          slice ? partOf(b, user->getLoc(), slice, slice.getType()) : buffer);
    if (slice)
      slice.getResult().replaceAllUsesWith(read);
    else
      use.set(read);
    if (slice)
      slice.erase();
    if (isReadBefore(read, next))
      continue;
    b.setInsertionPointAfterValue(read);
    auto copy = bufferization::AllocTensorOp::create(
        b, read.getLoc(), cast<RankedTensorType>(read.getType()), ValueRange(), read);
    read.replaceAllUsesExcept(copy, copy);
  }
}

void BufferChain::rewrite() {
  makeBuffer();
  for (tensor::InsertSliceOp insert : chain)
    write(insert);
  for (auto [insert, next] : llvm::zip(chain.drop_back(), chain.drop_front()))
    readBetween(insert, next);
  tensor::InsertSliceOp last = chain.back();
  OpBuilder b(last);
  last.getResult().replaceAllUsesWith(tensorOf(b, last.getLoc(), buffer));
  for (tensor::InsertSliceOp insert : llvm::reverse(chain))
    insert.erase();
}

namespace {
struct WriteChains : jit::codegen::impl::WriteChainsBase<WriteChains> {
  using WriteChainsBase::WriteChainsBase;

  void runOnOperation() override {
    DenseSet<Operation *> taken;
    SmallVector<Chain> chains;
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (taken.contains(insert))
        return;
      Chain chain;
      for (tensor::InsertSliceOp next = insert; next; next = nextWrite(next)) {
        taken.insert(next);
        chain.push_back(next);
      }
      if (int64_t(chain.size()) > most)
        chains.push_back(std::move(chain));
    });
    for (const Chain &chain : chains)
      BufferChain(chain).rewrite();
  }
};
} // namespace

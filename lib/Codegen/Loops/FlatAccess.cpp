//===- FlatAccess.cpp - accesses by one index -----------------------------===//
#include "Loops/FlatAccess.h"
#include "Loops/EntryPointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace {
/// The operands by which an op reaches memory.
struct Access {
  OpOperand *memref;
  MutableOperandRange indices;
};

/// All that reaches the memory behind one base pointer.
class RootUses {
public:
  explicit RootUses(UnrealizedConversionCastOp root) : root(root) {}

  /// False where something else than an access at known strides sees the buffer.
  bool collect() { return collect(root.getResult(0)); }
  void flatten();

private:
  bool collect(Value buffer);
  Value flatIndex(OpBuilder &b, Location loc, const Access &access);

  UnrealizedConversionCastOp root;
  SmallVector<Operation *> accesses, views;
};
} // namespace

static std::optional<Access> accessOf(Operation *op) {
  using Result = std::optional<Access>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::LoadOp, memref::StoreOp, memref::PrefetchOp>([](auto access) {
        return Result({&access.getMemrefMutable(), access.getIndicesMutable()});
      })
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp>(
          [](auto access) {
            return Result({&access.getBaseMutable(), access.getIndicesMutable()});
          })
      .Default([](Operation *) { return Result(); });
}

/// Views that move and reshape alone: offset and strides of what they make count from the base
/// pointer.
static bool isShapeOfBase(Operation *op) {
  return isa<memref::SubViewOp, memref::ReinterpretCastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::CastOp>(op);
}

bool RootUses::collect(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return false;
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    std::optional<Access> access = accessOf(user);
    if (access && access->memref == &use)
      accesses.push_back(user);
    else if (isShapeOfBase(user) && collect(user->getResult(0)))
      views.push_back(user);
    else
      return false;
  }
  return true;
}

/// Nothing in a buffer is beyond what an index can count.
static constexpr auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

static Value add(OpBuilder &b, Location loc, Value sum, Value more) {
  return sum ? b.createOrFold<arith::AddIOp>(loc, sum, more, noWrap) : more;
}

Value RootUses::flatIndex(OpBuilder &b, Location loc, const Access &access) {
  Value buffer = access.memref->get();
  auto [strides, offset] = cast<MemRefType>(buffer.getType()).getStridesAndOffset();
  Value sum;
  if (ShapedType::isDynamic(offset))
    sum = memref::ExtractStridedMetadataOp::create(b, loc, buffer).getOffset();
  else if (offset != 0)
    sum = arith::ConstantIndexOp::create(b, loc, offset);
  for (auto [index, stride] : llvm::zip(OperandRange(access.indices), strides)) {
    if (getConstantIntValue(index) == 0)
      continue;
    Value distance = index;
    if (stride != 1) {
      Value factor = arith::ConstantIndexOp::create(b, loc, stride);
      distance = b.createOrFold<arith::MulIOp>(loc, index, factor, noWrap);
    }
    sum = add(b, loc, sum, distance);
  }
  return sum ? sum : arith::ConstantIndexOp::create(b, loc, 0);
}

void RootUses::flatten() {
  OpBuilder b(root);
  b.setInsertionPointAfter(root);
  Location loc = root.getLoc();
  auto type =
      MemRefType::get({ShapedType::kDynamic}, cast<MemRefType>(root.getType(0)).getElementType());
  // Nobody asks how large it is.
  SmallVector<OpFoldResult> sizes = {arith::ConstantIndexOp::create(b, loc, 1).getResult()};
  SmallVector<OpFoldResult> strides = {b.getIndexAttr(1)};
  Value flat = memref::ReinterpretCastOp::create(b, loc, type, root.getResult(0), b.getIndexAttr(0),
                                                 sizes, strides);
  for (Operation *op : accesses) {
    b.setInsertionPoint(op);
    std::optional<Access> access = accessOf(op);
    if (!access)
      continue; // collect() took accesses alone
    Value index = flatIndex(b, op->getLoc(), *access);
    access->memref->set(flat);
    access->indices.assign(index);
  }
  for (Operation *view : views)
    if (view->use_empty())
      view->erase();
}

void jit::codegen::flattenAccesses(func::FuncOp func) {
  SmallVector<UnrealizedConversionCastOp> roots;
  func.walk([&](UnrealizedConversionCastOp op) {
    if (isRoot(op))
      roots.push_back(op);
  });
  for (UnrealizedConversionCastOp root : roots)
    if (RootUses uses(root); uses.collect())
      uses.flatten();
}

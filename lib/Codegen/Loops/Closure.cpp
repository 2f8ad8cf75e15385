//===- Closure.cpp - what outlined code takes along -----------------------===//
#include "Loops/Closure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// A buffer at a constant place of the arena. Where that is, travels: layers that differ in nothing
/// else then share their code.
static memref::ViewOp placedView(Value value) {
  auto view = value.getDefiningOp<memref::ViewOp>();
  bool isPlaced = view && view.getType().hasStaticShape() &&
                  jit::codegen::isRoot(view.getSource()) &&
                  getConstantIntValue(view.getByteShift());
  return isPlaced ? view : memref::ViewOp();
}

/// Whether two of `words` reach the same bytes of the arena.
static bool placesOverlap(const llvm::SetVector<Value> &words) {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (Value word : words) {
    memref::ViewOp view = placedView(word);
    if (!view)
      continue;
    if (words.contains(view.getSource()))
      return true;
    MemRefType type = view.getType();
    Type element = type.getElementType();
    int64_t bytes = element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    int64_t begin = *getConstantIntValue(view.getByteShift());
    ranges.emplace_back(begin, begin + type.getNumElements() * bytes);
  }
  llvm::sort(ranges);
  for (auto [before, after] : llvm::zip(ranges, llvm::drop_begin(ranges)))
    if (after.first < before.second)
      return true;
  return false;
}

/// A buffer on the stack, which hoistAllocas has moved out of all loops.
static bool isStackBuffer(Value value) {
  auto alloca = value.getDefiningOp<memref::AllocaOp>();
  return alloca && alloca.getType().hasStaticShape() && alloca.getType().getLayout().isIdentity();
}

static bool isScalar(Value value) {
  Operation *def = value.getDefiningOp();
  bool isConstant = def && def->hasTrait<OpTrait::ConstantLike>();
  return value.getType().isIntOrIndexOrFloat() && !isConstant;
}

/// Cheaper to make again than to pass.
static bool isRepeatable(Operation *op) { return op->getNumRegions() == 0 && isPure(op); }

bool jit::codegen::canTravel(Value value) {
  llvm::SetVector<Value> made;
  made.insert(value);
  for (size_t next = 0; next < made.size(); ++next) {
    Value part = made[next];
    if (jit::codegen::isRoot(part) || isStackBuffer(part) || isScalar(part))
      continue;
    Operation *def = part.getDefiningOp();
    if (!def || !isRepeatable(def))
      return false;
    for (Value operand : def->getOperands()) {
      // Vectors that are computed from vectors are worth passing, which a closure cannot.
      bool isDeep = isa<VectorType>(part.getType()) && isa<VectorType>(operand.getType());
      if (!isDeep)
        made.insert(operand);
      else if (!matchPattern(operand, m_Constant()))
        return false;
    }
  }
  return true;
}

jit::codegen::Closure::Closure(ArrayRef<Operation *> ops, const PointerToMemref &pointers)
    : ops(ops), pointers(pointers) {}

bool jit::codegen::Closure::isWord(Value value) const {
  return isRoot(value) || isStackBuffer(value) || isScalar(value) ||
         (placesTravel && placedView(value));
}

bool jit::codegen::Closure::capture(Value value) {
  Operation *def = value.getDefiningOp();
  if (words.contains(value) || (def && repeated.contains(def)))
    return true;
  if (isWord(value))
    return words.insert(value);
  if (!def || !isRepeatable(def))
    return false;
  for (Value operand : def->getOperands())
    if (!capture(operand))
      return false;
  return repeated.insert(def);
}

bool jit::codegen::Closure::captureUses() {
  llvm::SetVector<Value> used;
  for (Operation *op : ops) {
    getUsedValuesDefinedAbove(op->getRegions(), used);
    used.insert(op->operand_begin(), op->operand_end());
  }
  used.remove_if([&](Value value) { return llvm::is_contained(ops, value.getDefiningOp()); });
  auto captureAll = [&] { return llvm::all_of(used, [&](Value value) { return capture(value); }); };
  if (!captureAll())
    return false;
  if (!placesOverlap(words))
    return true;
  placesTravel = false;
  words.clear();
  repeated.clear();
  return captureAll();
}

Value jit::codegen::wordAddress(OpBuilder &b, Location loc, Value closure, size_t number) {
  return LLVM::GEPOp::create(b, loc, closure.getType(), b.getI64Type(), closure,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
}

/// The buffer behind a word. Its size is in a view of its own and not in the base pointer's type,
/// which functions for several sizes share.
static Value bufferAt(OpBuilder &b, Location loc, const jit::codegen::PointerToMemref &pointers,
                      MemRefType type, Value data) {
  if (type.getNumElements() == 0) // has no strides to state
    return pointers.create(b, loc, type, data);
  Value root = pointers.create(b, loc, MemRefType::get({1}, type.getElementType()), data);
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(b, loc, type, root, offset, type.getShape(), strides);
}

void jit::codegen::Closure::load(OpBuilder &b, Value address, IRMapping &map) const {
  Location loc = ops.front()->getLoc();
  for (auto [i, value] : llvm::enumerate(words)) {
    Value word = wordAddress(b, loc, address, i);
    Type type = value.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      Value data = LLVM::LoadOp::create(b, loc, address.getType(), word);
      map.map(value, bufferAt(b, loc, pointers, memref, data));
    } else if (type.isIndex()) {
      Value number = LLVM::LoadOp::create(b, loc, b.getI64Type(), word);
      map.map(value, arith::IndexCastOp::create(b, loc, type, number));
    } else {
      map.map(value, LLVM::LoadOp::create(b, loc, type, word));
    }
  }
  for (Operation *made : repeated)
    b.clone(*made, map);
}

Value jit::codegen::Closure::store(OpBuilder &b) const {
  Location loc = ops.front()->getLoc();
  Value closure;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&ops.front()->getParentOfType<func::FuncOp>().front());
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    // One more is for the table of sizes.
    auto count = b.getI64IntegerAttr(words.size() + 1);
    Value size = LLVM::ConstantOp::create(b, loc, b.getI64Type(), count);
    closure = LLVM::AllocaOp::create(b, loc, pointer, b.getI64Type(), size, /*alignment=*/8);
  }
  for (auto [i, value] : llvm::enumerate(words)) {
    Value word = value;
    if (isa<MemRefType>(value.getType()))
      word = pointers.pointerOf(b, loc, value);
    else if (value.getType().isIndex())
      word = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    LLVM::StoreOp::create(b, loc, word, wordAddress(b, loc, closure, i));
  }
  return closure;
}

bool jit::codegen::isAlone(Operation *op) {
  return !op->walk([](Operation *nested) {
              StringRef dialect = nested->getDialect()->getNamespace();
              bool isForeign =
                  isa<func::CallOp>(nested) || dialect == "jit" || dialect == "foreign";
              return isForeign ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

void jit::codegen::hoistAllocas(func::FuncOp func) {
  if (func.isDeclaration())
    return;
  SmallVector<memref::AllocaOp> allocas;
  func.walk([&](memref::AllocaOp op) {
    if (op->getNumOperands() == 0)
      allocas.push_back(op);
  });
  for (memref::AllocaOp op : allocas)
    op->moveBefore(&func.front(), func.front().begin());
}

//===- OutlinedFunctions.cpp - one function for loops of one shape --------===//
#include "Loops/OutlinedFunctions.h"
#include "Loops/FlatAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <map>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Sizes as arguments
//===----------------------------------------------------------------------===//

/// Whether an operand is a size that may differ among loops of one shape. Steps may not: vectors
/// have constant lengths. Nor may 0 and 1, for most arithmetic with these is gone.
static bool isSize(OpOperand &operand) {
  std::optional<int64_t> value = getConstantIntValue(operand.get());
  if (!value || *value < 2 || !operand.get().getType().isIndex())
    return false;
  Operation *op = operand.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return &operand == &loop.getUpperBoundMutable();
  if (auto loop = dyn_cast<scf::ParallelOp>(op))
    return operand.getOperandNumber() / loop.getNumLoops() == 1;
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp, arith::MinUIOp,
             arith::DivUIOp, arith::RemUIOp>(op);
}

/// Turns each use of a size into an argument; gives their values.
static SmallVector<int64_t> takeSizes(func::FuncOp func) {
  SmallVector<OpOperand *> uses;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isSize(operand))
        uses.push_back(&operand);
  });
  SmallVector<int64_t> sizes;
  for (OpOperand *use : uses) {
    sizes.push_back(*getConstantIntValue(use->get()));
    use->set(func.getBody().addArgument(use->get().getType(), use->getOwner()->getLoc()));
  }
  return sizes;
}

/// Puts constants at the start in the order in which they are used, the only one that does not
/// depend on which are equal.
static void sortConstants(func::FuncOp func) {
  llvm::SetVector<Operation *> constants;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp(); isa_and_nonnull<arith::ConstantOp>(def))
        constants.insert(def);
  });
  Block &entry = func.front();
  for (Operation *constant : llvm::reverse(constants))
    constant->moveBefore(&entry, entry.begin());
  func.walk([](arith::ConstantOp constant) {
    if (constant->use_empty())
      constant.erase();
  });
}

//===----------------------------------------------------------------------===//
// Functions of one shape
//===----------------------------------------------------------------------===//

/// Equal for functions that do the same.
static size_t hashOf(func::FuncOp func) {
  llvm::hash_code hash(0);
  func.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, op->getName().getAsOpaquePointer(),
                           op->getRawDictionaryAttrs().getAsOpaquePointer(), op->hashProperties());
    for (Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type.getAsOpaquePointer());
  });
  return hash;
}

std::pair<func::FuncOp, Value>
jit::codegen::OutlinedFunctions::add(func::FuncOp made, const Closure &closure, OpBuilder &b) {
  flattenAccesses(made);
  SmallVector<int64_t> sizes = takeSizes(made);
  sortConstants(made);
  SmallVector<size_t, 1> &others = byHash[hashOf(made)];
  auto *same = llvm::find_if(others, [&](size_t number) {
    func::FuncOp other = functions[number].func;
    return (sharesSizes || functions[number].callers.front().sizes == sizes) &&
           other.getFunctionType() == made.getFunctionType() &&
           OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &made.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
  });
  size_t number = same == others.end() ? functions.size() : *same;
  if (number == functions.size()) {
    others.push_back(number);
    functions.push_back({made, closure.size(), {}});
  } else {
    made.erase();
  }
  Shared &shared = functions[number];
  shared.callers.push_back({closure.store(b), std::move(sizes)});
  return {shared.func, shared.callers.back().closure};
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A constant array of `row`.
static LLVM::GlobalOp createTable(func::FuncOp func, StringRef name, ArrayRef<int64_t> row) {
  OpBuilder b(func);
  auto type = LLVM::LLVMArrayType::get(b.getI64Type(), row.size());
  return LLVM::GlobalOp::create(b, func.getLoc(), type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name, b.getI64TensorAttr(row));
}

/// The largest power of two, up to that of the longest vectors, that divides all.
static int64_t commonFactor(ArrayRef<int64_t> values) {
  int64_t bits = 64;
  for (int64_t value : values)
    bits |= value;
  return bits & -bits;
}

namespace {
/// The sizes of one function: what all callers agree on becomes a constant, the rest is read.
class SizeReader {
public:
  SizeReader(func::FuncOp func, size_t tableWord, size_t callers)
      : loc(func.getLoc()), b(func.getContext()), closure(func.getArgument(0)),
        tableWord(tableWord), rows(callers) {
    b.setInsertionPointToStart(&func.front());
  }

  Value read(ArrayRef<int64_t> values);

  Location loc;
  OpBuilder b;
  Value closure, table;
  size_t tableWord;
  /// What each caller's table holds.
  std::vector<SmallVector<int64_t>> rows;
};
} // namespace

Value SizeReader::read(ArrayRef<int64_t> values) {
  if (llvm::all_equal(values))
    return arith::ConstantIndexOp::create(b, loc, values.front());
  Type pointer = closure.getType();
  if (!table)
    table = LLVM::LoadOp::create(b, loc, pointer,
                                 jit::codegen::wordAddress(b, loc, closure, tableWord));
  size_t place = rows.front().size();
  int64_t factor = commonFactor(values);
  for (auto [row, value] : llvm::zip_equal(rows, values))
    row.push_back(value / factor);
  Value address = jit::codegen::wordAddress(b, loc, table, place);
  Value word = LLVM::LoadOp::create(b, loc, b.getI64Type(), address);
  Value count = arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
  // Vectors want to know what divides the length of their loop.
  return arith::MulIOp::create(b, loc, count, arith::ConstantIndexOp::create(b, loc, factor),
                               arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
}

void jit::codegen::OutlinedFunctions::giveSizes(Shared &shared) {
  Block &entry = shared.func.front();
  SizeReader reader(shared.func, shared.tableWord, shared.callers.size());
  std::map<std::vector<int64_t>, Value> known;
  unsigned first = shared.func.getNumArguments();
  for (auto [i, argument] : llvm::enumerate(entry.getArguments().drop_front(first))) {
    std::vector<int64_t> values;
    for (const Caller &caller : shared.callers)
      values.push_back(caller.sizes[i]);
    Value &size = known[values];
    if (!size)
      size = reader.read(values);
    argument.replaceAllUsesWith(size);
  }
  entry.eraseArguments(first, entry.getNumArguments() - first);
  if (reader.table)
    storeTables(shared, reader.rows);
}

void jit::codegen::OutlinedFunctions::storeTables(const Shared &shared,
                                                  ArrayRef<SmallVector<int64_t>> rows) {
  func::FuncOp func = shared.func;
  Location loc = func.getLoc();
  std::map<SmallVector<int64_t>, LLVM::GlobalOp> tables;
  for (auto [caller, row] : llvm::zip_equal(shared.callers, rows)) {
    LLVM::GlobalOp &table = tables[row];
    if (!table) {
      std::string name = (func.getName() + ".sizes" + Twine(tables.size() - 1)).str();
      table = createTable(func, name, row);
    }
    OpBuilder b(func.getContext());
    b.setInsertionPointAfterValue(caller.closure);
    Value address = LLVM::AddressOfOp::create(b, loc, caller.closure.getType(), table.getSymName());
    LLVM::StoreOp::create(b, loc, address, wordAddress(b, loc, caller.closure, shared.tableWord));
  }
}

void jit::codegen::OutlinedFunctions::finish() {
  for (Shared &shared : functions)
    giveSizes(shared);
}

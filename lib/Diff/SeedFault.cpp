//===- SeedFault.cpp - miscompiles on purpose, for tests ------------------===//

#include "jit/Diff/SeedFault.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace mlir;

namespace jit {

namespace {

/// What an operator is made to be. Each gives values of the types that were there.
class Fault {
public:
  Fault(Operation *op) : op(op), b(op) {}

  /// Whether this kind of fault can be made of the operator; it is then.
  bool make(StringRef kind, StringRef as) {
    if (kind == "crash")
      std::abort();
    if (kind == "slow")
      std::this_thread::sleep_for(std::chrono::seconds(1));
    if (kind == "swap")
      return swap();
    if (kind == "drop")
      return drop();
    if (kind == "scale")
      return change("aten.mul.Scalar", 1.001);
    if (kind == "negate")
      return change("aten.mul.Scalar", -1);
    if (kind == "offset")
      return change("aten.add.Scalar", 1);
    if (kind == "constant")
      return constant();
    if (kind == "index")
      return index();
    if (kind == "other")
      return other(as);
    return false;
  }

private:
  /// Two operands of one type change places.
  bool swap() {
    for (unsigned i = 0; i + 1 < op->getNumOperands(); ++i) {
      Value first = op->getOperand(i), second = op->getOperand(i + 1);
      if (first == second || first.getType() != second.getType())
        continue;
      op->setOperand(i, second);
      op->setOperand(i + 1, first);
      return true;
    }
    return false;
  }

  /// The operator does nothing.
  bool drop() {
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(operand);
        return true;
      }
    return false;
  }

  /// Something is done to the result.
  bool change(StringRef name, double number) {
    auto type = dyn_cast<TensorType>(op->getResult(0).getType());
    if (!type || !type.getDtype() || !isa<FloatType>(type.getDtype()))
      return false;
    b.setInsertionPointAfter(op);
    Location loc = op->getLoc();
    SmallVector<Value> operands{op->getResult(0)};
    operands.push_back(constantOf(b.getF64FloatAttr(number)));
    if (name == "aten.add.Scalar")
      operands.push_back(constantOf(b.getI64IntegerAttr(1)));
    Operation *changed = b.create(loc, b.getStringAttr(name), operands, TypeRange(type));
    op->getResult(0).replaceAllUsesExcept(changed->getResult(0), changed);
    return true;
  }

  /// A constant float is a hundredth off.
  bool constant() {
    for (OpOperand &operand : op->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
      auto number = constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
      if (!number)
        continue;
      double wrong = number.getValueAsDouble() * 1.02 + 0.01;
      operand.set(constantOf(b.getF64FloatAttr(wrong)));
      return true;
    }
    return false;
  }

  /// Constant ints are one less, those of a slice both: another dimension, another place.
  bool index() {
    bool isMade = false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (auto list = operand.get().getDefiningOp<ListOp>()) {
        Operation *copy = b.clone(*list);
        if (!indexOf(copy->getOpOperands()))
          copy->erase();
        else
          operand.set(copy->getResult(0)), isMade = true;
      }
    }
    return isMade || indexOf(op->getOpOperands());
  }

  bool indexOf(MutableArrayRef<OpOperand> operands) {
    bool isMade = false, isSlice = op->getName().getStringRef().starts_with("aten.slice.");
    for (OpOperand &operand : operands) {
      auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
      auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
      if (!number || !number.getType().isInteger(64) || number.getInt() < 1 ||
          (isSlice && (operand.getOperandNumber() == 1 || operand.getOperandNumber() == 4)))
        continue;
      operand.set(constantOf(b.getI64IntegerAttr(number.getInt() - 1)));
      isMade = true;
      if (!isSlice)
        break;
    }
    return isMade;
  }

  /// Another operator of the same operands.
  bool other(StringRef name) {
    if (name.empty())
      return false;
    SmallVector<Value> operands(op->getOperands());
    Operation *wrong =
        b.create(op->getLoc(), b.getStringAttr(name), operands, op->getResultTypes());
    op->replaceAllUsesWith(wrong);
    return true;
  }

  /// At the start of the function: groups hold operators alone.
  Value constantOf(TypedAttr value) {
    Block &start = op->getParentOfType<func::FuncOp>().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&start);
    return arith::ConstantOp::create(builder, op->getLoc(), value);
  }

  Operation *op;
  OpBuilder b;
};

struct SeedFaultPass : PassWrapper<SeedFaultPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeedFaultPass)

  SeedFaultPass() = default;
  SeedFaultPass(const SeedFaultPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "jit-seed-fault"; }
  StringRef getDescription() const override {
    return "Makes operators of one kind and line wrong, for tests of what notices";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *inner) {
      if (inner->getName().getStringRef() == StringRef(op) && isAtLine(inner->getLoc()) &&
          holds(inner))
        found.push_back(inner);
    });
    for (Operation *inner : found)
      Fault(inner).make(kind, as);
  }

private:
  bool isAtLine(Location loc) const {
    if (line == 0)
      return true;
    bool isThere = false;
    loc->walk([&](Location part) {
      if (auto file = dyn_cast<FileLineColLoc>(part))
        isThere |= file.getLine() == line;
      return WalkResult::advance();
    });
    return isThere;
  }

  /// The circumstances under which the miscompile happens.
  bool holds(Operation *inner) const {
    if (when == "fused")
      return isa<GroupOp>(inner->getParentOp());
    if (when == "used-once")
      return inner->getResult(0).hasOneUse();
    return true;
  }

  Option<std::string> kind{*this, "kind",
                           llvm::cl::desc("swap, drop, scale, negate, offset, constant, index, "
                                          "other, crash or slow")};
  Option<std::string> op{*this, "op", llvm::cl::desc("the operator, as aten.sub.Tensor")};
  Option<std::string> as{*this, "as", llvm::cl::desc("of the kind other: the operator instead")};
  Option<unsigned> line{*this, "line", llvm::cl::desc("of the Python source; 0: any"),
                        llvm::cl::init(0)};
  Option<std::string> when{*this, "when", llvm::cl::desc("always, fused or used-once"),
                           llvm::cl::init("always")};
};

} // namespace

Result<void> seedFault(const std::string &text, DiffOptions &options) {
  if (text.empty())
    return {};
  StringRef rest = text;
  if (!rest.consume_front("after="))
    return Error{ErrorCode::InvalidArgument,
                 "expected after=STAGE and a fault, got '" + text + "'"};
  auto [after, fault] = rest.split(' ');
  options.afterStage = [after = after.str(),
                        fault = fault.str()](StringRef stage, ModuleOp module) -> LogicalResult {
    if (stage != after)
      return success();
    auto pass = std::make_unique<SeedFaultPass>();
    auto fail = [&](const Twine &message) { return module.emitError(message); };
    if (failed(pass->initializeOptions(fault, fail)))
      return failure();
    PassManager pm(module.getContext());
    pm.addPass(std::move(pass));
    return pm.run(module);
  };
  return {};
}

} // namespace jit

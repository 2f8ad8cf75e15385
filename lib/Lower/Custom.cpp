//===- Custom.cpp - lowering of a user's own operators --------------------===//

#include "jit/Dialect/Aten/Custom.h"
#include "Lower.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Foreign/Foreign.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// The inputs of a call of a C function, and what says where they stand among its arguments.
class CallLayout {
public:
  explicit CallLayout(ConversionPatternRewriter &rewriter) : rewriter(rewriter) {}

  /// Null where the value is none that is handed to C as it is.
  Attribute add(Value value) {
    Type type = value.getType();
    if (isa<NoneType>(type))
      return rewriter.getUnitAttr();
    if (isa<StrType>(type)) {
      StrInfo text(value);
      return text.known ? rewriter.getStringAttr(*text.known) : Attribute();
    }
    if (isa<ListType>(type))
      return addList(value);
    if (auto tensor = dyn_cast<TensorType>(type); tensor && tensor.isStatic())
      return addInput(rewriter.getRemappedValue(value), tensor.getDtype());
    bool isNumber = type.isInteger(64) || type.isInteger(1) || type.isF64();
    return isNumber ? addInput(rewriter.getRemappedValue(value), type) : Attribute();
  }

  SmallVector<Value> inputs;

private:
  Attribute addInput(Value value, Type type) {
    inputs.push_back(value);
    return value ? TypeAttr::get(type) : Attribute();
  }

  Attribute addList(Value list) {
    ListInfo elements(list);
    SmallVector<Attribute> layout;
    for (Value element : elements.elements.value_or(SmallVector<Value>()))
      layout.push_back(add(element));
    bool isKnown = elements.elements && !llvm::is_contained(layout, Attribute());
    return isKnown ? rewriter.getArrayAttr(layout) : Attribute();
  }

  ConversionPatternRewriter &rewriter;
};

struct LowerCustom : OpConversionPattern<aten::CustomOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::CustomOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const CustomOperator *own = CustomOperators::of(getContext()).find(op.getSignature());
    if (!own)
      return rewriter.notifyMatchFailure(op, "expected a file of operators that has it");
    // What a text says of results does not count: the function that computes them fills all of the
    // memory that its sizes function asks for.
    SmallVector<Type> types;
    if (failed(op.inferReturnTypes(getContext(), op.getLoc(), op->getOperands(),
                                   op->getAttrDictionary(), op->getPropertiesStorage(), {},
                                   types)) ||
        TypeRange(types) != op->getResultTypes())
      return rewriter.notifyMatchFailure(op, "expected results whose sizes the operator says");
    CallLayout call(rewriter);
    SmallVector<Attribute> layout;
    for (Value operand : op->getOperands())
      layout.push_back(call.add(operand));
    if (llvm::is_contained(layout, Attribute()))
      return rewriter.notifyMatchFailure(op, "expected arguments that are known to be there");
    SmallVector<Value> outs;
    SmallVector<Type> dtypes;
    for (Value result : op->getResults()) {
      RankedTensorType type = loweredType(result);
      dtypes.push_back(dtypeOf(result));
      outs.push_back(
          tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType()));
    }
    rewriter.replaceOpWithNewOp<foreign::CallOp>(
        op, TypeRange(ValueRange(outs)), rewriter.getStringAttr(own->symbol),
        rewriter.getStringAttr(own->text), rewriter.getArrayAttr(layout), call.inputs, outs,
        rewriter.getTypeArrayAttr(dtypes));
    return success();
  }
};

} // namespace

void populateCustomLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerCustom>(types, patterns.getContext());
}

} // namespace jit

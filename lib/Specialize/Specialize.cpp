//===- Specialize.cpp - the program of one entry for one kind of call -----===//

#include "BroadcastByData.h"
#include "Evaluator.h"
#include "Signature.h"
#include "SqueezedSizes.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/Contract.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "jit/Specialize/Passes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITSPECIALIZE
#include "jit/Specialize/Passes.h.inc"

/// How the user calls an argument.
static std::string describe(func::FuncOp generic, unsigned index) {
  for (StringRef attr : {nameAttr, slotAttr})
    if (auto name = generic.getArgAttrOfType<StringAttr>(index, attr))
      return (attr == slotAttr ? "slot '" : "argument '") + name.str() + "'";
  return "argument " + std::to_string(index);
}

/// The value of an argument that the spec leaves out: its default, or the slot's initial value.
static Value buildOmitted(OpBuilder &b, func::FuncOp generic, unsigned index, func::FuncOp func) {
  Type type = generic.getArgumentTypes()[index];
  auto slotName = generic.getArgAttrOfType<StringAttr>(index, slotAttr);
  Attribute value = generic.getArgAttr(index, defaultAttr);
  if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(value))
    slotName = symbol.getAttr();
  if (slotName) {
    auto slot = SymbolTable::lookupNearestSymbolFrom<SlotOp>(generic, slotName);
    if (slot && isa<StorageAttr, SplatElementsAttr>(slot.getValue())) {
      if (!generic.getArgAttr(index, slotAttr)) // a frozen constant of the archive
        return SlotGetOp::create(b, generic.getLoc(), slot.getType(), slotName.getValue());
      Type stored = slot.getType();
      if (auto optional = dyn_cast<OptionalType>(stored))
        stored = optional.getElementType();
      ValueSpec spec{.kind = ValueSpec::Kind::Tensor};
      for (int64_t size : cast<TensorType>(stored).getSizes())
        spec.sizes.push_back(ShapedType::isDynamic(size) ? ValueSpec::openSize : size);
      spec.dtype = *typeToDtype(cast<TensorType>(stored).getDtype());
      return buildArgument(b, func, spec, type, b.getNamedAttr(slotAttr, slotName), {});
    }
    value = slot ? slot.getValue() : Attribute();
  }
  Value constant = value ? buildConstant(b, generic.getLoc(), value, type) : Value();
  if (!constant)
    generic.emitError("expected ") << describe(generic, index) << " of '" << generic.getName()
                                   << "', which has no default, got no more arguments";
  return constant;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static LogicalResult buildArguments(OpBuilder &b, func::FuncOp generic, func::FuncOp func,
                                    ArrayRef<ValueSpec> specs, IRMapping &map) {
  if (specs.size() > generic.getNumArguments())
    return generic.emitError("expected at most ") << generic.getNumArguments() << " arguments for '"
                                                  << generic.getName() << "', got " << specs.size();
  for (auto [i, arg] : llvm::enumerate(generic.getArguments())) {
    Value value;
    if (i < specs.size() && specs[i].kind != ValueSpec::Kind::Default) {
      auto slot = generic.getArgAttrOfType<StringAttr>(i, slotAttr);
      auto origin = slot ? b.getNamedAttr(slotAttr, slot)
                         : b.getNamedAttr(argPathAttr, b.getDenseI64ArrayAttr({int64_t(i)}));
      SmallVector<int64_t> path;
      if (!slot)
        path.push_back(i);
      value = buildArgument(b, func, specs[i], arg.getType(), origin, path);
    } else {
      value = buildOmitted(b, generic, i, func);
    }
    if (!value)
      return failure();
    if (generic.getContext()->getRemarkEngine() && isa<OptionalType>(arg.getType()) &&
        !isa<OptionalType>(value.getType()))
      explainDone(generic.getLoc(), "specialize", "{0} is {1} in this call", describe(generic, i),
                  isa<NoneType>(value.getType()) ? "None" : print(value.getType()));
    map.map(arg, value);
  }
  joinState(b, generic, specs, map);
  return success();
}

/// What a function that was specialised before, such as a backward function, says of its result `i`
/// beside its value.
static void copyOutput(func::FuncOp generic, unsigned i, SmallVectorImpl<NamedAttribute> &output) {
  auto outputs = generic->getAttrOfType<ArrayAttr>(outputsAttr);
  if (!outputs)
    return;
  for (auto known : outputs.getAsRange<DictionaryAttr>()) {
    auto leaf = dyn_cast_or_null<IntegerAttr>(known.get("value"));
    if (leaf && leaf.getInt() == i)
      llvm::copy_if(known, std::back_inserter(output),
                    [](NamedAttribute attr) { return attr.getName() != "value"; });
  }
}

/// What the caller has to be told of an argument whose sizes changed in place: that, or nothing,
/// where data choose and `isSo` is not.
static LogicalResult addChange(func::FuncOp func, BlockArgument argument,
                               const Evaluator::ChangedArgument &changed, Value isSo,
                               SmallVectorImpl<Value> &flat, SmallVectorImpl<Attribute> &outputs) {
  Builder b(func.getContext());
  Value now = changed.now;
  // What has memory of its own is handed over as rows.
  Layout before = changed.isOutgrown ? Layout::rowMajor() : layoutOf(argument),
         after = layoutOf(now);
  auto type = dyn_cast<TensorType>(now.getType());
  auto strides = type && type.isStatic() ? after.strides(type.getSizes()) : std::nullopt;
  bool isRows = strides && after.isRowMajor(type.getSizes()) == true && after.offset() == 0;
  if (!strides || !before.offset() || !after.offset() || (changed.isOutgrown && !isRows))
    return emitError(now.getLoc(), "expected sizes and strides that are known where those of an "
                                   "argument change in place, got ")
           << now.getType();
  auto leaf = [&](Value value) {
    flat.push_back(value);
    return b.getI64IntegerAttr(int64_t(flat.size()) - 1);
  };
  Attribute value = leaf(now);
  if (isSo)
    value = b.getArrayAttr({b.getStringAttr("either"), leaf(isSo), value, b.getUnitAttr()});
  SmallVector<NamedAttribute> output = {
      b.getNamedAttr("value", value),
      b.getNamedAttr("mutates", func.getArgAttr(argument.getArgNumber(), argPathAttr)),
      b.getNamedAttr("strides", b.getDenseI64ArrayAttr(*strides)),
      b.getNamedAttr("offset", b.getI64IntegerAttr(*after.offset() - *before.offset()))};
  if (changed.isOutgrown)
    output.push_back(b.getNamedAttr("outgrown", b.getUnitAttr()));
  outputs.push_back(b.getDictionaryAttr(output));
  return success();
}

static LogicalResult addChangedArguments(func::FuncOp func, const Evaluator &evaluator,
                                         SmallVectorImpl<Value> &flat,
                                         SmallVectorImpl<Attribute> &outputs) {
  for (auto [argument, changed] : evaluator.changedArguments)
    if (argument != changed.now &&
        failed(addChange(func, argument, changed, Value(), flat, outputs)))
      return failure();
  for (const auto &[argument, changed, isSo] : evaluator.chosenChanges)
    if (failed(addChange(func, argument, changed, isSo, flat, outputs)))
      return failure();
  return success();
}

/// Ends the specialised function: flat results, and the attribute that says what they make up.
static LogicalResult buildReturn(OpBuilder &b, func::FuncOp generic, func::FuncOp func,
                                 const Evaluator &evaluator, const Evaluator::Evaluated &body,
                                 const IRMapping &arguments) {
  auto ret = cast<func::ReturnOp>(generic.front().getTerminator());
  SmallVector<Value> flat;
  SmallVector<Attribute> outputs;
  for (auto [i, result] : llvm::enumerate(body.values)) {
    // A list that is what it was in this call, or that there is none of, is not handed back.
    if (auto written = generic.getResultAttrOfType<DenseI64ArrayAttr>(i, mutatesAttr))
      if (result == arguments.lookupOrNull(generic.getArgument(written[0])))
        continue;
    Attribute value = flattenResult(result, flat, ret.getLoc());
    if (!value)
      return failure();
    SmallVector<NamedAttribute> output = {b.getNamedAttr("value", value)};
    for (StringRef name : {slotAttr, mutatesAttr})
      if (Attribute attr = generic.getResultAttr(i, name))
        output.push_back(b.getNamedAttr(name.drop_front(4), attr));
    copyOutput(generic, i, output);
    outputs.push_back(b.getDictionaryAttr(output));
  }
  if (failed(addChangedArguments(func, evaluator, flat, outputs)))
    return failure();
  func::ReturnOp::create(b, ret.getLoc(), flat);
  func.setFunctionType(b.getFunctionType(func.getArgumentTypes(), ValueRange(flat).getTypes()));
  func->setAttr(outputsAttr, b.getArrayAttr(outputs));
  return success();
}

/// Every size that the types of the arguments leave open has a name, and there is one.
static bool isSymbolic(func::FuncOp func) {
  bool hasName = false;
  for (BlockArgument arg : func.getArguments()) {
    auto type = dyn_cast<TensorType>(arg.getType());
    if (!type)
      continue;
    auto names = func.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(), sizeNamesAttr);
    for (auto [i, size] : llvm::enumerate(type.getSizes())) {
      if (size != TensorType::kDynamic)
        continue;
      if (!names || cast<StringAttr>(names[i]).empty())
        return false;
      hasName = true;
    }
  }
  return hasName;
}

static LogicalResult specialize(func::FuncOp generic, func::FuncOp func, ArrayRef<ValueSpec> specs,
                                Evaluator &evaluator) {
  OpBuilder b = OpBuilder::atBlockEnd(func.addEntryBlock());
  IRMapping map;
  if (failed(buildArguments(b, generic, func, specs, map)))
    return failure();
  auto body = evaluator.evaluate(generic.front(), b, map, Evaluator::Place::Function);
  if (failed(body) || evaluator.isIncomplete)
    return failure();
  if (body->raises && evaluator.endsIncomplete)
    return evaluator.endsIncomplete.emitError() << evaluator.endsIncomplete.getMessage();
  if (isSymbolic(func))
    func->setAttr(symbolicAttr, b.getUnitAttr());
  guardSqueezedSizes(func);
  broadcastByData(func);
  return buildReturn(b, generic, func, evaluator, *body, map);
}

namespace {

struct SpecializePass : impl::JitSpecializeBase<SpecializePass> {
  using JitSpecializeBase::JitSpecializeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto generic = module.lookupSymbol<func::FuncOp>(entry);
    auto call = CallSpec::parse(args);
    if (!generic || !generic.isPublic() || generic.isExternal()) {
      module.emitError("expected a public entry called '") << entry << "'";
      return signalPassFailure();
    }
    if (!call) {
      module.emitError() << call.error().str();
      return signalPassFailure();
    }
    func::FuncOp func = specialized(generic, call->arguments);
    if (!func)
      return signalPassFailure();
    for (func::FuncOp other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (other != func)
        other.erase();
    func.setName(entry);
  }

private:
  /// The function for a call, or null after an error. Where data choose what becomes of an out=
  /// tensor, or whether it is written, a second evaluation knows that its sizes change.
  func::FuncOp specialized(func::FuncOp generic, ArrayRef<ValueSpec> specs) {
    Evaluator::ResizedOuts resizedOuts;
    std::vector<Diagnostic> errors;
    func::FuncOp func = evaluated(generic, specs, resizedOuts, errors);
    if (!resizedOuts.empty() && (!func || leavesOutSizes(func))) {
      std::vector<Diagnostic> further;
      if (func::FuncOp again = evaluated(generic, specs, resizedOuts, further)) {
        if (func)
          func.erase();
        return again;
      }
    }
    reportAll(&getContext(), errors);
    return func;
  }

  /// `resizedOuts` is what the evaluator is told, and tells.
  func::FuncOp evaluated(func::FuncOp generic, ArrayRef<ValueSpec> specs,
                         Evaluator::ResizedOuts &resizedOuts, std::vector<Diagnostic> &errors) {
    CapturedErrors captured(&getContext());
    OpBuilder b(generic);
    auto func = func::FuncOp::create(b, generic.getLoc(), (entry + ".specialized"),
                                     b.getFunctionType({}, {}));
    Evaluator evaluator(&getContext(), raises, dataSqueeze, keepsArgumentMemory);
    evaluator.resizedOuts = resizedOuts;
    bool isDone = succeeded(specialize(generic, func, specs, evaluator));
    resizedOuts = evaluator.resizedOuts;
    errors = captured.take();
    if (!isDone)
      func.erase();
    return isDone ? func : func::FuncOp();
  }
};

} // namespace

static bool hasFlatSignature(func::FuncOp func) {
  auto isFlat = [](Type type) { return isa<TensorType>(type) || type.isIntOrFloat(); };
  return llvm::all_of(func.getArgumentTypes(), isFlat) &&
         llvm::all_of(func.getResultTypes(), isFlat);
}

/// A value may be seen as an Optional by an operator that takes one; whether it is there is
/// settled.
static bool settlesOptionals(Operation *op) {
  return isa<DerefineOp>(op) || definesOnly(op, [](Type type) { return !isa<OptionalType>(type); });
}

LogicalResult verifySpecialized(ModuleOp module) {
  ConversionTarget flat(*module.getContext()), fixed(*module.getContext()),
      settled(*module.getContext());
  flat.addDynamicallyLegalOp<func::FuncOp>(hasFlatSignature);
  fixed.addDynamicallyLegalOp<func::FuncOp>([](func::FuncOp func) { return !changesSizes(func); });
  for (ConversionTarget *target : {&flat, &fixed})
    target->markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  settled.addIllegalOp<aten::GradOp, AppendOp, ReplaceOp>();
  settled.markUnknownOpDynamicallyLegal(settlesOptionals);
  return success(
      succeeded(
          verifyContract(module, flat, "tensors and numbers in the signature after Specialize")) &&
      succeeded(verifyContract(module, fixed, "no sizes that change in place after Specialize")) &&
      succeeded(verifyContract(module, settled,
                               "settled Optionals, lists that do not change, and one gradient an "
                               "operation, after Specialize")));
}

} // namespace jit

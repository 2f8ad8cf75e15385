//===- Signature.cpp - arguments and results made flat --------------------===//

#include "Signature.h"
#include "Evaluator.h"
#include "jit/Dialect/Aten/ComplexNumbers.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/TypeNames.h"
#include "jit/Specialize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static_assert(ValueSpec::unknownStride == ShapedType::kDynamic);

static SmallVector<int64_t> sizesOf(const ValueSpec &spec) {
  return llvm::map_to_vector(spec.sizes, [](int64_t size) {
    return size == ValueSpec::openSize ? ShapedType::kDynamic : size;
  });
}

static Value addArgument(func::FuncOp func, Type type, NamedAttribute origin,
                         ArrayRef<int64_t> path) {
  Builder b(func.getContext());
  unsigned index = func.getNumArguments();
  SmallVector<NamedAttribute> attrs = {b.getNamedAttr(argPathAttr, b.getDenseI64ArrayAttr(path))};
  if (origin.getName() != argPathAttr)
    attrs.push_back(origin);
  if (failed(func.insertArgument(index, type, b.getDictionaryAttr(attrs), func.getLoc())))
    return {};
  return func.getArgument(index);
}

static Value mismatch(func::FuncOp func, Type type, ArrayRef<int64_t> path, StringRef got) {
  func.emitError("expected argument ")
      << (path.empty() ? 0 : path[0]) << " of type " << spellWithSizes(type) << ", got " << got;
  return {};
}

/// The type of a list of which only the call says the elements' type, where they have one.
static ListType listOfGiven(ArrayRef<Value> elements, Type any) {
  Type shared;
  for (Value element : elements) {
    bool isTensor = isa<TensorType>(element.getType());
    Type type = isTensor ? TensorType::get(any.getContext()) : element.getType();
    if (shared && shared != type)
      return ListType::get(any);
    shared = type;
  }
  return ListType::get(shared ? shared : any);
}

/// The type of values that have one; Any of others.
static Type sharedType(ArrayRef<Value> values, Type any) {
  return cast<ListType>(listOfGiven(values, any)).getElementType();
}

/// A dict is given as the list of its pairs; its keys are known while a variant is compiled.
static Value buildDict(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                       NamedAttribute origin, const SmallVector<int64_t> &path) {
  SmallVector<Value> parts[2];
  auto dict = dyn_cast<DictType>(type);
  for (auto [i, pair] : llvm::enumerate(spec.elements)) {
    if (pair.kind != ValueSpec::Kind::Tuple || pair.elements.size() != 2)
      return mismatch(func, type, path, "a list of other things than pairs");
    for (int64_t side : {0, 1}) {
      SmallVector<int64_t> inner = path;
      inner.append({int64_t(i), side});
      Type part = !dict ? type : side == 0 ? dict.getKeyType() : dict.getValueType();
      parts[side].push_back(buildArgument(b, func, pair.elements[side], part, origin, inner));
      if (!parts[side].back())
        return {};
      if (side == 0 && pair.elements[0].isOpen)
        return mismatch(func, type, path, "a key that is not known");
    }
  }
  if (!dict)
    dict = DictType::get(b.getContext(), sharedType(parts[0], type), sharedType(parts[1], type));
  return DictOp::create(b, func.getLoc(), dict, parts[0], parts[1]);
}

static Value buildElements(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                           NamedAttribute origin, const SmallVector<int64_t> &path) {
  bool isDict = isa<AnyType>(type) ? spec.isDict : isa<DictType>(type);
  if (isDict && spec.kind == ValueSpec::Kind::List)
    return buildDict(b, func, spec, type, origin, path);
  if (spec.isDict)
    return mismatch(func, type, path, "a dict");
  SmallVector<Value> elements;
  // Python's tuples are lists where a list is asked for.
  bool isTuple = spec.kind == ValueSpec::Kind::Tuple && !isa<ListType>(type);
  bool isAny = isa<AnyType>(type);
  auto tuple = dyn_cast<TupleType>(type);
  auto list = isAny ? ListType::get(type) : dyn_cast<ListType>(type);
  if (isTuple ? !isAny && (!tuple || tuple.getTypes().size() != spec.elements.size()) : !list)
    return mismatch(func, type, path, isTuple ? "a tuple" : "a list");
  for (auto [i, element] : llvm::enumerate(spec.elements)) {
    SmallVector<int64_t> inner = path;
    inner.push_back(i);
    Type elementType = isAny ? type : isTuple ? tuple.getTypes()[i] : list.getElementType();
    elements.push_back(buildArgument(b, func, element, elementType, origin, inner));
    if (!elements.back())
      return {};
  }
  if (isTuple)
    return TupleOp::create(
        b, func.getLoc(),
        TupleType::get(b.getContext(), llvm::to_vector(ValueRange(elements).getTypes())), elements);
  return ListOp::create(b, func.getLoc(), isAny ? listOfGiven(elements, type) : list, elements);
}

/// All tensors of a function are on one device; those without dimensions may come from the CPU.
static LogicalResult placeOn(func::FuncOp func, const ValueSpec &spec) {
  bool isFirst = llvm::none_of(func.getArgumentTypes(), llvm::IsaPred<TensorType>);
  auto known = func->getAttrOfType<StringAttr>(deviceAttr);
  StringRef device = known ? known.getValue() : StringRef("cpu");
  if (device == spec.device || (spec.device == "cpu" && spec.sizes.empty()))
    return success();
  if (!isFirst)
    return func.emitError("expected tensors on one device, got ")
           << device << " and " << spec.device;
  func->setAttr(deviceAttr, StringAttr::get(func.getContext(), spec.device));
  return success();
}

/// The argument that is the memory of this number; a new one with the origin of its first part.
static Value memoryOf(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type dtype,
                      NamedAttribute origin, ArrayRef<int64_t> path) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto number = func.getArgAttrOfType<IntegerAttr>(i, memoryAttr);
        number && number.getInt() == spec.part->memory)
      return func.getArgument(i);
  auto type = TensorType::get(b.getContext(), ArrayRef(spec.part->extent), dtype);
  Value memory = addArgument(func, type, origin, path);
  func.setArgAttr(func.getNumArguments() - 1, memoryAttr, b.getI64IntegerAttr(spec.part->memory));
  return memory;
}

/// A tensor that shares memory with other arguments: a view of that.
static Value buildPart(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                       NamedAttribute origin, ArrayRef<int64_t> path) {
  Location loc = func.getLoc();
  Type dtype = cast<TensorType>(type).getDtype();
  Value memory = memoryOf(b, func, spec, dtype, origin, path);
  auto memoryType = cast<TensorType>(memory.getType());
  if (memoryType.getDtype() != dtype || memoryType.getSizes() != ArrayRef(spec.part->extent))
    return mismatch(func, memoryType, path, "a part of it of another type or extent");
  GraphBuilder build{b, loc};
  SmallVector<Value> operands = {memory, build.ints(spec.sizes).v, build.ints(spec.strides).v,
                                 build.i(spec.part->offset).v};
  Operation *view =
      createInferred(b, loc, OperationName("aten.as_strided", b.getContext()), operands);
  return view ? view->getResult(0) : Value();
}

/// A complex number comes as a tensor of rank 0.
static Value complexOfTensor(OpBuilder &b, Value tensor) {
  GraphBuilder build{b, tensor.getLoc()};
  return unwrap(elementOf(Tensor(build, tensor)));
}

/// A tensor of one element where a number is asked for is that number.
static Value numberOfTensor(OpBuilder &b, Value given, Type type) {
  GraphBuilder build{b, given.getLoc()};
  Tensor tensor(build, given);
  return type.isInteger(64) ? build.op<aten::IntTensorOp>(tensor).v
         : type.isF64()     ? build.op<aten::FloatTensorOp>(tensor).v
                            : build.op<aten::BoolTensorOp>(tensor).v;
}

static Value buildTensor(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                         NamedAttribute origin, ArrayRef<int64_t> path) {
  Type given =
      TensorType::get(b.getContext(), sizesOf(spec), dtypeToType(spec.dtype, b.getContext()));
  bool isNumber =
      isa<ComplexType>(type) && spec.sizes.empty() && spec.dtype == ScalarType::ComplexDouble;
  bool standsForNumber =
      type.isIntOrFloat() && llvm::all_of(spec.sizes, [](int64_t size) { return size == 1; });
  if (!isNumber && !standsForNumber && !meetTypes(given, type))
    return mismatch(func, type, path, "a tensor");
  if (failed(placeOn(func, spec)))
    return {};
  if (isNumber)
    return complexOfTensor(b, addArgument(func, given, origin, path));
  if (spec.part && origin.getName() != slotAttr && !standsForNumber)
    return buildPart(b, func, spec, given, origin, path);
  Value arg = addArgument(func, given, origin, path);
  unsigned index = func.getNumArguments() - 1;
  if (!spec.sizeNames.empty())
    func.setArgAttr(index, sizeNamesAttr,
                    b.getStrArrayAttr(llvm::to_vector_of<StringRef>(spec.sizeNames)));
  if (!spec.strides.empty())
    func.setArgAttr(index, stridesAttr, b.getDenseI64ArrayAttr(spec.strides));
  if (spec.requiresGrad)
    func.setArgAttr(index, requiresGradAttr, b.getUnitAttr());
  return standsForNumber ? numberOfTensor(b, arg, type) : arg;
}

/// An int, float or bool: an argument if it is open, else a constant.
static Value buildNumber(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                         NamedAttribute origin, ArrayRef<int64_t> path) {
  bool isInt = spec.kind == ValueSpec::Kind::Int, isFloat = spec.kind == ValueSpec::Kind::Float;
  Type given = isInt ? b.getI64Type() : isFloat ? Type(b.getF64Type()) : Type(b.getI1Type());
  bool isTaken = isSubtype(given, type);
  if (isa<ComplexType>(type) && isFloat) {
    Value re = buildNumber(b, func, spec, b.getF64Type(), origin, path);
    Value im = arith::ConstantOp::create(b, func.getLoc(), b.getF64FloatAttr(0));
    return ComplexOp::create(b, func.getLoc(), re, im);
  }
  if (isa<ComplexType>(type) && isInt && !spec.isOpen) {
    ValueSpec number{.kind = ValueSpec::Kind::Float, .floatValue = double(spec.intValue)};
    return buildNumber(b, func, number, type, origin, path);
  }
  if (spec.isOpen)
    return isTaken ? addArgument(func, given, origin, path)
                   : mismatch(func, type, path, "a number of another kind");
  Location loc = func.getLoc();
  // Python's ints go wherever floats do.
  if (isInt && !isTaken && isSubtype(b.getF64Type(), type))
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(double(spec.intValue)));
  if (isInt && type.isInteger(1)) // as PyTorch takes them
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(spec.intValue != 0));
  if (!isTaken)
    return mismatch(func, type, path, isInt ? "an int" : isFloat ? "a float" : "a bool");
  TypedAttr value = isInt     ? TypedAttr(b.getI64IntegerAttr(spec.intValue))
                    : isFloat ? TypedAttr(b.getF64FloatAttr(spec.floatValue))
                              : TypedAttr(b.getBoolAttr(spec.boolValue));
  return arith::ConstantOp::create(b, loc, value);
}

Value buildArgument(OpBuilder &b, func::FuncOp func, const ValueSpec &spec, Type type,
                    NamedAttribute origin, SmallVector<int64_t> path) {
  using Kind = ValueSpec::Kind;
  Location loc = func.getLoc();
  bool mayBeNone = isa<OptionalType, NoneType, AnyType>(type);
  if (spec.kind == Kind::None)
    return mayBeNone ? Value(ConstantOp::create(b, loc)) : mismatch(func, type, path, "none");
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  switch (spec.kind) {
  case Kind::Tensor:
    return buildTensor(b, func, spec, type, origin, path);
  case Kind::Undefined:
    if (!isa<TensorType>(type))
      return mismatch(func, type, path, "an undefined tensor");
    return AbsentOp::create(b, loc, type);
  case Kind::Int:
  case Kind::Float:
  case Kind::Bool:
    return buildNumber(b, func, spec, type, origin, path);
  case Kind::Str:
    if (!isa<StrType, DeviceType, AnyType>(type))
      return mismatch(func, type, path, "a string");
    if (isa<AnyType>(type))
      type = StrType::get(b.getContext());
    return ConstantOp::create(b, loc, type, b.getStringAttr(spec.text));
  case Kind::Tuple:
  case Kind::List:
    return buildElements(b, func, spec, type, origin, path);
  case Kind::Default: // of a whole argument the caller puts its value in
  case Kind::None:
  case Kind::File:
    break;
  }
  return mismatch(func, type, path, "a default, which only whole arguments have");
}

Value buildConstant(OpBuilder &b, Location loc, Attribute attr, Type type) {
  if (isa<UnitAttr>(attr))
    return ConstantOp::create(b, loc);
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  if (auto elements = dyn_cast<ArrayAttr>(attr)) {
    if (isa<ComplexType>(type)) {
      Value parts[2];
      for (int i : {0, 1})
        parts[i] = buildConstant(b, loc, elements[i], b.getF64Type());
      return ComplexOp::create(b, loc, parts[0], parts[1]);
    }
    auto tuple = dyn_cast<TupleType>(type);
    auto list = dyn_cast<ListType>(type);
    if (!list && (!tuple || tuple.getTypes().size() != elements.size()))
      return {};
    SmallVector<Value> values;
    for (auto [i, element] : llvm::enumerate(elements)) {
      values.push_back(
          buildConstant(b, loc, element, tuple ? tuple.getTypes()[i] : list.getElementType()));
      if (!values.back())
        return {};
    }
    return tuple ? Value(TupleOp::create(b, loc, tuple, values))
                 : Value(ListOp::create(b, loc, list, values));
  }
  if (isa<StringAttr>(attr))
    return ConstantOp::create(b, loc, isa<DeviceType>(type) ? type : StrType::get(b.getContext()),
                              attr);
  auto typed = dyn_cast<TypedAttr>(attr);
  return typed && typed.getType().isIntOrFloat() ? Value(arith::ConstantOp::create(b, loc, typed))
                                                 : Value();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A complex number crosses the border as a tensor of rank 0.
static Value tensorOfComplex(Value number) {
  OpBuilder builder(number.getContext());
  builder.setInsertionPointAfterValue(number);
  GraphBuilder build{builder, number.getLoc()};
  return unwrap(asTensor(ComplexNumber(build, number)));
}

static Attribute tagged(Builder &b, StringRef tag, ArrayRef<Attribute> parts) {
  SmallVector<Attribute> all = {b.getStringAttr(tag)};
  llvm::append_range(all, parts);
  return b.getArrayAttr(all);
}

static Attribute flattenAll(Builder &b, StringRef tag, ValueRange values,
                            SmallVectorImpl<Value> &flat, Location loc) {
  SmallVector<Attribute> parts;
  for (Value value : values) {
    parts.push_back(flattenResult(value, flat, loc));
    if (!parts.back())
      return {};
  }
  return tagged(b, tag, parts);
}

/// Whether the caller can make the list: of rows that lie one after the other, in the CPU's memory.
static bool isOfRows(aten::PartsOp parts) {
  auto func = parts->getParentOfType<func::FuncOp>();
  return IntInfo(parts.getDim()).known == 0 && !func->hasAttr(deviceAttr);
}

Attribute flattenResult(Value value, SmallVectorImpl<Value> &flat, Location loc) {
  Builder b(value.getContext());
  auto leaf = [&](Value v) {
    flat.push_back(v);
    return b.getI64IntegerAttr(flat.size() - 1);
  };
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  Type type = value.getType();
  if (isa<TensorType>(type) || type.isIntOrFloat())
    return leaf(value);
  if (isa<ComplexType>(type))
    return tagged(b, "complex", leaf(tensorOfComplex(value)));
  if (isa<NoneType>(type))
    return b.getUnitAttr();
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return isa<DeviceType>(type) ? tagged(b, "device", constant.getValue()) : constant.getValue();
  if (isa_and_nonnull<TupleOp>(op))
    return flattenAll(b, "tuple", op->getOperands(), flat, loc);
  if (isa_and_nonnull<ListOp>(op))
    return flattenAll(b, "list", op->getOperands(), flat, loc);
  if (auto slices = dyn_cast_or_null<ListFromTensorOp>(op))
    return tagged(b, "unbind", leaf(slices.getTensor()));
  if (auto parts = dyn_cast_or_null<aten::PartsOp>(op); parts && isOfRows(parts))
    return flattenAll(b, "parts", {parts.getSelf(), parts.getBounds()}, flat, loc);
  if (auto concat = dyn_cast_or_null<ListConcatOp>(op))
    return flattenAll(b, "concat", concat.getOperands(), flat, loc);
  if (auto either = dyn_cast_or_null<EitherOp>(op))
    return flattenAll(b, "either", either->getOperands(), flat, loc);
  if (auto dict = dyn_cast_or_null<DictOp>(op)) {
    SmallVector<Value> entries;
    for (auto [key, item] : llvm::zip(dict.getKeys(), dict.getValues()))
      llvm::append_values(entries, key, item);
    return flattenAll(b, "dict", entries, flat, loc);
  }
  emitError(loc, "expected a result made of tensors and numbers, got one of type ") << spell(type);
  return {};
}

} // namespace jit

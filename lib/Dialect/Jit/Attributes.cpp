//===- Attributes.cpp - the attributes that stages hand on, checked -------===//

#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace jit {

namespace {
/// Where an attribute may stand.
enum Place { Module = 1, Function = 2, Argument = 4, Result = 8, Other = 16 };

struct KnownAttribute {
  llvm::StringLiteral name;
  unsigned places;
  llvm::StringLiteral kind;
  bool (*holds)(Attribute);
};
} // namespace

template <typename AttrTy> static bool isArrayOf(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && llvm::all_of(array, llvm::IsaPred<AttrTy>);
}
static bool isInt64(Attribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr);
  return number && number.getType().isInteger(64);
}

template <typename AttrTy> static bool isA(Attribute attr) { return isa<AttrTy>(attr); }
static bool areStrings(Attribute attr) {
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  return dictionary && llvm::all_of(dictionary, [](NamedAttribute entry) {
           return isa<StringAttr>(entry.getValue());
         });
}
static constexpr auto isUnit = isA<UnitAttr>;
static constexpr auto isString = isA<StringAttr>;
static constexpr auto isInt64s = isA<DenseI64ArrayAttr>;

static const KnownAttribute *known(StringRef name) {
  static const KnownAttribute all[] = {
      {archiveAttr, Module, "a string", isString},
      {aliasesAttr, Module, "a dictionary of strings", areStrings},
      {asksStridesAttr, Module, "a unit", isUnit},
      {symbolicAttr, Function, "a unit", isUnit},
      {dependsOnStridesAttr, Function, "a unit", isUnit},
      {deviceAttr, Function, "a string", isString},
      {outputsAttr, Function, "an array of dictionaries", isArrayOf<DictionaryAttr>},
      {argPathAttr, Argument, "an array of i64", isInt64s},
      {nameAttr, Argument, "a string", isString},
      {selfAttr, Argument, "a unit", isUnit},
      {defaultAttr, Argument, "a value", [](Attribute) { return true; }},
      {weightAttr, Argument, "a string", isString},
      {requiresGradAttr, Argument, "a unit", isUnit},
      {sizeNamesAttr, Argument, "an array of strings", isArrayOf<StringAttr>},
      {stridesAttr, Argument, "an array of i64", isInt64s},
      {memoryAttr, Argument, "an i64", isInt64},
      {gradOfAttr, Argument, "an i64", isInt64},
      {residualAttr, Argument, "an i64", isInt64},
      {slotAttr, Argument | Result, "a string", isString},
      {dtypeAttr, Argument | Result, "an i64", isInt64},
      {layoutAttr, Argument | Result, "an array", isA<ArrayAttr>},
      {mutatesAttr, Result, "an array of i64", isInt64s},
      {inPlaceAttr, Result, "an i64", isInt64},
      {attributesAttr, Other, "an array of strings", isArrayOf<StringAttr>},
      {mutableAttr, Other, "a unit", isUnit},
      {assignedAttr, Other, "a unit", isUnit},
      {beginsAttr, Other, "a unit", isUnit},
      {recordAttr, Other, "an i64", isInt64},
      {partOfAttr, Other, "a string", isString},
      {sharesAttr, Other, "a string", isString},
      {unobservedAttr, Other, "a unit", isUnit},
      {writtenAttr, Other, "a unit", isUnit},
      {outAttr, Other, "a unit", isUnit},
      {castAttr, Other, "a string", isString}};
  const auto *found = llvm::find_if(all, [&](const KnownAttribute &a) { return a.name == name; });
  return found == std::end(all) ? nullptr : found;
}

/// Attributes that are not in the list are the business of one stage.
static LogicalResult verify(Operation *op, NamedAttribute attr, Place place, StringRef where) {
  const KnownAttribute *it = known(attr.getName());
  if (!it)
    return success();
  if (!(it->places & place))
    return op->emitError("expected no attribute '") << it->name << "' on " << where;
  if (!it->holds(attr.getValue()))
    return op->emitError("expected ")
           << it->kind << " as '" << it->name << "', got " << attr.getValue();
  return success();
}

LogicalResult JitDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (isa<ModuleOp>(op))
    return verify(op, attr, Module, "a module");
  if (isa<FunctionOpInterface>(op))
    return verify(op, attr, Function, "a function");
  return verify(op, attr, Other, "an operation");
}

LogicalResult JitDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                   NamedAttribute attr) {
  return verify(op, attr, Argument, "an argument");
}

LogicalResult JitDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                      NamedAttribute attr) {
  return verify(op, attr, Result, "a result");
}

} // namespace jit

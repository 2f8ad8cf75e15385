//===- Jit.cpp - the jit dialect: registration and types ------------------===//

#include "jit/Dialect/Jit/Opaque.h"
#include "jit/Dialect/Jit/TensorSizes.h"
#include "jit/TensorLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#include "jit/Dialect/Jit/JitDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "jit/Dialect/Jit/JitTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "jit/Dialect/Jit/JitAttrs.cpp.inc"

namespace jit {

void JitDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "jit/Dialect/Jit/JitTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "jit/Dialect/Jit/JitAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "jit/Dialect/Jit/JitOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "jit/Dialect/Jit/OpaqueOps.cpp.inc"
      >();
  getContext()->loadDialect<arith::ArithDialect>();
}

Operation *JitDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  if (arith::ConstantOp::isBuildableWith(value, type))
    return arith::ConstantOp::materialize(builder, value, type, loc);
  if (isa<NoneType, StrType, DeviceType, TensorType>(type))
    return ConstantOp::create(builder, loc, type, value);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// TensorType
//===----------------------------------------------------------------------===//

bool TensorType::hasStaticSizes() const {
  return hasRank() && !llvm::is_contained(getSizes(), kDynamic);
}

TensorType TensorType::withDtype(Type dtype) const {
  return get(getContext(), getRanked() ? std::optional(getSizes()) : std::nullopt, dtype);
}

TensorType TensorType::withSizes(std::optional<ArrayRef<int64_t>> sizes) const {
  return get(getContext(), sizes, getDtype());
}

void TensorType::print(AsmPrinter &printer) const {
  if (!hasRank() && !hasDtype())
    return;
  printer << '<';
  if (hasRank()) {
    printer << '[';
    llvm::interleave(
        getSizes(), printer.getStream(),
        [&](int64_t size) { size == kDynamic ? printer << '?' : printer << size; }, ",");
    printer << ']';
  } else {
    printer << '*';
  }
  printer << ',';
  if (hasDtype())
    printer << getDtype();
  else
    printer << '?';
  printer << '>';
}

/// What is wrong with sizes that no memory holds; empty where nothing is.
static std::string faultOf(ArrayRef<int64_t> sizes) {
  if (sizes.size() > maxTensorRank)
    return llvm::formatv("expected at most {0} sizes of a tensor, got {1}", maxTensorRank,
                         sizes.size());
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size > 0 && (llvm::MulOverflow(count, size, count) || count > maxTensorElements))
      return llvm::formatv("expected at most {0} elements of a tensor, got more",
                           maxTensorElements);
  return {};
}

LogicalResult checkSizes(Location loc, TypeRange types) {
  for (Type type : types)
    if (auto tensor = dyn_cast<TensorType>(type); tensor && tensor.hasRank())
      if (std::string fault = faultOf(tensor.getSizes()); !fault.empty())
        return emitError(loc) << fault;
  return success();
}

bool keepsSizes(TensorType out, TensorType given) {
  if (!out.hasRank() || !given.hasRank() || out.getRank() != given.getRank())
    return false;
  return llvm::all_of(llvm::zip(out.getSizes(), given.getSizes()), [](auto pair) {
    auto [own, other] = pair;
    bool isOpen = own == TensorType::kDynamic || other == TensorType::kDynamic;
    return isOpen ? own != 0 && other != 1 : own == other;
  });
}

static ParseResult checkDtype(AsmParser &parser, SMLoc where, Type dtype) {
  if (typeToDtype(dtype))
    return success();
  return parser.emitError(where, "expected the element type of a tensor, got ") << dtype;
}

Type TensorType::parse(AsmParser &parser) {
  if (failed(parser.parseOptionalLess()))
    return get(parser.getContext());
  std::optional<SmallVector<int64_t>> sizes;
  SMLoc where = parser.getCurrentLocation();
  auto parseSize = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      sizes->push_back(kDynamic);
      return success();
    }
    int64_t size;
    if (parser.parseInteger(size))
      return failure();
    if (size < 0)
      return parser.emitError(parser.getCurrentLocation(), "expected a size >= 0, got ") << size;
    sizes->push_back(size);
    return success();
  };
  if (failed(parser.parseOptionalStar())) {
    sizes.emplace();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseSize))
      return {};
  }
  if (std::string fault = sizes ? faultOf(*sizes) : ""; !fault.empty()) {
    parser.emitError(where) << fault;
    return {};
  }
  Type dtype;
  if (parser.parseComma())
    return {};
  where = parser.getCurrentLocation();
  if (failed(parser.parseOptionalQuestion()) &&
      (parser.parseType(dtype) || checkDtype(parser, where, dtype)))
    return {};
  if (parser.parseGreater())
    return {};
  std::optional<ArrayRef<int64_t>> known;
  if (sizes)
    known = *sizes;
  return get(parser.getContext(), known, dtype);
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

Type dtypeToType(ScalarType dtype, MLIRContext *context) {
  Builder b(context);
  switch (dtype) {
  case ScalarType::Byte:
    return b.getIntegerType(8, /*isSigned=*/false);
  case ScalarType::Char:
    return b.getI8Type();
  case ScalarType::Short:
    return b.getI16Type();
  case ScalarType::Int:
    return b.getI32Type();
  case ScalarType::Long:
    return b.getI64Type();
  case ScalarType::Half:
    return b.getF16Type();
  case ScalarType::Float:
    return b.getF32Type();
  case ScalarType::Double:
    return b.getF64Type();
  case ScalarType::ComplexHalf:
    return ComplexType::get(b.getF16Type());
  case ScalarType::ComplexFloat:
    return ComplexType::get(b.getF32Type());
  case ScalarType::ComplexDouble:
    return ComplexType::get(b.getF64Type());
  case ScalarType::Bool:
    return b.getI1Type();
  case ScalarType::BFloat16:
    return b.getBF16Type();
  case ScalarType::Float8E5M2:
    return Float8E5M2Type::get(context);
  case ScalarType::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ScalarType::Float8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case ScalarType::Float8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case ScalarType::UInt16:
    return b.getIntegerType(16, /*isSigned=*/false);
  case ScalarType::UInt32:
    return b.getIntegerType(32, /*isSigned=*/false);
  case ScalarType::UInt64:
    return b.getIntegerType(64, /*isSigned=*/false);
  }
  return {};
}

bool isFloat8(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType, Float8E5M2FNUZType, Float8E4M3FNUZType>(type);
}

std::optional<ScalarType> typeToDtype(Type type) {
  if (!type)
    return std::nullopt;
  for (const ScalarTypeRecord &record : scalarTypes)
    if (dtypeToType(record.type, type.getContext()) == type)
      return record.type;
  return std::nullopt;
}

} // namespace jit

//===- Hash.cpp - builders for the rules of Container.td: hash ------------===//

#include "Rules/Container.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

static constexpr uint64_t murmurFactor = 0xc6a4a7935bd1e995;
static constexpr uint64_t murmurSeed = 0xc70f6907;

static uint64_t mixed(uint64_t value) { return value ^ value >> 47; }

/// What the C++ library that PyTorch is built with gives for a string: MurmurHash64A.
static uint64_t hashOfBytes(StringRef bytes) {
  uint64_t hash = murmurSeed ^ bytes.size() * murmurFactor;
  for (; !bytes.empty(); bytes = bytes.drop_front(std::min<size_t>(8, bytes.size()))) {
    uint64_t word = 0;
    for (size_t i = std::min<size_t>(8, bytes.size()); i-- > 0;)
      word = word << 8 | uint8_t(bytes[i]);
    bool isWhole = bytes.size() >= 8;
    hash = (hash ^ (isWhole ? mixed(word * murmurFactor) * murmurFactor : word)) * murmurFactor;
  }
  return mixed(mixed(hash) * murmurFactor);
}

namespace {
/// Arithmetic on hashes while the program runs.
struct HashBuilder {
  OpBuilder &b;
  Location loc;

  Value number(uint64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(int64_t(value)));
  }
  Value times(Value value) { return arith::MulIOp::create(b, loc, value, number(murmurFactor)); }
  Value bitXor(Value a, Value c) { return arith::XOrIOp::create(b, loc, a, c); }
  Value mix(Value value) {
    return bitXor(value, arith::ShRUIOp::create(b, loc, value, number(47)));
  }
  /// The bytes of a float are one word; both zeros are 0.
  Value ofFloat(Value value) {
    Value bits = arith::BitcastOp::create(b, loc, b.getI64Type(), value);
    Value hash = times(bitXor(number(murmurSeed ^ 8 * murmurFactor), times(mix(times(bits)))));
    Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
    Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value, zero);
    return arith::SelectOp::create(b, loc, isZero, number(0), mix(times(mix(hash))));
  }
  Value combine(Value seed, Value hash) {
    Value sum = arith::AddIOp::create(b, loc, hash, number(0x9e3779b9));
    sum = arith::AddIOp::create(b, loc, sum, arith::ShLIOp::create(b, loc, seed, number(6)));
    sum = arith::AddIOp::create(b, loc, sum, arith::ShRUIOp::create(b, loc, seed, number(2)));
    return bitXor(seed, sum);
  }
};
} // namespace

/// A device has its kind in the upper bits, its number (255 where it has none) in the lower ones.
static Value hashOfDevice(HashBuilder build, Value device) {
  Attribute known;
  auto name = matchPattern(device, m_Constant(&known)) ? dyn_cast<StringAttr>(known) : StringAttr();
  auto [kind, number] = name ? name.getValue().split(':') : std::pair<StringRef, StringRef>();
  uint64_t place = 255;
  bool isKnown =
      (kind == "cpu" || kind == "cuda") && (number.empty() || !number.getAsInteger(10, place));
  return isKnown ? build.number(uint64_t(kind == "cuda") << 16 | (place & 255)) : Value();
}

/// Null for a value of another type, or a string that is not known. A member of an Enum, which
/// PyTorch hashes otherwise, looks as a tuple of a string and one more does.
static Value hashValue(HashBuilder build, Value value) {
  Type type = value.getType();
  if (type.isInteger(64))
    return value;
  if (type.isInteger(1))
    return arith::ExtUIOp::create(build.b, build.loc, build.b.getI64Type(), value);
  if (type.isF64())
    return build.ofFloat(value);
  if (isa<NoneType>(type))
    return build.number(0);
  std::optional<StringRef> text = StrInfo(value).known;
  if (isa<StrType>(type) && text)
    return build.number(hashOfBytes(*text));
  if (isa<DeviceType>(type))
    return hashOfDevice(build, value);
  auto tuple = dyn_cast<TupleType>(type);
  bool mayBeMember =
      tuple && tuple.getTypes().size() == 2 && isa<StrType>(tuple.getTypes().front());
  if (!tuple || mayBeMember)
    return {};
  Value hash = build.number(0);
  for (auto [i, element] : llvm::enumerate(tuple.getTypes())) {
    Value part = TupleIndexOp::create(build.b, build.loc, element, value, i);
    Value partHash = hashValue(build, part);
    if (!partHash)
      return {};
    hash = build.combine(hash, partHash);
  }
  return hash;
}

Decomposition hashOf(Any value) {
  GraphBuilder &build = *value.b;
  if (Value hash = hashValue({build.builder, build.loc}, value.v))
    return Any(build, hash);
  return build.notYet(
      "a number, a known string or device, or a tuple of such: compare other values "
      "themselves, not their hashes");
}

} // namespace jit

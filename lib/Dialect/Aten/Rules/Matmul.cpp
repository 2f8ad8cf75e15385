//===- Matmul.cpp - builders for the rules of Matmul.td -------------------===//

#include "Rules/Matmul.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/TypeNames.h"
#include <cmath>

using namespace mlir;

namespace jit {

static constexpr int64_t unknown = TensorType::kDynamic;

/// The element type of both, which must be the same.
static Type commonDtype(TensorInfo a, TensorInfo b) { return a.dtype() ? a.dtype() : b.dtype(); }

/// True, or an error, unless the two element types may be equal.
static bool haveOneDtype(TypeRules &infer, TensorInfo a, TensorInfo b) {
  if (!a.dtype() || !b.dtype() || a.dtype() == b.dtype())
    return true;
  std::string text;
  llvm::raw_string_ostream(text) << a.dtype() << " and " << b.dtype();
  infer.error("expected operands of one element type, got " + text);
  return false;
}

/// True, or an error, unless the two sizes may be equal.
static bool meets(TypeRules &infer, int64_t a, int64_t b) {
  if (a == b || a == unknown || b == unknown)
    return true;
  infer.error("expected as many columns as rows, got " + Twine(a) + " and " + Twine(b));
  return false;
}

/// The type of a @ b with elements of `dtype`.
static Type multiplied(TypeRules &infer, TensorInfo a, TensorInfo b, Type dtype) {
  if (!a.hasRank() || !b.hasRank())
    return infer.unranked(dtype);
  if (a.rank() == 0 || b.rank() == 0)
    return infer.error("expected operands of rank 1 or more, got rank 0");
  if (!meets(infer, a.size(-1), b.size(b.rank() == 1 ? 0 : -2)))
    return {};
  auto batchOf = [](TensorInfo t) { return t.sizes().drop_back(std::min<int64_t>(2, t.rank())); };
  ArrayRef<int64_t> batchA = batchOf(a), batchB = batchOf(b);
  SmallVector<int64_t> sizes(std::max(batchA.size(), batchB.size()), 1);
  for (ArrayRef<int64_t> batch : {batchA, batchB})
    for (size_t i = 1; i <= batch.size(); ++i) {
      int64_t &size = sizes[sizes.size() - i];
      auto common = broadcastDim(size, batch[batch.size() - i]);
      if (!common)
        return infer.error("expected batches that broadcast, got " + Twine(size) + " and " +
                           Twine(batch[batch.size() - i]));
      size = *common;
    }
  if (a.rank() > 1)
    sizes.push_back(a.size(-2));
  if (b.rank() > 1)
    sizes.push_back(b.size(-1));
  return infer.tensor(sizes, dtype);
}

Type multiplied(TypeRules &infer, TensorInfo a, TensorInfo b) {
  return haveOneDtype(infer, a, b) ? multiplied(infer, a, b, commonDtype(a, b)) : Type();
}

Type multipliedWide(TypeRules &infer, TensorInfo a, TensorInfo b) {
  return multiplied(infer, a, b, Float32Type::get(infer.context));
}

Type multipliedBytes(TypeRules &infer, TensorInfo a, TensorInfo b) {
  for (Type dtype : {a.dtype(), b.dtype()})
    if (dtype && (!isa<IntegerType>(dtype) || dtype.getIntOrFloatBitWidth() != 8)) {
      std::string text;
      llvm::raw_string_ostream(text) << dtype;
      return infer.error("expected integers of 8 bits, got " + text);
    }
  return multiplied(infer, a, b, IntegerType::get(infer.context, 32));
}

Type linear(TypeRules &infer, TensorInfo input, TensorInfo weight) {
  if (!haveOneDtype(infer, input, weight))
    return {};
  Type dtype = commonDtype(input, weight);
  if (!input.hasRank() || !weight.hasRank())
    return infer.unranked(dtype);
  if (input.rank() == 0 || weight.rank() == 0 || weight.rank() > 2)
    return infer.error("expected a weight of rank 1 or 2 and an input of rank 1 or more");
  if (!meets(infer, input.size(-1), weight.size(-1)))
    return {};
  SmallVector<int64_t> sizes(input.sizes().drop_back());
  if (weight.rank() == 2)
    sizes.push_back(weight.size(0));
  return infer.tensor(sizes, dtype);
}

Type addedTo(TypeRules &infer, Value tensor, Type product) {
  auto added = dyn_cast<TensorType>(tensor.getType()), sums = dyn_cast_or_null<TensorType>(product);
  if (!added || !sums || !added.hasRank() || !sums.hasRank())
    return product;
  auto fits = [](auto pair) {
    auto [own, size] = pair;
    return own == size || own == 1 || own == unknown || size == unknown;
  };
  if (added.getRank() <= sums.getRank() &&
      llvm::all_of(llvm::zip(llvm::reverse(added.getSizes()), llvm::reverse(sums.getSizes())),
                   fits))
    return product;
  std::string text;
  llvm::raw_string_ostream(text) << added << " for " << sums;
  return infer.error("expected a tensor that broadcasts to the product that it is added to, got " +
                     text);
}

Type outer(TypeRules &infer, TensorInfo a, TensorInfo b) {
  Type dtype = promotedType({a.value, b.value}, /*toFloat=*/false);
  auto size = [](TensorInfo t) { return t.hasRank() && t.rank() == 1 ? t.size(0) : unknown; };
  return infer.tensor({size(a), size(b)}, dtype);
}

Type scaledProduct(TypeRules &infer, TensorInfo self, TensorInfo mat2, IntInfo dtype) {
  if (self.dtype() && !isFloat8(self.dtype()))
    return infer.error("expected floats of eight bits, got " +
                       spellWithSizes(self.value.getType()));
  return multiplied(infer, self, mat2, infer.dtypeOr(dtype, self.dtype()));
}

/// PyTorch's CPU leaves a factor of the result out, which is for what other devices store.
Decomposition scaledProduct(Tensor self, Tensor mat2, Tensor scaleSelf, Tensor scaleMat2,
                            OptTensor bias, OptTensor, OptInt dtype) {
  Type type = self.info().dtype();
  if (!type || !scaleSelf.info().hasRank() || !scaleMat2.info().hasRank())
    return failure();
  GraphBuilder &build = *self.b;
  auto wide = [&](Tensor tensor) {
    return build.op<aten::ToDTypeOp>(tensor, int64_t(ScalarType::Float), false, false,
                                     build.none());
  };
  Tensor sums = build.op<aten::MmOp>(wide(self), wide(mat2)) * wide(scaleSelf) * wide(scaleMat2);
  if (bias)
    sums = sums + wide(*bias);
  Int result = dtype ? *dtype : build.i(int64_t(*typeToDtype(type)));
  return build.op<aten::ToDTypeOp>(sums, result, false, false, build.none());
}

Decomposition outer(Tensor a, Tensor b) {
  if (!a.info().hasRank() || a.info().rank() != 1)
    return failure();
  return a.b->op<aten::UnsqueezeOp>(a, 1) * b;
}

} // namespace jit

//===- ComplexRules.cpp - what operators give of complex tensors ----------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace jit {

using Call = const ComplexCall &;
using Given = std::optional<Parts>;

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static Tensor isNotZero(const Parts &a) { return a.re != 0.0 || imaginary(a) != 0.0; }
static Given bothAreNotZero(Call call) { return Parts{isNotZero(call[0]) && isNotZero(call[1])}; }
static Given eitherIsNotZero(Call call) { return Parts{isNotZero(call[0]) || isNotZero(call[1])}; }
static Given oneIsNotZero(Call call) {
  Tensor result = call.build.op<aten::NeTensorOp>(isNotZero(call[0]), isNotZero(call[1]));
  return Parts{result};
}
/// What asks of each element only whether it is zero.
static Given ofTruth(Call call) {
  SmallVector<Value> operands(call.op->getOperands());
  operands[0] = isNotZero(call[0]).v;
  Operation *op = createInferred(call.build.builder, call.build.loc, call.op->getName(), operands);
  return op ? Given(Parts{Tensor(call.build, op->getResult(0))}) : std::nullopt;
}
static Given isZero(Call call) { return Parts{!isNotZero(call[0])}; }

static Given equal(Call call) {
  return Parts{call[0].re == call[1].re && imaginary(call[0]) == imaginary(call[1])};
}
static Given unequal(Call call) { return Parts{!equal(call)->re}; }
static Given equalNumber(Call call) {
  return Parts{call[0].re == call.value(1) && imaginary(call[0]) == 0.0};
}
static Given unequalNumber(Call call) { return Parts{!equalNumber(call)->re}; }

static Given eitherIsNan(Call call) {
  return Parts{isNan(call[0].re) || isNan(imaginary(call[0]))};
}
static Given bothAreFinite(Call call) {
  return Parts{isFinite(call[0].re) && isFinite(imaginary(call[0]))};
}
static Given eitherIsInfinite(Call call) {
  auto test = [](Tensor t) -> Tensor { return t.b->op<aten::IsinfOp>(t); };
  return Parts{test(call[0].re) || test(imaginary(call[0]))};
}

//===----------------------------------------------------------------------===//
// Parts and elements
//===----------------------------------------------------------------------===//

static Given realPart(Call call) { return Parts{call[0].re}; }
static Given imaginaryPart(Call call) { return Parts{imaginary(call[0])}; }
static Given fromParts(Call call) { return Parts{call[0].re, call[1].re}; }
static Given conjugate(Call call) { return conj(call[0]); }

/// [..., 2].
static Given inMemory(Call call) {
  Tensor parts[] = {unsqueeze(call[0].re, -1), unsqueeze(imaginary(call[0]), -1)};
  return Parts{call.build.op<aten::CatOp>(call.build.list(parts), -1)};
}

static Type resultDtype(Call call) { return TensorInfo(call.op->getResult(0)).dtype(); }

/// To other parts what a rule gives is converted anyway; to real numbers they lose the imaginary
/// one.
static Given conversion(Call call) {
  bool toBool = resultDtype(call).isInteger(1);
  return toBool ? Parts{isNotZero(call[0])} : call[0];
}

Parts inResultDtype(Call call, unsigned i) {
  auto dtype = cast<ComplexType>(resultDtype(call)).getElementType();
  return each(call[i], [&](Tensor t) -> Tensor {
    return call.build.op<aten::ToDTypeOp>(t, int64_t(*typeToDtype(dtype)), false, false,
                                          call.build.none());
  });
}
static Given sumAlong(Call call) {
  if (!isa<ComplexType>(resultDtype(call)))
    return std::nullopt;
  return each(inResultDtype(call, 0), [&](Tensor t) -> Tensor {
    return call.build.op<aten::SumDimIntListOp>(t, call.value(1), call.value(2), call.build.none());
  });
}
static Given runningSum(Call call) {
  if (!isa<ComplexType>(resultDtype(call)))
    return std::nullopt;
  return each(inResultDtype(call, 0), [&](Tensor t) -> Tensor {
    return call.build.op<aten::CumsumOp>(t, call.value(1), call.build.none());
  });
}

/// The first half of a dimension by the second one, until there is one element.
static std::optional<Parts> productOf(Parts a, int64_t dim) {
  if (!a.re.info().hasRank() || a.re.info().size(dim) == TensorType::kDynamic)
    return std::nullopt;
  int64_t size = a.re.info().size(dim);
  if (size == 0)
    return Parts{sum(a.re, {dim}, true) + 1.0};
  if (size == 1) // times the 1 that PyTorch begins with
    return full(a) * full(Parts{onesLike(a.re)});
  for (; size > 1; size = (size + 1) / 2) {
    auto part = [&](int64_t start, int64_t end) {
      return each(a, [&](Tensor t) -> Tensor {
        return t.b->op<aten::SliceTensorOp>(t, dim, start, end, 1);
      });
    };
    Parts half = part(0, size / 2) * part(size / 2, size / 2 * 2);
    if (size % 2 == 0) {
      a = half;
      continue;
    }
    Parts last = part(size - 1, size);
    auto joined = [&](Tensor x, Tensor y) -> Tensor {
      return x.b->op<aten::CatOp>(x.b->list(ArrayRef<Tensor>{x, y}), dim);
    };
    a = {joined(half.re, last.re), joined(imaginary(half), imaginary(last))};
  }
  return a;
}
static Given productAlong(Call call) {
  auto dim = IntInfo(call.op->getOperand(1)).known;
  auto keepdim = BoolInfo(call.op->getOperand(2)).known;
  if (!isa<ComplexType>(resultDtype(call)) || !dim || !keepdim)
    return std::nullopt;
  auto product = productOf(inResultDtype(call, 0), *dim);
  if (product && !*keepdim)
    return each(*product, [&](Tensor t) { return squeeze(t, *dim); });
  return product;
}
static Given productOfAll(Call call) {
  if (!isa<ComplexType>(resultDtype(call)))
    return std::nullopt;
  Parts row = each(inResultDtype(call, 0),
                   [](Tensor t) -> Tensor { return t.b->op<aten::ReshapeOp>(t, t.b->ints({-1})); });
  auto product = productOf(row, 0);
  return product ? Given(each(*product, [](Tensor t) { return squeeze(t, 0); })) : std::nullopt;
}

/// The variances of both parts together.
static Given variance(Call call) {
  StringRef name = call.op->getName().getStringRef();
  bool isRoot = name.consume_front("aten.std");
  OperationName ofPart(isRoot ? ("aten.var" + name).str() : name.str(), call.op->getContext());
  auto varianceOf = [&](Tensor t) {
    SmallVector<Value> operands(call.op->getOperands());
    operands[0] = t.v;
    Operation *op = createInferred(call.build.builder, call.build.loc, ofPart, operands);
    return Tensor(call.build, op ? op->getResult(0) : t.v);
  };
  Tensor both = varianceOf(call[0].re) + varianceOf(imaginary(call[0]));
  return Parts{isRoot ? sqrt(both) : both};
}

static Given ofOneNumber(Call call) {
  auto dtype = dyn_cast<ComplexType>(resultDtype(call));
  if (!dtype)
    return std::nullopt;
  auto filledWith = [&](Any number) -> Tensor {
    return call.build.op<aten::FullOp>(call.value(0), number,
                                       int64_t(*typeToDtype(dtype.getElementType())), call.value(3),
                                       call.value(4), call.value(5));
  };
  if (!isa<ComplexType>(call.value(1).v.getType()))
    return Parts{filledWith(call.value(1))};
  ComplexNumber number(call.build, call.value(1).v);
  return Parts{filledWith(number.re()), filledWith(number.im())};
}

/// A list of real numbers as a complex tensor.
static Given ofList(Call call) {
  auto dtype = dyn_cast<ComplexType>(resultDtype(call));
  Type number = call.value(0).v.getType();
  while (auto list = dyn_cast<ListType>(number))
    number = list.getElementType();
  if (!dtype || !number.isIntOrFloat())
    return std::nullopt;
  return Parts{call.build.op<aten::TensorOp>(
      call.value(0), int64_t(*typeToDtype(dtype.getElementType())), call.value(2), false)};
}

static Given sizeOfPart(Call call) {
  Int size = call.build.intOp<aten::SizeIntOp>(call[0].re, call.value(1));
  return Parts{Tensor(call.build, size.v)};
}

static Given padding(Call call) {
  auto pad = [&](Tensor t, Any value) -> Tensor {
    return call.build.op<aten::ConstantPadNdOp>(t, call.value(1), value);
  };
  return Parts{pad(call[0].re, call.value(2)), pad(imaginary(call[0]), call.build.i(0))};
}

static Given filledByMask(Call call) {
  if (call[2].im) {
    auto fillWith = [&](Tensor t, Tensor value) -> Tensor {
      return call.build.op<aten::MaskedFillTensorOp>(t, call[1].re, value);
    };
    return Parts{fillWith(call[0].re, call[2].re), fillWith(imaginary(call[0]), *call[2].im)};
  }
  auto fill = [&](Tensor t, Any value) -> Tensor {
    return call.build.op<aten::MaskedFillScalarOp>(t, call[1].re, value);
  };
  return Parts{fill(call[0].re, call.value(2)), fill(imaginary(call[0]), call.build.i(0))};
}

static Given filledAtIndex(Call call) {
  Any dim = call.value(1), index = call.value(2);
  if (call[3].im) {
    auto fillWith = [&](Tensor t, Tensor value) -> Tensor {
      return call.build.op<aten::IndexFillTensorOp>(t, dim, index, value);
    };
    return Parts{fillWith(call[0].re, call[3].re), fillWith(imaginary(call[0]), *call[3].im)};
  }
  auto fill = [&](Tensor t, Any value) -> Tensor {
    return call.build.op<aten::IndexFillScalarOp>(t, dim, index, value);
  };
  return Parts{fill(call[0].re, call.value(3)), fill(imaginary(call[0]), call.build.i(0))};
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

template <typename OpTy> static Given matrixProduct(Call call) {
  return bilinear(call[0], call[1],
                  [](Tensor a, Tensor b) -> Tensor { return a.b->op<OpTy>(a, b); });
}
static Given hermitianProduct(Call call) {
  return bilinear(conj(call[0]), call[1],
                  [](Tensor a, Tensor b) -> Tensor { return a.b->op<aten::DotOp>(a, b); });
}
static Given addedProduct(Call call) {
  Parts product = bilinear(call[1], call[2], [](Tensor a, Tensor b) { return matmul(a, b); });
  return scaled(call[0], call.value(3)) + scaled(product, call.value(4));
}
static Given linear(Call call) {
  Parts product = bilinear(call[0], call[1], [](Tensor a, Tensor b) -> Tensor {
    return a.b->op<aten::LinearOp>(a, b, a.b->none());
  });
  return call.value(2).isNone() ? product : product + call[2];
}

ComplexRule complexRule(StringRef name) {
  static const llvm::StringMap<ComplexRule> rules = {{"logical_and", bothAreNotZero},
                                                     {"logical_or", eitherIsNotZero},
                                                     {"logical_xor", oneIsNotZero},
                                                     {"logical_not", isZero},
                                                     {"any", ofTruth},
                                                     {"any.dim", ofTruth},
                                                     {"any.dims", ofTruth},
                                                     {"all", ofTruth},
                                                     {"all.dim", ofTruth},
                                                     {"all.dims", ofTruth},
                                                     {"nonzero", ofTruth},
                                                     {"argwhere", ofTruth},
                                                     {"eq.Tensor", equal},
                                                     {"ne.Tensor", unequal},
                                                     {"eq.Scalar", equalNumber},
                                                     {"ne.Scalar", unequalNumber},
                                                     {"isnan", eitherIsNan},
                                                     {"isinf", eitherIsInfinite},
                                                     {"isfinite", bothAreFinite},
                                                     {"real", realPart},
                                                     {"imag", imaginaryPart},
                                                     {"complex", fromParts},
                                                     {"conj", conjugate},
                                                     {"_conj", conjugate},
                                                     {"conj_physical", conjugate},
                                                     {"_conj_physical", conjugate},
                                                     {"view_as_real", inMemory},
                                                     {"to.dtype", conversion},
                                                     {"sum.dim_IntList", sumAlong},
                                                     {"prod", productOfAll},
                                                     {"prod.dim_int", productAlong},
                                                     {"var", variance},
                                                     {"var.dim", variance},
                                                     {"var.correction", variance},
                                                     {"std", variance},
                                                     {"std.dim", variance},
                                                     {"std.correction", variance},
                                                     {"cumsum", runningSum},
                                                     {"full", ofOneNumber},
                                                     {"tensor", ofList},
                                                     {"as_tensor.list", ofList},
                                                     {"size.int", sizeOfPart},
                                                     {"constant_pad_nd", padding},
                                                     {"masked_fill.Scalar", filledByMask},
                                                     {"index_fill.int_Scalar", filledAtIndex},
                                                     {"mm", matrixProduct<aten::MmOp>},
                                                     {"bmm", matrixProduct<aten::BmmOp>},
                                                     {"mv", matrixProduct<aten::MvOp>},
                                                     {"dot", matrixProduct<aten::DotOp>},
                                                     {"matmul", matrixProduct<aten::MatmulOp>},
                                                     {"vdot", hermitianProduct},
                                                     {"addmm", addedProduct},
                                                     {"baddbmm", addedProduct},
                                                     {"addmv", addedProduct},
                                                     {"linear", linear},
                                                     {"_fft_c2c", complexToComplex},
                                                     {"_fft_r2c", realToComplex},
                                                     {"_fft_c2r", complexToReal}};
  for (ComplexRule rule : {rules.lookup(name), arithmeticRule(name)})
    if (rule)
      return rule;
  return functionOfNumbers(name);
}

} // namespace jit

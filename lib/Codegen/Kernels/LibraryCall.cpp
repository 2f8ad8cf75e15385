//===- LibraryCall.cpp - work of a library among kernels ------------------===//
#include "Kernels/LibraryCall.h"

using namespace mlir;

bool jit::codegen::isLibraryCall(Operation *op) {
  return op->hasAttr(libraryProductAttrName) || op->hasAttr(libraryConvolutionAttrName);
}

void jit::codegen::makeLibraryCall(OpBuilder &b, Location loc, ValueRange inputs, Value result,
                                   StringRef attrName, ArrayRef<int64_t> numbers) {
  // A loop for each dimension of each operand: so all of them fit, whatever the library does.
  unsigned loops = 0;
  auto rankOf = [](Value buffer) { return cast<MemRefType>(buffer.getType()).getRank(); };
  for (Value input : inputs)
    loops += rankOf(input);
  SmallVector<utils::IteratorType> kinds(loops, utils::IteratorType::reduction);
  kinds.append(rankOf(result), utils::IteratorType::parallel);
  SmallVector<AffineMap> maps;
  unsigned first = 0;
  auto addMap = [&](Value buffer) {
    SmallVector<AffineExpr> dims;
    for (int64_t dim = 0; dim < rankOf(buffer); ++dim)
      dims.push_back(b.getAffineDimExpr(first++));
    maps.push_back(AffineMap::get(kinds.size(), 0, dims, b.getContext()));
  };
  for (Value input : inputs)
    addMap(input);
  addMap(result);
  auto op = linalg::GenericOp::create(b, loc, TypeRange(), inputs, ValueRange(result), maps, kinds,
                                      [&](OpBuilder &inner, Location loc, ValueRange elements) {
                                        linalg::YieldOp::create(inner, loc, elements.back());
                                      });
  op->setAttr(attrName, b.getDenseI64ArrayAttr(numbers));
}

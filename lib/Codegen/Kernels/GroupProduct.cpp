//===- GroupProduct.cpp - a product that a group of warps waits for -------===//
#include "Kernels/GroupProduct.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using jit::codegen::GroupProduct;

DenseI64ArrayAttr GroupProduct::toAttribute(MLIRContext *context) const {
  return DenseI64ArrayAttr::get(
      context, {columns, steps, isBrain, isRightByColumns, isLeftInRegisters, addsUp});
}

GroupProduct GroupProduct::of(DenseI64ArrayAttr numbers) {
  ArrayRef<int64_t> n = numbers;
  return {n[0], n[1], n[2] != 0, n[3] != 0, n[4] != 0, n[5] != 0};
}

/// "{$first, ...}", of `count` operands.
static std::string listOf(size_t first, size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

/// The instructions; `sums`, `left` and `right` are the numbers of the first operand of each.
static std::string textOf(const GroupProduct &product, size_t sums, size_t left, size_t right) {
  std::string kind = product.isBrain ? "bf16" : "f16";
  std::string text = "{\n.reg .pred p;\nwgmma.fence.sync.aligned;\n";
  for (size_t step = 0; step < size_t(product.steps); ++step) {
    // The predicate says whether what was there before counts.
    bool adds = product.addsUp || step > 0;
    text += "setp.ne.b32 p, " + std::to_string(adds ? 1 : 0) + ", 0;\n";
    text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(product.columns) + "k16.f32." +
            kind + "." + kind + " " + listOf(sums, size_t(product.columns / 2)) + ", ";
    text +=
        product.isLeftInRegisters ? listOf(left + step * 4, 4) : "$" + std::to_string(left + step);
    text += ", $" + std::to_string(right + step) + ", p, 1, 1";
    text += product.isLeftInRegisters ? "" : ", 0";
    text += std::string(", ") + (product.isRightByColumns ? "1" : "0") + ";\n";
  }
  return text + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}\n";
}

SmallVector<Value> jit::codegen::multiplyByGroup(OpBuilder &b, Location loc,
                                                 const GroupProduct &product, ValueRange sums,
                                                 ValueRange left, ValueRange right) {
  auto count = static_cast<size_t>(product.columns / 2);
  std::string constraints;
  for (size_t i = 0; i < count; ++i)
    constraints += product.addsUp ? "=f," : "=&f,";
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += std::to_string(i) + ",";
  for (size_t i = 0; i < left.size(); ++i)
    constraints += product.isLeftInRegisters ? "r," : "l,";
  for (size_t i = 0; i < right.size(); ++i)
    constraints += "l,";
  constraints += "~{memory}";
  SmallVector<Value> operands(sums);
  llvm::append_range(operands, left);
  llvm::append_range(operands, right);
  SmallVector<Type> numbers(count, b.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), numbers);
  size_t first = count + sums.size();
  auto dialect = LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  auto assembly = LLVM::InlineAsmOp::create(
      b, loc, type, operands, textOf(product, 0, first, first + left.size()), constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None, dialect,
      /*operand_attrs=*/ArrayAttr());
  assembly->setAttr(groupProductAttrName, product.toAttribute(b.getContext()));
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, loc, assembly.getRes(), int64_t(i)));
  return results;
}

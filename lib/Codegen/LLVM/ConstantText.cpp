//===- ConstantText.cpp - texts in compiled code --------------------------===//
#include "LLVM/ConstantText.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

Value jit::codegen::constantText(OpBuilder &b, Location loc, ModuleOp module, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  // Equal texts share a global, whose name is the bytes' hash.
  std::string name = llvm::formatv("jit.text.{0:x-}", llvm::hash_value(bytes));
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  while (global && cast<StringAttr>(global.getValueAttr()).getValue() != bytes) {
    name += "_";
    global = module.lookupSymbol<LLVM::GlobalOp>(name);
  }
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name, b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, loc, global);
}

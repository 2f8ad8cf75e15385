//===- GraphPrinter.h - a program as a printed graph ------------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_GRAPHPRINTER_H
#define JIT_LIB_IMPORT_GRAPHPRINTER_H

#include "jit/Dialect/Jit/Opaque.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

namespace jit {

class GraphPrinter {
public:
  explicit GraphPrinter(llvm::raw_ostream &os) : os(os) {}

  /// False after an error.
  bool print(mlir::func::FuncOp function);

private:
  // ---- The graph ----
  void printInputs(mlir::func::FuncOp function);
  void printBody(mlir::Block &block);
  void printReturn(mlir::Block &block);
  void printSubgraphs();
  void printOperation(mlir::Operation *op);
  std::string argumentName(mlir::func::FuncOp function, unsigned index);

  // ---- Nodes ----
  /// `%a : T = name[attributes](%x)`, and where it came from.
  void printAs(llvm::StringRef name, mlir::Operation *op, mlir::ValueRange operands,
               llvm::StringRef attributes = {});
  void printNode(llvm::StringRef name, mlir::Operation *op, mlir::ValueRange results,
                 llvm::ArrayRef<std::string> operands, llvm::StringRef attributes = {});
  void printLine(llvm::StringRef name, mlir::Location loc, llvm::ArrayRef<std::string> results,
                 llvm::ArrayRef<std::string> operands, llvm::StringRef attributes);
  void printLocation(mlir::Location loc);
  bool printConstant(mlir::Operation *op);
  bool printJit(mlir::Operation *op);
  bool printAten(mlir::Operation *op);
  void printOverwrite(OverwriteOp op);
  void printOpaque(OpaqueOp op);
  std::string subgraphName(OpaqueOp op);
  void printTupleIndex(TupleIndexOp op);
  void printRaise(RaiseOp op);
  void printSlot(SlotGetOp op);
  void printGeneric(mlir::Operation *op);
  /// A constant of the text alone: its name.
  std::string helper(llvm::StringRef type, const llvm::Twine &value, mlir::Location loc);

  // ---- Blocks ----
  void printIf(mlir::scf::IfOp op);
  void printFor(mlir::scf::ForOp op);
  void printWhile(mlir::scf::WhileOp op);
  void printLoop(mlir::Operation *op, mlir::ValueRange results,
                 llvm::ArrayRef<std::string> operands);
  void openBlock(unsigned index, llvm::ArrayRef<std::string> names, mlir::TypeRange types);
  void closeBlock(llvm::ArrayRef<std::string> values);

  // ---- Names ----
  std::string fresh();
  const std::string &name(mlir::Value value);
  void bind(mlir::ValueRange values, llvm::ArrayRef<std::string> to);
  llvm::SmallVector<std::string> names(mlir::ValueRange values);
  llvm::raw_ostream &line() { return os.indent(indent); }
  void fail(mlir::Operation *op, const llvm::Twine &what);

  llvm::raw_ostream &os;
  unsigned indent = 2;
  llvm::DenseMap<mlir::Value, std::string> valueNames;
  llvm::StringSet<> taken;
  unsigned next = 0;
  /// The nodes of the graph that is being printed which have a graph beside them, by the names that
  /// they are printed under.
  std::vector<std::pair<std::string, OpaqueOp>> subgraphs;
  /// Names under which nodes without one are printed.
  llvm::StringSet<> plainNames;
  /// The module, where the program reads its state.
  std::string self;
  bool failed = false;
};

/// A type as graphs spell it: "Float(2, *)", "Tensor?[]".
std::string graphType(mlir::Type type);

} // namespace jit

#endif // JIT_LIB_IMPORT_GRAPHPRINTER_H

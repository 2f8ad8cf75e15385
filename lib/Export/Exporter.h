//===- Exporter.h - SSA to an exported graph --------------------*- C++ -*-===//
//
// The mirror image of lib/Import/Exported*.cpp. ExportedProgram.cpp: state, arguments, results;
// ExportedNodes.cpp: values and operators; ExportedForms.cpp: other words for them;
// ExportedScalars.cpp: numbers and checks; ExportedControlFlow.cpp: branches and loops.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_EXPORT_EXPORTER_H
#define JIT_LIB_EXPORT_EXPORTER_H

#include "SizeExpressions.h"
#include "jit/Archive/ExportedWriter.h"
#include "jit/Archive/StorageRecords.h"
#include "jit/CallSpec/CallSpec.h"
#include "jit/Dialect/Aten/Schema.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Export/Export.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace jit {

class Exporter {
public:
  Exporter(mlir::func::FuncOp function, const ExportedCall &call)
      : function(function), call(call), sizes(function) {}

  /// False after an error.
  bool run();

  exported::Program program;
  std::vector<exported::StoredTensor> state;

private:
  using Argument = exported::Argument;
  using Kind = Argument::Kind;
  using Graph = exported::Graph;
  using Tree = exported::Tree;
  using Values = llvm::DenseMap<mlir::Value, Argument>;

  // ---- State, arguments and results ----
  bool addState();
  /// A slot under its own name or another.
  bool addSlot(SlotOp slot, llvm::StringRef name);
  bool storeTensor(SlotOp slot, TensorType type, exported::StoredTensor &tensor);
  bool addInputs(const CallSpec &spec);
  bool addInput(const ValueSpec &spec, llvm::SmallVector<int64_t> path, const std::string &name,
                Tree &tree);
  bool addContainer(const ValueSpec &spec, llvm::SmallVector<int64_t> path, const std::string &name,
                    Tree &tree);
  bool addConstant(const ValueSpec &spec, const std::string &name);
  bool addWritten(mlir::ValueRange results, bool isState);
  bool addResults();
  bool addResult(mlir::Attribute shape, mlir::ValueRange results, Tree &tree);
  bool addDict(llvm::ArrayRef<mlir::Attribute> parts, mlir::ValueRange results, Tree &tree);
  void addOutput(const Argument &argument);

  // ---- Values ----
  std::string unique(const std::string &base);
  /// A name for what an operation gives, with what is known of it.
  std::optional<Argument> define(mlir::Value value, const std::string &base);
  bool describe(mlir::Value value, const Argument &named);
  std::optional<Argument> argument(mlir::Value value, mlir::Operation *user);
  std::optional<Argument> constant(mlir::Attribute value);
  /// The expression of a number that is a constant or has a name.
  std::string expressionOf(const Argument &number) const;

  // ---- Nodes ----
  bool addBlock(mlir::Block &block);
  bool addOperation(mlir::Operation *op);
  bool addOperator(mlir::Operation *op);
  bool addInputsOf(mlir::Operation *op, const Schema &schema, llvm::StringRef text,
                   exported::Node &node);
  bool addOutputsOf(mlir::Operation *op, const Schema &schema, const std::string &base,
                    exported::Node &node);
  bool addList(mlir::Operation *op, const std::string &base, exported::Node &node);
  bool addRows(ListFromTensorOp op);
  bool addTensorOfList(mlir::Operation *op);
  bool addComplexOperand(mlir::Operation *op);
  bool isTheSame(mlir::Operation *op);
  bool addNode(exported::Node node, mlir::Location loc);
  bool fail(mlir::Operation *op, const llvm::Twine &what);

  // ---- Numbers ----
  /// Whether \p op is on numbers; \p done says whether it went well.
  bool addScalar(mlir::Operation *op, bool &done);
  bool addNumber(mlir::Operation *op, const std::string &target, const std::string &function,
                 mlir::ValueRange operands);
  bool addItem(mlir::Operation *op);
  bool addSize(mlir::Operation *op);
  bool addGuard(GuardOp op);
  /// Says what a number with a name is.
  void noteNumber(const Argument &named, const std::string &expression);
  bool addCompare(mlir::Operation *op, llvm::StringRef predicate);

  // ---- Blocks ----
  bool addIf(mlir::scf::IfOp op);
  bool addFor(mlir::scf::ForOp op);
  bool addWhile(mlir::scf::WhileOp op);
  /// The results are those of what is carried, in its order.
  struct Loop {
    llvm::ArrayRef<mlir::Value> initial, carried, results;
    std::function<bool()> test, body;
  };
  bool addLoop(mlir::Operation *op, Loop loop, llvm::ArrayRef<mlir::Value> captures);
  bool keepsSizes(mlir::Operation *op, mlir::ValueRange carried, const Argument &initial);
  /// What the regions take from outside and is no constant.
  llvm::SetVector<mlir::Value> capturesOf(mlir::Operation *op);
  void addCapture(mlir::Operation *op, mlir::Value value, llvm::SetVector<mlir::Value> &captures);
  bool addOperands(mlir::ValueRange operands, mlir::Operation *op, Argument &list);
  bool takeInput(mlir::Value value, const exported::TensorMeta &meta);
  /// Makes \p fill add to a graph of its own, in which \p inputs stand for the operands.
  std::optional<Graph> subgraph(llvm::ArrayRef<mlir::Value> inputs, const Argument &operands,
                                llvm::function_ref<bool()> fill);
  /// What a block gives must be a tensor; a number is put into one, and taken out behind it.
  bool addYield(mlir::Operation *op, mlir::ValueRange values);
  bool addTaken(mlir::Operation *op, mlir::ValueRange results, exported::Node node);
  std::optional<Argument> tensorOf(const Argument &number, mlir::Type type, mlir::Operation *op);
  bool itemOf(const Argument &tensor, mlir::Value number);

  mlir::func::FuncOp function;
  const ExportedCall &call;
  SizeExpressions sizes;
  Graph *graph = nullptr;
  Values values;
  /// What the operation that is being written takes for a real tensor.
  Values complexOf;
  /// By the paths of slots.
  llvm::StringMap<Argument> slots;
  /// Numbers by their names: expressions over symbols.
  llvm::StringMap<std::string> expressions;
  /// By the names of numbers that are tensors' elements.
  llvm::StringMap<Argument> tensorOfItem;
  llvm::StringMap<unsigned> taken;
  /// Of user inputs: their names by their paths.
  std::map<std::vector<int64_t>, std::string> inputAt;
  /// Where weights lie.
  std::optional<StorageRecords> records;
  unsigned nextGraph = 0;
  bool failed = false;
};

} // namespace jit

#endif // JIT_LIB_EXPORT_EXPORTER_H

//===- ExportedImporter.h - an exported graph to SSA ------------*- C++ -*-===//
//
// ExportedProgram.cpp: state, results, the function as a whole; ExportedInputs.cpp: arguments and
// what is demanded of them; ExportedNodes.cpp: values and operators; ExportedScalars.cpp: numbers
// and checks; ExportedControlFlow.cpp: operators that take graphs.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_EXPORTEDIMPORTER_H
#define JIT_LIB_IMPORT_EXPORTEDIMPORTER_H

#include "OperatorBuilder.h"
#include "jit/Archive/ExportedArchive.h"
#include "jit/Archive/SymbolicExpression.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

class ExportedImporter : OperatorBuilder {
public:
  ExportedImporter(const ExportedArchive &archive, mlir::MLIRContext &context,
                   const SchemaIndex &schemas, ImportErrors &errors)
      : OperatorBuilder(&context, schemas, errors), archive(archive), program(archive.program()) {}

  /// Null after errors.
  mlir::OwningOpRef<mlir::ModuleOp> import();

private:
  using Argument = exported::Argument;
  using Graph = exported::Graph;
  using Node = exported::Node;
  using Tree = exported::Tree;
  using Values = llvm::SmallVector<mlir::Value>;

  // ---- The program ----
  void importState();
  void importSlot(const exported::InputSpec &spec);
  void bindState();
  mlir::Value importResult(llvm::ArrayRef<mlir::Value> outputs);
  mlir::Value buildTree(const Tree &tree, llvm::ArrayRef<mlir::Value> &leaves);
  mlir::Value buildContainer(const Tree &tree, Values children);
  void writeBack(const exported::OutputSpec &spec, mlir::Value value);
  mlir::Location programLocation() const { return mlir::UnknownLoc::get(context); }

  // ---- Inputs ----
  using Inputs = llvm::ArrayRef<const exported::InputSpec *>;
  /// One for each argument of the method.
  struct Parameter {
    const Tree *tree;
    std::string name;
    Inputs leaves;
    mlir::Type type;
  };
  llvm::SmallVector<Parameter> parameters(Inputs leaves);
  mlir::func::FuncOp createFunction(llvm::ArrayRef<Parameter> parameters);
  mlir::Type inputType(const Tree &tree, Inputs &leaves);
  mlir::Type leafType(const exported::InputSpec &spec);
  TensorType tensorType(const exported::TensorMeta &meta);
  mlir::Attribute constantAttribute(const Argument &value);
  void bindInput(const Tree &tree, mlir::Value value, Inputs &leaves, const std::string &name);
  void bindLeaf(const exported::InputSpec &spec, mlir::Value value, const std::string &name);
  void bindTensor(const std::string &graphName, mlir::Value value, const std::string &name);
  void demandConstant(const Argument &constant, mlir::Value value, const std::string &name);
  /// An input's size, or an int among the inputs, that is an expression over symbols.
  struct Demand {
    SymbolicExpression expression;
    mlir::Value value;
    /// "dimension 0 of 'x'".
    std::string what;
  };
  void noteDemand(const std::string &expression, mlir::Value value, const std::string &what);
  void checkDemands();
  void checkRange(const std::string &symbol, const Demand &demand);
  /// Gives the one symbol that \p expression leaves open the value that makes it \p value.
  bool solve(const SymbolicExpression &expression, mlir::Value value, const Demand &demand);
  /// Null where a symbol or a call in it is not known.
  mlir::Value evaluate(const SymbolicExpression &expression);
  void demand(mlir::Value condition, const std::string &message,
              llvm::ArrayRef<mlir::Value> arguments);

  // ---- Nodes ----
  void importNodes(const Graph &graph);
  void importNode(const Node &node);
  void importEffect(const Node &node, mlir::Location loc);
  void bindOutputs(const Node &node, mlir::Value result, mlir::Location loc);
  void bind(const Argument &output, mlir::Value value, mlir::Location loc);
  mlir::Value value(const Argument &argument, mlir::Location loc);
  mlir::Value listOf(llvm::ArrayRef<mlir::Value> elements, mlir::Location loc);
  Values values(llvm::ArrayRef<Argument> arguments, mlir::Location loc);
  mlir::Value importOperator(const Node &node, llvm::StringRef name, llvm::StringRef overload,
                             mlir::Location loc);
  llvm::SmallVector<CallArgument> callArguments(const Node &node, mlir::Location loc);
  mlir::Location location(const Node &node) const;

  // ---- Numbers and checks ----
  using Form = mlir::Value (ExportedImporter::*)(const Node &node, mlir::Location loc);
  static Form findForm(llvm::StringRef target);
  mlir::Value importScalar(const Node &node, llvm::StringRef name, mlir::Location loc);
  mlir::Value convertScalar(mlir::Value value, Argument::Kind kind, mlir::Location loc);
  mlir::Value formItem(const Node &node, mlir::Location loc);
  mlir::Value formAssert(const Node &node, mlir::Location loc);
  mlir::Value formConstrainRange(const Node &node, mlir::Location loc);
  mlir::Value formNothing(const Node &node, mlir::Location loc);
  mlir::Value formSize(const Node &node, mlir::Location loc);
  mlir::Value formNumel(const Node &node, mlir::Location loc);
  mlir::Value formDetach(const Node &node, mlir::Location loc);
  mlir::Value formSelect(const Node &node, mlir::Location loc);
  mlir::Value formSum(const Node &node, mlir::Location loc);
  /// Another operator on the node's inputs in their order.
  mlir::Value onInputs(const Node &node, llvm::StringRef name, mlir::Location loc);
  /// A condition as i1.
  mlir::Value truth(mlir::Value value, mlir::Location loc);

  // ---- Graphs as operands ----
  mlir::Value formCond(const Node &node, mlir::Location loc);
  mlir::Value formWhileLoop(const Node &node, mlir::Location loc);
  mlir::Value formMap(const Node &node, mlir::Location loc);
  mlir::Value formScan(const Node &node, mlir::Location loc);
  mlir::Value formSetGradEnabled(const Node &node, mlir::Location loc);
  mlir::Value formAutocast(const Node &node, mlir::Location loc);
  mlir::Value formInline(const Node &node, mlir::Location loc);
  /// The operands' kinds are as in \p kinds: g a graph, l a list, v anything. False after an error.
  bool expectOperands(const Node &node, llvm::StringRef kinds, mlir::Location loc);
  /// The graph's outputs for these inputs.
  Values inlineGraph(const Graph &graph, mlir::ValueRange inputs, mlir::Location loc);
  Values yieldable(Values values, mlir::TypeRange types, mlir::Location loc);
  /// What lists and single values among the operands from \p first on stand for.
  Values operandsFrom(const Node &node, size_t first, mlir::Location loc);
  Values slicesAt(mlir::ValueRange tensors, mlir::Value index, mlir::Location loc);
  /// A loop over the first dimension of \p xs; each trip takes what is carried and its slices, and
  /// gives what is carried on and slices of further results, which are stacked.
  Values loopOverSlices(const Graph &body, Values initial, mlir::ValueRange xs,
                        mlir::ValueRange others, mlir::Location loc);
  mlir::Value resultOf(const Node &node, mlir::ValueRange values, mlir::Location loc);

  const ExportedArchive &archive;
  const exported::Program &program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Of the graph that is being imported.
  llvm::StringMap<mlir::Value> scope;
  /// State under a second name: the slot that holds it.
  llvm::StringMap<std::string> slots;
  llvm::StringMap<mlir::Value> symbols;
  std::vector<Demand> demands;
};

/// The narrowest type that holds all values, !jit.any where there is none; null for no values.
mlir::Type commonType(mlir::ValueRange values);

/// What stands for the result of an operator that is not there stands for each of its results.
bool isMissing(mlir::Value result);

/// The text as part of a guard's message, where braces would be taken for places of values.
std::string escapeBraces(llvm::StringRef text);

/// The operator on numbers that a Python function such as "_operator.add" is; empty if it is none.
llvm::StringRef scalarOperator(llvm::StringRef target);

} // namespace jit

#endif // JIT_LIB_IMPORT_EXPORTEDIMPORTER_H

//===- GraphImporter.h - a printed graph to SSA -----------------*- C++ -*-===//
//
// GraphText.cpp: the function, values and state; GraphNodes.cpp: nodes, and what of the language is
// no plain operator; GraphContainers.cpp: the same of containers and objects; GraphConstants.cpp:
// types and constants; GraphControlFlow.cpp: if, loop and inlined graphs; GraphOpaque.cpp: what is
// kept as it is written.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_GRAPHIMPORTER_H
#define JIT_LIB_IMPORT_GRAPHIMPORTER_H

#include "OperatorBuilder.h"
#include "jit/Archive/GraphText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

namespace jit {

class GraphImporter : OperatorBuilder {
public:
  GraphImporter(const graphtext::GraphText &graph, mlir::MLIRContext &context,
                const SchemaIndex &schemas, ImportErrors &errors)
      : OperatorBuilder(&context, schemas, errors), graph(graph) {}

  /// Null after errors.
  mlir::OwningOpRef<mlir::ModuleOp> import();

private:
  using Attribute = graphtext::Attribute;
  using Block = graphtext::Block;
  using Node = graphtext::Node;
  using Values = llvm::SmallVector<mlir::Value>;
  using Names = llvm::ArrayRef<graphtext::Value>;
  template <typename T> static llvm::ArrayRef<T> asArray(std::span<const T> items) {
    return {items.data(), items.size()};
  }

  /// What a name stands for: a value, or an object of the module's state by its path. Neither:
  /// unknown after an error.
  struct Binding {
    mlir::Value value;
    std::optional<std::string> path = std::nullopt;
  };

  // ---- The function, values and state ----
  void createFunction();
  void addInput(const graphtext::Value &input);
  bool isModule(const graphtext::Value &value);
  bool areOnlyRead(llvm::StringSet<> &objects, const Block &block, int64_t &budget);
  /// How many nodes there may be once graphs are inlined.
  int64_t maxNodes() const;
  mlir::Value addArgument(mlir::Type type, const std::string &name);
  std::string inputName(llvm::StringRef written) const;
  mlir::Value stateAt(const std::string &path, mlir::Type type, mlir::Location loc);
  void define(llvm::StringRef name, Binding binding);
  void define(const graphtext::Value &output, mlir::Value value, mlir::Location loc);
  void defineAll(Names outputs, mlir::ValueRange values, mlir::Location loc);
  Binding lookUp(const graphtext::Value &use);
  mlir::Value use(const graphtext::Value &use);
  Values useAll(Names uses);
  mlir::Location location(const Node &node) const;
  mlir::Location location(graphtext::Position position) const;
  void eraseDead(mlir::func::FuncOp function);

  // ---- Nodes ----
  using Form = mlir::Value (GraphImporter::*)(const Node &node,
                                              llvm::ArrayRef<mlir::Value> operands,
                                              mlir::Location loc);
  static Form findForm(llvm::StringRef name);
  void importNodes(const Block &block);
  void importNode(const Node &node);
  void importPlain(const Node &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc);
  /// What the outputs of a node are, null ones where the node is not known.
  Values valuesOf(const Node &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc);
  /// True if the node is about the module's state.
  bool importStateNode(const Node &node, mlir::Location loc);
  Values unpack(const Node &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc);
  mlir::Value importOperator(const Node &node, llvm::ArrayRef<mlir::Value> operands,
                             mlir::Location loc);
  void importOperation(const Node &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc);
  bool expectOperands(const Node &node, llvm::ArrayRef<mlir::Value> operands, size_t count,
                      mlir::Location loc);
  using Operands = llvm::ArrayRef<mlir::Value>;
  mlir::Value formConstant(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formList(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formTuple(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formDict(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formSame(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formChunk(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formConcat(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formFusedConcat(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formTupleIndex(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formTupleSlice(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formGetAttr(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formSetAttr(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formCreateObject(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formCall(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formRaise(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formUninitialized(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formCast(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formUnwrap(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formIsInstance(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formFormat(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formPercentFormat(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formAppend(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formIs(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formInt(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formFloat(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formBool(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formStr(const Node &node, Operands operands, mlir::Location loc);
  mlir::Value formNothing(const Node &node, Operands operands, mlir::Location loc);

  // ---- What is kept ----
  using Regions = llvm::SmallVector<std::unique_ptr<mlir::Region>>;
  ImportErrors::Attempt attempt(llvm::function_ref<void()> build);
  void keep(const Node &node, Operands operands, const ImportErrors::Attempt &why, Regions blocks,
            mlir::Location loc);
  /// With the node's blocks and the graph beside it.
  void keepWhole(const Node &node, Operands operands, const llvm::Twine &why, mlir::Location loc);
  std::unique_ptr<mlir::Region> importRegion(const Block &block);
  void yieldOpaque(mlir::Region &region, mlir::ValueRange values, mlir::Location loc);

  // ---- Types and constants ----
  /// A type that is not known here is that of an object.
  mlir::Type typeOf(const graphtext::Type &type);
  mlir::Type namedType(const graphtext::Type &type);
  mlir::Type tensorType(const graphtext::Type &type);
  /// The declared type of a value inside of the graph, of whose tensors nothing is known; null
  /// where none is declared.
  mlir::Type declaredType(const graphtext::Value &value);
  mlir::Value constant(const Attribute &attribute, const graphtext::Type *type, mlir::Location loc);
  mlir::Value constantList(const Attribute &attribute, const graphtext::Type *type,
                           mlir::Location loc);
  mlir::Value constantDict(const Attribute &attribute, const graphtext::Type *type,
                           mlir::Location loc);
  mlir::Value constantTensor(const Attribute &attribute, const graphtext::Type *type,
                             mlir::Location loc);
  mlir::Value makeDict(mlir::Type declared, llvm::ArrayRef<mlir::Value> entries,
                       mlir::Location loc);
  mlir::Value makeList(llvm::ArrayRef<mlir::Value> elements, mlir::Type declared,
                       mlir::Location loc);

  // ---- Blocks ----
  /// The values that the block ends in, of the types declared outside where they are.
  Values importBlock(const Block &block);
  void importIf(const Node &node, Operands operands, mlir::Location loc);
  void importLoop(const Node &node, Operands operands, mlir::Location loc);
  /// A loop's body, and what it ends in.
  struct LoopBody {
    std::unique_ptr<mlir::Region> region;
    Values results;
  };
  LoopBody importLoopBody(const Block &body, mlir::TypeRange types, mlir::Location loc);
  Values buildFor(mlir::Value trips, mlir::ValueRange initial, LoopBody body, mlir::Location loc);
  Values buildWhile(mlir::Value trips, mlir::Value test, mlir::ValueRange initial, LoopBody body,
                    mlir::Location loc);
  void inlineGraph(const Node &node, mlir::Location loc);
  Values widenAll(mlir::ValueRange values, mlir::TypeRange types, mlir::Location loc);
  bool isTrue(const graphtext::Value &value) const;
  bool endsInTrue(const Block &block) const;

  const graphtext::GraphText &graph;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  llvm::SmallVector<std::string> argumentNames;
  llvm::StringSet<> takenNames;
  llvm::StringMap<mlir::Value> state;
  llvm::StringMap<Binding> scope;
  /// The names that the open blocks define, the innermost last.
  std::vector<std::vector<llvm::StringRef>> definitions;
  int64_t importedNodes = 0;
};

/// Without the number that tells graphs beside nodes apart: "prim::FusionGroup".
llvm::StringRef operatorName(const graphtext::Node &node);
/// Whether a node computes what the graph beside it does.
bool runsItsGraph(const graphtext::Node &node);

} // namespace jit

#endif // JIT_LIB_IMPORT_GRAPHIMPORTER_H

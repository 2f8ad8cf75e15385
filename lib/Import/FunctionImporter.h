//===- FunctionImporter.h - one function body to SSA ------------*- C++ -*-===//
//
// Statements.cpp: assignments and blocks; ControlFlow.cpp: if, for, while, with; Expressions.cpp:
// values; Calls.cpp: functions, methods and operators; SpecialForms.cpp: what looks like a call but
// has rules of its own; Upgraders.cpp: what operators meant in older archives.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_FUNCTIONIMPORTER_H
#define JIT_LIB_IMPORT_FUNCTIONIMPORTER_H

#include "Liveness.h"
#include "OperatorBuilder.h"
#include "Program.h"

namespace jit {

struct Awaitable;

/// What a name stands for: a value, a function of the program, one that stands inside of another
/// and sees its variables, or a call of such that is put off. Neither: unknown after an error.
struct Binding {
  mlir::Value value;
  std::string function = {};
  const torchscript::FunctionDef *closure = nullptr;
  std::shared_ptr<Awaitable> awaitable = {};
  /// The module at that place of a list or dict of modules.
  mlir::Value modules = {}, place = {};

  bool operator==(const Binding &other) const = default;
};

using Environment = llvm::StringMap<Binding>;

/// A call that is made where it is first waited for.
struct Awaitable {
  const torchscript::FunctionDef *closure;
  Environment seen;
  /// The loops around where it was put off.
  unsigned loopDepth;
  bool isWaitedFor = false;
};

class FunctionImporter : OperatorBuilder {
public:
  FunctionImporter(Program &program, const Callable &callable);

  void import();

private:
  using Expr = torchscript::Expr;
  using Stmt = torchscript::Stmt;
  using Stmts = llvm::ArrayRef<const Stmt *>;
  template <typename T> using Ref = const T &;

  // ---- Statements ----
  void importStatements(Stmts stmts);
  void importStatement(const Stmt *stmt);
  void demandUnion(Ref<torchscript::Parameter> parameter, mlir::Value argument);
  /// Statements that end in a return on every path: the value returned.
  mlir::Value importBody(Stmts stmts);
  mlir::Value importReturningIf(Ref<torchscript::IfStmt> stmt, Stmts rest);
  void importAssign(Ref<torchscript::AssignStmt> stmt);
  void assign(const Expr *target, mlir::Value value, mlir::Location loc);
  void unpack(torchscript::ExprList targets, mlir::Value value, mlir::Location loc);
  void setAttribute(Ref<torchscript::AttributeExpr> target, mlir::Value value, mlir::Location loc);
  void bind(llvm::StringRef name, mlir::Value value) { scope[name] = {value, {}}; }

  // ---- Control flow ----
  void importIf(Ref<torchscript::IfStmt> stmt);
  void importFor(Ref<torchscript::ForStmt> stmt);
  void importWhile(Ref<torchscript::WhileStmt> stmt);
  void importWith(Ref<torchscript::WithStmt> stmt);
  llvm::SmallVector<mlir::Value> enterAutocast(mlir::Value object, mlir::Location loc);
  /// Elements of a literal or of a list, one trip each.
  void importForEach(Ref<torchscript::ForStmt> stmt, mlir::Location loc);
  void importCountedFor(Ref<torchscript::ForStmt> stmt, mlir::Value lower, mlir::Value upper,
                        mlir::Value list, mlir::Location loc);
  mlir::Value importConditional(mlir::Location loc, mlir::Value condition,
                                llvm::function_ref<mlir::Value()> whenTrue,
                                llvm::function_ref<mlir::Value()> whenFalse);
  /// Variables that a loop carries from trip to trip: their names and present values.
  struct Carried {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::SmallVector<mlir::Value> values;
  };
  Carried carriedBy(const Stmt *loop, torchscript::Block body, llvm::StringRef target = {});
  void enterTrip(const Carried &carried, mlir::ValueRange arguments);
  void yieldTrip(const Carried &carried, mlir::Location loc);
  void leaveLoop(const Carried &carried, mlir::ValueRange results, Environment before);

  // ---- Expressions ----
  /// \p hint is the type that is asked for, where one is: it settles empty lists.
  mlir::Value importExpr(const Expr *expr, mlir::Type hint = {});
  Binding importBinding(const Expr *expr, mlir::Type hint = {});
  mlir::Value importName(Ref<torchscript::NameExpr> expr);
  Binding importAttribute(Ref<torchscript::AttributeExpr> expr);
  mlir::Value importEnumMember(Ref<torchscript::AttributeDef> member, mlir::Location loc);
  mlir::Value importArchiveConstant(llvm::StringRef name, mlir::Location loc);
  mlir::Value importList(Ref<torchscript::ListExpr> expr, mlir::Type hint);
  mlir::Value importTuple(Ref<torchscript::TupleExpr> expr, mlir::Type hint);
  mlir::Value importDict(Ref<torchscript::DictExpr> expr, mlir::Type hint);
  /// The value of what \p expr is bound to.
  mlir::Value valueOf(const Binding &binding, const Expr *expr);
  Binding importSubscript(Ref<torchscript::SubscriptExpr> expr);
  mlir::Value importTupleIndex(mlir::Value tuple, const Expr *index, mlir::Location loc);
  mlir::Value importSlice(mlir::Value base, Ref<torchscript::SliceExpr> slice, mlir::Location loc);
  mlir::Value importUnary(Ref<torchscript::UnaryExpr> expr);
  mlir::Value importBinary(Ref<torchscript::BinaryExpr> expr);
  mlir::Value getAttribute(mlir::Value object, llvm::StringRef name, mlir::Location loc);

  // ---- Calls ----
  mlir::Value importCall(Ref<torchscript::CallExpr> call);
  mlir::Value importQualifiedCall(llvm::StringRef name, Ref<torchscript::CallExpr> call);
  mlir::Value importMethodCall(Ref<torchscript::CallExpr> call,
                               Ref<torchscript::AttributeExpr> callee);
  mlir::Value callPicked(const Binding &picked, Ref<torchscript::CallExpr> call,
                         llvm::StringRef method);
  mlir::Value callFunction(const Callable *callable, mlir::Value self,
                           Ref<torchscript::CallExpr> call);
  mlir::Value call(const Callable *callable, llvm::ArrayRef<mlir::Value> arguments,
                   mlir::Location loc);
  mlir::Value importDefault(const Callable &callable, size_t index, mlir::Location loc);
  using OperatorBuilder::callOperator;
  mlir::Value callOperator(llvm::StringRef name, Ref<torchscript::CallExpr> call);

  // ---- Older archives ----
  /// The operator \p name with the meaning that it has in an archive of this version.
  mlir::Value callVersioned(llvm::StringRef name, llvm::SmallVectorImpl<CallArgument> &arguments,
                            mlir::Location loc);
  mlir::Value callOldDivision(llvm::StringRef name, mlir::Value self, mlir::Value other,
                              mlir::Location loc);
  void fillWithFloat(llvm::SmallVectorImpl<CallArgument> &arguments, mlir::Location loc);
  void addSteps(llvm::SmallVectorImpl<CallArgument> &arguments, mlir::Location loc);

  // ---- Special forms ----
  using SpecialForm = mlir::Value (FunctionImporter::*)(Ref<torchscript::CallExpr> call,
                                                        mlir::Location loc);
  static SpecialForm findSpecialForm(llvm::StringRef name);
  bool expectArguments(Ref<torchscript::CallExpr> call, size_t count, mlir::Location loc);
  mlir::Value tensorOfToList(const torchscript::Expr *expr);
  mlir::Value formAnnotate(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formUncheckedCast(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formUnwrapOptional(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formUninitialized(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formIsInstance(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formGetAttr(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formInt(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formFloat(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formBool(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formStr(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formFork(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value importClosure(Ref<torchscript::FunctionDef> closure, mlir::Location loc);
  mlir::Value formWait(Ref<torchscript::CallExpr> call, mlir::Location loc);
  /// Of what gives an awaitable; none for any other call.
  std::optional<Binding> importAwaitable(Ref<torchscript::CallExpr> call);
  mlir::Value formAwait(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formDict(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formRaise(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formFormat(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formPercentFormat(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formAppend(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formDevice(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formSorted(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formRecord(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formWarn(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formIs(Ref<torchscript::CallExpr> call, mlir::Location loc);
  mlir::Value formIsNot(Ref<torchscript::CallExpr> call, mlir::Location loc);
  using OperatorBuilder::identity;
  mlir::Value identity(Ref<torchscript::CallExpr> call, bool negate, mlir::Location loc);
  mlir::Value castTo(llvm::StringRef name, mlir::Type type, Ref<torchscript::CallExpr> call,
                     mlir::Location loc);

  std::string memberOfSeveralEnums() const override { return program.memberOfSeveralEnums(); }

  // ---- Shared by all ----
  /// Of the function, !jit.any where it is unknown.
  mlir::Type resultType() const;
  mlir::Location location(torchscript::Position position) const;
  template <typename Node> mlir::Location location(const Node *node) const {
    return location(node->begin);
  }
  /// i1 of a condition; a stand-in where it is unknown.
  mlir::Value importCondition(const Expr *expr);

  Program &program;
  const Callable &callable;
  const torchscript::SourceFile &file;
  Liveness liveness;
  Environment scope;
  unsigned returnDepth = 0, loopDepth = 0;
};

/// The attribute that a literal stands for: what defaults and Final constants are made of. Null if
/// \p expr is no literal.
mlir::Attribute literalAttribute(const torchscript::Expr *expr, mlir::MLIRContext *context);

} // namespace jit

#endif // JIT_LIB_IMPORT_FUNCTIONIMPORTER_H

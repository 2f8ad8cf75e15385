//===- TorchScriptAst.h - syntax tree of serialized TorchScript -*- C++ -*-===//
//
// The tree of one code/**.py member: the subset of Python that TorchScript's printer writes, and
// the operators its parser would accept beside them. All nodes live in the arena of their
// SourceFile and die with it; they are constant, and their depth is bounded, so that walking them
// may recurse.
//
// `expr->as<CallExpr>()` gives the node as its own kind, or null; `classof` serves llvm::dyn_cast.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_TORCHSCRIPTAST_H
#define JIT_ARCHIVE_TORCHSCRIPTAST_H

#include "jit/Archive/Arena.h"
#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jit::torchscript {

class SourceFile;

/// Where a node begins: byte offset in its file (what debug ranges are keyed by), line and column
/// from 1.
struct Position {
  uint32_t offset = 0;
  uint32_t line = 1;
  uint32_t column = 1;
};

//===----------------------------------------------------------------------===//
// Expressions. Types are expressions too: `Dict[str, List[int]]` is SubscriptExpr of NameExpr.
//===----------------------------------------------------------------------===//

enum class ExprKind : uint8_t {
  Name,
  Attribute,
  Call,
  Subscript,
  Slice,
  Int,
  Float,
  Complex,
  String,
  Bool,
  None,
  Ellipsis,
  List,
  Tuple,
  Dict,
  Unary,
  Binary,
  Conditional,
};

struct Expr {
  ExprKind kind;
  /// Levels of expressions below and including this one.
  uint16_t height = 1;
  Position begin;

  /// This node as a T, or null if it is of another kind.
  template <typename T> const T *as() const {
    return T::classof(this) ? static_cast<const T *>(this) : nullptr;
  }

protected:
  Expr(ExprKind kind, Position begin) : kind(kind), begin(begin) {}
};

using ExprList = std::span<const Expr *const>;

template <ExprKind K> struct ExprOf : Expr {
  static bool classof(const Expr *expr) { return expr->kind == K; }

protected:
  explicit ExprOf(Position begin) : Expr(K, begin) {}
};

/// `x`. `inf` and `nan` are FloatExpr; True, False, None have their own kinds.
struct NameExpr : ExprOf<ExprKind::Name> {
  explicit NameExpr(Position p) : ExprOf(p) {}
  std::string_view name;
};

/// `base.name`; `CONSTANTS.c0` and `__torch__.a.C` are chains of these.
struct AttributeExpr : ExprOf<ExprKind::Attribute> {
  explicit AttributeExpr(Position p) : ExprOf(p) {}
  const Expr *base = nullptr;
  std::string_view name;
};

/// `name=value` of a call.
struct Keyword {
  std::string_view name;
  const Expr *value = nullptr;
  Position begin;
};

/// `callee(args..., keywords...)`. annotate, unchecked_cast, uninitialized, isinstance, fork and
/// the like are plain calls of a name; their type arguments are expressions.
struct CallExpr : ExprOf<ExprKind::Call> {
  explicit CallExpr(Position p) : ExprOf(p) {}
  const Expr *callee = nullptr;
  ExprList args;
  std::span<const Keyword> keywords;
};

/// `base[indices...]`: one index, or several between commas. A tuple in parentheses is one
/// TupleExpr index.
struct SubscriptExpr : ExprOf<ExprKind::Subscript> {
  explicit SubscriptExpr(Position p) : ExprOf(p) {}
  const Expr *base = nullptr;
  ExprList indices;
};

/// `lower:upper:step` inside a subscript; each may be null.
struct SliceExpr : ExprOf<ExprKind::Slice> {
  explicit SliceExpr(Position p) : ExprOf(p) {}
  const Expr *lower = nullptr;
  const Expr *upper = nullptr;
  const Expr *step = nullptr;
};

/// `-1` is one literal, not a negation.
struct IntExpr : ExprOf<ExprKind::Int> {
  explicit IntExpr(Position p) : ExprOf(p) {}
  int64_t value = 0;
};

/// `1e-05`, `2.`, `-inf`, `nan`.
struct FloatExpr : ExprOf<ExprKind::Float> {
  explicit FloatExpr(Position p) : ExprOf(p) {}
  double value = 0;
};

/// `2j`: an imaginary literal.
struct ComplexExpr : ExprOf<ExprKind::Complex> {
  explicit ComplexExpr(Position p) : ExprOf(p) {}
  double imaginary = 0;
};

/// The text with its escapes resolved; may hold any byte.
struct StringExpr : ExprOf<ExprKind::String> {
  explicit StringExpr(Position p) : ExprOf(p) {}
  std::string_view value;
};

struct BoolExpr : ExprOf<ExprKind::Bool> {
  explicit BoolExpr(Position p) : ExprOf(p) {}
  bool value = false;
};

struct NoneExpr : ExprOf<ExprKind::None> {
  explicit NoneExpr(Position p) : ExprOf(p) {}
};

struct EllipsisExpr : ExprOf<ExprKind::Ellipsis> {
  explicit EllipsisExpr(Position p) : ExprOf(p) {}
};

/// `[a, b, ]`.
struct ListExpr : ExprOf<ExprKind::List> {
  explicit ListExpr(Position p) : ExprOf(p) {}
  ExprList elements;
};

/// `(a, b)`, `(a,)`, `()`, and `a, b` or `a, b,` without parentheses.
struct TupleExpr : ExprOf<ExprKind::Tuple> {
  explicit TupleExpr(Position p) : ExprOf(p) {}
  ExprList elements;
};

/// `{k: v}`; keys and values have the same length.
struct DictExpr : ExprOf<ExprKind::Dict> {
  explicit DictExpr(Position p) : ExprOf(p) {}
  ExprList keys;
  ExprList values;
};

enum class UnaryOp : uint8_t { Not, Negate, Plus, Invert };

struct UnaryExpr : ExprOf<ExprKind::Unary> {
  explicit UnaryExpr(Position p) : ExprOf(p) {}
  UnaryOp op = UnaryOp::Not;
  const Expr *operand = nullptr;
};

enum class BinaryOp : uint8_t {
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In,
  NotIn,
  Is,
  IsNot,
  BitOr,
  BitXor,
  BitAnd,
  ShiftLeft,
  ShiftRight,
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,
  MatMul,
  Power,
};

struct BinaryExpr : ExprOf<ExprKind::Binary> {
  explicit BinaryExpr(Position p) : ExprOf(p) {}
  BinaryOp op = BinaryOp::Add;
  const Expr *lhs = nullptr;
  const Expr *rhs = nullptr;
};

/// `whenTrue if condition else whenFalse`.
struct ConditionalExpr : ExprOf<ExprKind::Conditional> {
  explicit ConditionalExpr(Position p) : ExprOf(p) {}
  const Expr *condition = nullptr;
  const Expr *whenTrue = nullptr;
  const Expr *whenFalse = nullptr;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  Assign,
  AugAssign,
  Expression,
  If,
  While,
  For,
  With,
  Return,
  Pass,
  Break,
  Continue,
  Delete,
  Function,
};

struct Stmt {
  StmtKind kind;
  Position begin;

  /// This node as a T, or null if it is of another kind.
  template <typename T> const T *as() const {
    return T::classof(this) ? static_cast<const T *>(this) : nullptr;
  }

protected:
  Stmt(StmtKind kind, Position begin) : kind(kind), begin(begin) {}
};

using Block = std::span<const Stmt *const>;

template <StmtKind K> struct StmtOf : Stmt {
  static bool classof(const Stmt *stmt) { return stmt->kind == K; }

protected:
  explicit StmtOf(Position begin) : Stmt(K, begin) {}
};

/// `target = value`, `target : type = value`, `a, b, = value`, `self.x = value`, `x[i] = value`.
/// The target is a NameExpr, AttributeExpr, SubscriptExpr, or a TupleExpr or ListExpr of such.
struct AssignStmt : StmtOf<StmtKind::Assign> {
  explicit AssignStmt(Position p) : StmtOf(p) {}
  const Expr *target = nullptr;
  /// Null where there is no annotation.
  const Expr *type = nullptr;
  /// Null for a bare `target : type`.
  const Expr *value = nullptr;
};

/// `target += value` and its kin.
struct AugAssignStmt : StmtOf<StmtKind::AugAssign> {
  explicit AugAssignStmt(Position p) : StmtOf(p) {}
  BinaryOp op = BinaryOp::Add;
  const Expr *target = nullptr;
  const Expr *value = nullptr;
};

struct ExpressionStmt : StmtOf<StmtKind::Expression> {
  explicit ExpressionStmt(Position p) : StmtOf(p) {}
  const Expr *value = nullptr;
};

/// `elif` is an IfStmt alone in orElse.
struct IfStmt : StmtOf<StmtKind::If> {
  explicit IfStmt(Position p) : StmtOf(p) {}
  const Expr *condition = nullptr;
  Block body;
  Block orElse;
};

struct WhileStmt : StmtOf<StmtKind::While> {
  explicit WhileStmt(Position p) : StmtOf(p) {}
  const Expr *condition = nullptr;
  Block body;
};

/// `for target in iterable:`, a `range(n)` being a plain call.
struct ForStmt : StmtOf<StmtKind::For> {
  explicit ForStmt(Position p) : StmtOf(p) {}
  const Expr *target = nullptr;
  const Expr *iterable = nullptr;
  Block body;
};

struct WithItem {
  const Expr *context = nullptr;
  /// Null where there is no `as`.
  const Expr *target = nullptr;
};

struct WithStmt : StmtOf<StmtKind::With> {
  explicit WithStmt(Position p) : StmtOf(p) {}
  std::span<const WithItem> items;
  Block body;
};

struct ReturnStmt : StmtOf<StmtKind::Return> {
  explicit ReturnStmt(Position p) : StmtOf(p) {}
  /// Null for a bare `return`.
  const Expr *value = nullptr;
};

struct PassStmt : StmtOf<StmtKind::Pass> {
  explicit PassStmt(Position p) : StmtOf(p) {}
};

struct BreakStmt : StmtOf<StmtKind::Break> {
  explicit BreakStmt(Position p) : StmtOf(p) {}
};

struct ContinueStmt : StmtOf<StmtKind::Continue> {
  explicit ContinueStmt(Position p) : StmtOf(p) {}
};

struct DeleteStmt : StmtOf<StmtKind::Delete> {
  explicit DeleteStmt(Position p) : StmtOf(p) {}
  ExprList targets;
};

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

struct Parameter {
  std::string_view name;
  Position begin;
  /// Null for an untyped `self`.
  const Expr *type = nullptr;
  const Expr *defaultValue = nullptr;
  /// After a bare `*`.
  bool keywordOnly = false;
};

struct FunctionDef {
  std::string_view name;
  Position begin;
  const SourceFile *file = nullptr;
  /// With `self` for a method.
  std::span<const Parameter> parameters;
  /// Null where there is no `-> type`.
  const Expr *returnType = nullptr;
  Block body;
};

/// A `def` inside a body, as printed for `fork`.
struct FunctionStmt : StmtOf<StmtKind::Function> {
  explicit FunctionStmt(Position p) : StmtOf(p) {}
  const FunctionDef *function = nullptr;
};

enum class ClassKind : uint8_t {
  Plain,           ///< no base
  Module,          ///< `(Module)`
  Interface,       ///< `(Interface)`
  ModuleInterface, ///< `(ModuleInterface)`
  NamedTuple,      ///< `(NamedTuple)`
  Enum,            ///< `(Enum)`
  Exception,       ///< `(Exception)`
};

/// One attribute line of a class: `name : type`, `name : Final[type] = value`,
/// `__annotations__["0"] = type`, a NamedTuple's `name : type = default`, an Enum's `NAME = value`.
struct AttributeDef {
  std::string_view name;
  Position begin;
  /// With Final[] taken off; null for an Enum's member.
  const Expr *type = nullptr;
  /// Null where there is none.
  const Expr *value = nullptr;
  bool isFinal = false;
};

struct ClassDef {
  std::string_view name;
  Position begin;
  const SourceFile *file = nullptr;
  ClassKind kind = ClassKind::Plain;
  /// In the order written, which is the order of the slots.
  std::span<const AttributeDef> attributes;
  std::span<const FunctionDef *const> methods;
  /// `__parameters__` and `__buffers__`.
  std::span<const std::string_view> parameters;
  std::span<const std::string_view> buffers;
  /// `__forward_pre_hooks__` and `__forward_hooks__`: method names, in order.
  std::span<const std::string_view> forwardPreHooks;
  std::span<const std::string_view> forwardHooks;

  /// Null if there is none of that name.
  const FunctionDef *findMethod(std::string_view name) const;
  const AttributeDef *findAttribute(std::string_view name) const;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// A parsed code member. Owns its text and all its nodes; does not move.
class SourceFile {
public:
  SourceFile(const SourceFile &) = delete;
  SourceFile &operator=(const SourceFile &) = delete;

  /// Parses \p text. Errors are Malformed, Unsupported or LimitExceeded, with "\p
  /// name:line:column".
  static Result<std::unique_ptr<SourceFile>> parse(std::string name, SharedBytes text,
                                                   const ArchiveLimits &limits = {});

  /// The member's name without the root folder, e.g. "code/__torch__/m.py".
  const std::string &name() const { return fileName; }
  std::string_view text() const { return source.text(); }
  std::span<const ClassDef *const> classes() const { return classDefs; }
  std::span<const FunctionDef *const> functions() const { return functionDefs; }

  /// Null if there is none of that name.
  const ClassDef *findClass(std::string_view name) const;
  const FunctionDef *findFunction(std::string_view name) const;

private:
  friend class SourceParser;
  SourceFile(std::string name, SharedBytes text)
      : fileName(std::move(name)), source(std::move(text)) {}

  std::string fileName;
  SharedBytes source;
  Arena arena;
  std::span<const ClassDef *const> classDefs;
  std::span<const FunctionDef *const> functionDefs;
};

/// `a.b.c` as text if \p expr is a name or a chain of attributes, else nothing.
std::optional<std::string> dottedName(const Expr *expr);

} // namespace jit::torchscript

#endif // JIT_ARCHIVE_TORCHSCRIPTAST_H

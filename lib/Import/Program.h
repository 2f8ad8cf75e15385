//===- Program.h - what the functions of one import share -------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_PROGRAM_H
#define JIT_LIB_IMPORT_PROGRAM_H

#include "ImportErrors.h"
#include "jit/Archive/TorchScriptArchive.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Import/SchemaIndex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace jit {

/// A method or function that is or will be in the module.
struct Callable {
  const torchscript::FunctionDef *def = nullptr;
  std::string symbol;
  /// The name that calls from outside know it by; empty where they cannot get to it.
  std::string entry = {};
  /// Whether such calls get to it at once: where it takes or gives objects, another function stands
  /// before it.
  bool isPublic = false;
  /// One per parameter, self included; null after an error.
  llvm::SmallVector<mlir::Type> parameters;
  /// Null after an error.
  mlir::Type result;
  /// Whether it is, or is going to be, in the module.
  mutable bool isUsed = false;

  bool isKnown() const { return result && !llvm::is_contained(parameters, mlir::Type()); }
};

/// The archive, the module that is being made of it, and what is known of classes and functions by
/// now. Whoever gets a null type, value or pointer back goes on with something unknown, silently,
/// so that one run reports all errors.
class Program : public ImportErrors {
public:
  Program(const TorchScriptArchive &archive, mlir::MLIRContext &context, Coverage &coverage);

  /// Imports everything; null after errors.
  mlir::OwningOpRef<mlir::ModuleOp> import();

  /// The user's own Python where the archive tells, else the place in the archive's code.
  mlir::Location location(const torchscript::SourceFile &file,
                          torchscript::Position position) const;

  // ---- Types and classes ----
  /// The type that \p expr spells; null after an error.
  mlir::Type type(const torchscript::Expr *expr, mlir::Location loc);
  /// Null after an error.
  const torchscript::ClassDef *classOf(llvm::StringRef name, mlir::Location loc);
  /// Declared type of an attribute; null after an error.
  mlir::Type attributeType(ObjectType object, llvm::StringRef name, mlir::Location loc);
  /// The attributes of a module that are modules, in order.
  llvm::SmallVector<llvm::StringRef> submodules(ObjectType object, mlir::Location loc);
  /// The member of that name of an Enum; null where there is none.
  const torchscript::AttributeDef *enumMember(llvm::StringRef className, llvm::StringRef member);
  using Attributes = llvm::SmallVector<std::pair<llvm::StringRef, mlir::Type>>;
  /// The attributes of a class, as declared; none after an error.
  std::optional<Attributes> attributesOf(ObjectType type, mlir::Location loc);
  /// What values of the type that \p expr spells are to the caller (jit.layout).
  mlir::Attribute layout(const torchscript::Expr *expr, mlir::Location loc);
  /// A name that members of several of the Enums met by now have; empty where there is none.
  std::string memberOfSeveralEnums() const { return sharedMember; }
  /// Notes that the program assigns this attribute.
  void noteAssigned(ObjectType object, llvm::StringRef name);
  bool isAssigned(llvm::StringRef className, llvm::StringRef name) const;

  // ---- Functions ----
  /// The free function \p name, imported once it is used; null after an error.
  const Callable *function(llvm::StringRef name, mlir::Location loc);
  const Callable *method(ObjectType object, llvm::StringRef name, mlir::Location loc);
  /// The callable for a call with arguments of these types, imported later: where it takes values
  /// of any type, isinstance is answered for the type that this call gives.
  const Callable *use(const Callable &callable, llvm::ArrayRef<mlir::Type> arguments);
  /// Whether the archive has a free function of that name.
  bool isFunction(llvm::StringRef name) const;

  const TorchScriptArchive &archive;
  mlir::MLIRContext *context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  SchemaIndex schemas;

private:
  mlir::Type namedType(llvm::StringRef name, mlir::Location loc);
  mlir::Type classType(llvm::StringRef name, mlir::Location loc);
  mlir::Type enumType(const torchscript::ClassDef &definition, mlir::Location loc);
  mlir::Attribute memberLayout(llvm::StringRef className, const torchscript::AttributeDef &member,
                               mlir::Location loc);
  mlir::Attribute classLayout(const torchscript::ClassDef &definition, llvm::StringRef name,
                              mlir::Location loc);
  bool isInterface(const torchscript::Expr *type, mlir::Location loc);
  /// The class of the objects that this attribute holds in the archive; null where they are of
  /// several.
  mlir::Type heldType(llvm::StringRef className, llvm::StringRef attribute, mlir::Location loc);
  void noteHeld(const ArchiveObject &object);
  mlir::Type genericType(llvm::StringRef name, torchscript::ExprList arguments, mlir::Location loc);
  const Callable *declare(std::string key, const torchscript::FunctionDef *def, ObjectType self);
  const Callable *enqueue(const Callable &callable);

  void noteMembers(const torchscript::ClassDef &definition);

  unsigned typeDepth = 0;
  /// What calls from outside get to.
  llvm::SmallVector<const Callable *> entries;
  /// The Enum that has a member of this name.
  llvm::StringMap<const torchscript::ClassDef *> enumOfMember;
  std::string sharedMember;
  llvm::StringSet<> assigned;
  /// By class and attribute: the class of the object held, empty where they are of several.
  llvm::StringMap<std::string> held;
  llvm::DenseSet<const ArchiveObject *> heldBy;
  llvm::StringMap<std::unique_ptr<Callable>> callables;
  std::deque<const Callable *> pending;
  unsigned variants = 0;
};

/// Makes a slot or an alias of every piece of the program's state, at the module's start.
void importState(Program &program);

/// Imports the body of \p callable.
void importFunction(Program &program, const Callable &callable);

/// What calls of \p callable from outside need, once all functions are there: a function before it
/// where it takes or gives objects, and what its arguments and results are to the caller.
void importEntry(Program &program, const Callable &callable);

/// Whether values of this type are objects, or hold some.
bool holdsObjects(mlir::Type type);

/// Names and defaults of the arguments of \p function.
void setArgumentAttributes(mlir::func::FuncOp function, const Callable &callable);

/// Past this many members of members of a tuple nothing more is read.
inline constexpr size_t maxTupleParts = 10000;
/// Members and members of members; stops counting past the limit.
size_t partCount(mlir::Type type);

} // namespace jit

#endif // JIT_LIB_IMPORT_PROGRAM_H

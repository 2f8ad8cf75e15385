//===- ObjectResolver.h - what object values stand for ----------*- C++ -*-===//
#ifndef JIT_LIB_NORMALIZE_OBJECTRESOLVER_H
#define JIT_LIB_NORMALIZE_OBJECTRESOLVER_H

#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace jit {

/// Whether values of this type are objects, or None.
inline bool mayBeObject(mlir::Type type) {
  auto optional = mlir::dyn_cast<OptionalType>(type);
  return mlir::isa<ObjectType>(optional ? optional.getElementType() : type);
}

/// What an object value stands for: a submodule by its path, a local object by its number, or one
/// that a slot holds, as the tuple of its attributes or None. Of a list or dict of objects that a
/// slot holds: that of such tuples.
struct KnownObject {
  std::string path;
  unsigned local = 0;
  mlir::Value held = {};

  bool operator==(const KnownObject &other) const = default;
};

/// The slots of a module, by every path that leads to them.
class SlotPaths {
public:
  explicit SlotPaths(mlir::ModuleOp module) : symbols(module) {
    for (auto alias : module.getOps<AliasOp>())
      aliases[alias.getSymName()] = alias.getTarget().str();
  }

  /// `name` under the module at `path`, by the first path that leads there.
  std::string join(llvm::StringRef path, llvm::StringRef name) const {
    std::string joined = path.empty() ? name.str() : (path + "." + name).str();
    // An alias may lead to another one; a cycle of them leads nowhere.
    for (unsigned steps = 0; steps <= aliases.size(); ++steps) {
      auto alias = aliases.find(joined);
      if (alias == aliases.end())
        break;
      joined = alias->second;
    }
    return joined;
  }

  SlotOp lookup(llvm::StringRef path) const { return symbols.lookup<SlotOp>(path); }

private:
  mlir::SymbolTable symbols;
  llvm::StringMap<std::string> aliases;
};

class ObjectResolver : CellThreading {
public:
  ObjectResolver(mlir::func::FuncOp func, const SlotPaths &paths) : func(func), paths(paths) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult visit(mlir::Operation *op) override;
  void collectAssigned(mlir::Operation *op, Cells &cells) override;
  mlir::LogicalResult define(mlir::ValueRange values) override;
  void replaced(mlir::Value from, mlir::Value to) override {
    if (auto known = lookup(from))
      objects[to] = *known;
    objects.erase(from);
  }

  bool visitContainer(mlir::Operation *op);
  bool visitIdentity(mlir::Operation *op);
  bool visitHeldContainer(mlir::Operation *op);
  mlir::LogicalResult visitGet(GetAttrOp op);
  mlir::LogicalResult visitSet(SetAttrOp op);
  mlir::LogicalResult getHeld(GetAttrOp op, mlir::Value held);
  mlir::LogicalResult setHeld(SetAttrOp op, SlotOp slot);
  void visitCreate(CreateObjectOp op);
  mlir::LogicalResult mergeWays(mlir::Value value, mlir::ValueRange ways, mlir::Operation *at);
  mlir::LogicalResult removeObjects();

  std::optional<KnownObject> lookup(mlir::Value value) const {
    auto known = objects.find(value);
    return known == objects.end() ? std::nullopt : std::optional(known->second);
  }
  std::optional<Cell> cellOf(mlir::Value object, llvm::StringRef name) const {
    auto known = lookup(object);
    if (!known || known->local == 0)
      return std::nullopt;
    auto cell = attributes.find({known->local, name});
    return cell == attributes.end() ? std::nullopt : std::optional(cell->second);
  }

  mlir::func::FuncOp func;
  const SlotPaths &paths;
  llvm::DenseMap<mlir::Value, KnownObject> objects;
  std::map<std::pair<unsigned, llvm::StringRef>, Cell> attributes;
  /// Attributes of local objects that are objects themselves: assigned once each.
  std::map<std::pair<unsigned, llvm::StringRef>, KnownObject> members;
  unsigned locals = 0;
  /// Local objects that a slot holds a copy of: the object is not changed any more.
  llvm::DenseSet<unsigned> kept;
  /// The attributes of objects that slots hold, by class.
  llvm::DenseMap<mlir::Type, mlir::ArrayAttr> namesOfHeld;
};

} // namespace jit

#endif // JIT_LIB_NORMALIZE_OBJECTRESOLVER_H

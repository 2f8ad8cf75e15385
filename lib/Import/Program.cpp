//===- Program.cpp - what the functions of one import share ---------------===//

#include "Program.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Import/TorchScript.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

static MLIRContext &withDialects(MLIRContext &context) {
  context.loadDialect<JitDialect, aten::AtenDialect, arith::ArithDialect, func::FuncDialect,
                      scf::SCFDialect>();
  return context;
}

Program::Program(const TorchScriptArchive &archive, MLIRContext &context, Coverage &coverage)
    : ImportErrors(coverage), archive(archive), context(&context), schemas(withDialects(context)) {}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

Location Program::location(const ts::SourceFile &file, ts::Position position) const {
  if (std::optional<PythonLocation> python = archive.locate(file, position))
    return FileLineColLoc::get(context, python->file, python->line, python->column + 1);
  return FileLineColLoc::get(context, file.name(), position.line, position.column);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

const Callable *Program::declare(std::string key, const ts::FunctionDef *def, ObjectType self) {
  auto callable = std::make_unique<Callable>();
  callable->def = def;
  callable->symbol = key;
  if (self && self.getClassName() == archive.root().className) {
    callable->entry = std::string(def->name);
    entries.push_back(callable.get());
  }
  Location loc = location(*def->file, def->begin);
  for (const ts::Parameter &parameter : def->parameters) {
    Location at = location(*def->file, parameter.begin);
    if (self && callable->parameters.empty())
      callable->parameters.push_back(self);
    else if (parameter.type)
      callable->parameters.push_back(type(parameter.type, at));
    else
      callable->parameters.push_back(TensorType::get(context));
  }
  if (def->returnType)
    callable->result = type(def->returnType, loc);
  else
    error(loc) << "expected a result type for '" << StringRef(def->name) << "'";
  auto holds = [](Type type) { return type && holdsObjects(type); };
  if (!callable->entry.empty() && !holds(callable->result) &&
      llvm::none_of(llvm::drop_begin(callable->parameters), holds)) {
    callable->symbol = callable->entry;
    callable->isPublic = true;
  }
  // The others are imported for the types that their calls give.
  if (llvm::none_of(callable->parameters, [](Type type) { return isa_and_nonnull<AnyType>(type); }))
    enqueue(*callable);
  return (callables[key] = std::move(callable)).get();
}

const Callable *Program::enqueue(const Callable &callable) {
  if (!std::exchange(callable.isUsed, true))
    pending.push_back(&callable);
  return &callable;
}

/// A function that calls itself with ever new types gets no more of them.
static constexpr unsigned maxVariants = 1000;

const Callable *Program::use(const Callable &callable, ArrayRef<Type> arguments) {
  if (callable.isPublic || variants == maxVariants)
    return enqueue(callable);
  SmallVector<Type> types = callable.parameters;
  std::string key = callable.symbol + "(";
  for (auto [type, argument] : llvm::zip(types, arguments)) {
    if (isa_and_nonnull<AnyType>(type) && !isa_and_nonnull<NoneType>(argument))
      type = argument ? argument : type;
    key += spell(type) + ",";
  }
  if (types == callable.parameters)
    return enqueue(callable);
  std::unique_ptr<Callable> &variant = callables[key + ")"];
  if (!variant) {
    ++variants;
    variant = std::make_unique<Callable>(callable);
    variant->parameters = types;
    variant->symbol = key + ")";
    variant->entry.clear();
    variant->isUsed = false;
  }
  return enqueue(*variant);
}

const Callable *Program::function(StringRef name, Location loc) {
  if (auto known = callables.find(name); known != callables.end())
    return known->second.get();
  Result<const ts::FunctionDef *> found = archive.findFunction(name);
  if (!found)
    return errorOnce(loc, found.error().str()), nullptr;
  return declare(name.str(), *found, {});
}

bool Program::isFunction(StringRef name) const {
  return callables.contains(name) || bool(archive.findFunction(name));
}

const Callable *Program::method(ObjectType object, StringRef name, Location loc) {
  std::string key = (object.getClassName() + "." + name).str();
  if (auto known = callables.find(key); known != callables.end())
    return known->second.get();
  const ts::ClassDef *definition = classOf(object.getClassName(), loc);
  if (!definition)
    return nullptr;
  const ts::FunctionDef *def = definition->findMethod(name);
  if (!def || def->parameters.empty()) {
    errorOnce(loc, "expected a method '" + name.str() + "' of " + object.getClassName().str());
    return nullptr;
  }
  return declare(key, def, object);
}

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

/// Methods that only pickling calls.
static bool isForPickling(StringRef method) {
  return method == "__getstate__" || method == "__setstate__";
}

OwningOpRef<ModuleOp> Program::import() {
  auto root = ObjectType::get(context, archive.root().className);
  Location unknown = UnknownLoc::get(context);
  const ts::ClassDef *definition = classOf(root.getClassName(), unknown);
  if (!definition)
    return {};
  module = ModuleOp::create(location(*definition->file, definition->begin));
  for (const ts::FunctionDef *def : definition->methods)
    if (!isForPickling(def->name))
      if (const Callable *entry = method(root, def->name, location(*def->file, def->begin)))
        use(*entry, entry->parameters);
  for (; !pending.empty(); pending.pop_front())
    importFunction(*this, *pending.front());
  for (const Callable *entry : entries)
    importEntry(*this, *entry);
  importState(*this);
  if (any() || failed(verify(*module)))
    return {};
  return std::move(module);
}

OwningOpRef<ModuleOp> importTorchScript(const TorchScriptArchive &archive, MLIRContext &context,
                                        Coverage &coverage) {
  return Program(archive, context, coverage).import();
}

} // namespace jit

//===- CustomOperators.cpp - operators of a user's own --------------------===//

#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/OpenLibrary.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <atomic>

using namespace mlir;

namespace jit {

/// More in one file are no operators.
static constexpr uint32_t maxOperators = 1 << 16;

static StringRef nameIn(StringRef text) {
  return text.take_until([](char c) { return c == '('; });
}

StringRef CustomOperator::name() const { return nameIn(text); }

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

std::string resultName(const Schema &schema, size_t index) {
  const std::string &name = schema.resultNames[index];
  if (!name.empty())
    return name;
  return schema.results.size() == 1 ? "result" : "result" + std::to_string(index);
}

std::string resultGradientName(const Schema &schema, size_t index) {
  bool isOnly = schema.results.size() == 1 && schema.resultNames[0].empty();
  return isOnly ? "grad" : "grad_" + resultName(schema, index);
}

static bool isAlias(const SchemaType &type) {
  return type.isAlias || llvm::any_of(type.parts, isAlias);
}

/// Whether values of this type can be handed to a function in C.
static bool canBeHanded(const SchemaType &type) {
  using Kind = SchemaType::Kind;
  switch (type.kind) {
  case Kind::Tensor:
  case Kind::Int:
  case Kind::Float:
  case Kind::Bool:
  case Kind::Number:
  case Kind::Str:
    return true;
  case Kind::List:
  case Kind::Optional:
    return canBeHanded(type.parts.front());
  default:
    return false;
  }
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// What the schema may not have; empty where nothing is wrong.
static std::string faultOf(const Schema &schema) {
  auto [space, base] = StringRef(schema.name).split("::");
  if (!isIdentifier(space) || !isIdentifier(base))
    return "expected a name with a namespace before it, such as my::scale";
  if (space == "aten" || space == "prim")
    return ("expected a namespace of your own, got " + space).str();
  for (const SchemaArgument &argument : schema.arguments) {
    if (argument.name.empty())
      return "expected a name of each argument";
    if (isAlias(argument.type))
      return "expected arguments that are neither written nor shared with a result, got '" +
             argument.name + "'";
    if (!canBeHanded(argument.type))
      return "expected tensors, ints, floats, bools, Scalars, strings, Optionals and lists of "
             "these as arguments, got another as '" +
             argument.name + "'";
  }
  if (schema.results.empty())
    return "expected a tensor as result, got none";
  for (const SchemaType &result : schema.results) {
    if (isAlias(result))
      return "expected results of memory of their own, got one that is shared or written";
    if (result.kind != SchemaType::Kind::Tensor)
      return "expected tensors as results, got another";
  }
  return {};
}

static const SchemaType *typeOf(const Schema &schema, StringRef name) {
  for (const SchemaArgument &argument : schema.arguments)
    if (argument.name == name)
      return &argument.type;
  return nullptr;
}

static bool isSame(const SchemaType &a, const SchemaType &b) {
  return a.kind == b.kind && a.parts.size() == b.parts.size() &&
         llvm::all_of(llvm::zip(a.parts, b.parts),
                      [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

/// The type of what `name` stands for among the arguments of the gradient of `schema`; null where
/// that is nothing.
static const SchemaType *typeInGradient(const Schema &schema, StringRef name) {
  for (size_t i = 0; i < schema.results.size(); ++i)
    if (name == resultGradientName(schema, i) || name == resultName(schema, i))
      return &schema.results[i];
  return typeOf(schema, name);
}

/// Why `gradient` cannot give the gradients of `schema`; empty where it can.
static std::string faultOfGradient(const Schema &schema, const Schema &gradient) {
  for (const SchemaArgument &argument : gradient.arguments) {
    const SchemaType *type = typeInGradient(schema, argument.name);
    if (!type)
      return "expected gradients, arguments and results of the operator as arguments, got '" +
             argument.name + "'";
    if (!isSame(*type, argument.type))
      return "expected '" + argument.name + "' to be of the operator's type";
  }
  auto isTensor = [](const SchemaType *type) {
    if (type && type->kind == SchemaType::Kind::Optional)
      type = &type->parts.front();
    return type && type->kind == SchemaType::Kind::Tensor;
  };
  for (StringRef name : gradient.resultNames)
    if (!name.consume_front("grad_") || !isTensor(typeOf(schema, name)))
      return "expected results called grad_NAME for tensors that are arguments";
  return {};
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Error malformed(const Twine &what) { return {ErrorCode::Malformed, what.str()}; }

/// Why compiled code cannot call the operator's function by its symbol; empty where it can.
static std::string faultOfSymbol(const jit_operator &op, void *handle) {
  std::string symbol = op.symbol;
  void *exported = isIdentifier(symbol) ? dlsym(handle, op.symbol) : nullptr;
  void *compute = reinterpret_cast<void *>(op.compute), *other = dlsym(RTLD_DEFAULT, op.symbol);
  if (exported && (StringRef(symbol).starts_with("jit_") || (other && other != exported)))
    return "expected a function whose name nothing else has, got '" + symbol + "'";
  return exported && exported == compute
             ? ""
             : "expected the file to export the function '" + symbol + "'";
}

Result<void> CustomOperators::addOperator(const jit_operator &given, const std::string &file,
                                          void *handle) {
  auto refuse = [&](const Twine &what) { return malformed(file + ": " + what); };
  if (!given.schema || !given.sizes || !given.compute || !given.symbol)
    return refuse("expected a schema and two functions of each operator, got a null pointer");
  std::string text = given.schema;
  auto schema = Schema::parse(text);
  if (!schema)
    return refuse("expected a schema in PyTorch's words, got '" + text + "'");
  if (std::string fault = faultOf(*schema); !fault.empty())
    return Error{ErrorCode::Unsupported, file + ": " + fault + ", in " + text};
  if (const CustomOperator *other = named(nameIn(text)))
    return refuse("expected an operator of another name, got " + text + " beside that of " +
                  other->file);
  if (std::string fault = faultOfSymbol(given, handle); !fault.empty())
    return refuse(fault + ", of " + text);
  for (const CustomOperator &other : operators)
    if (other.symbol == given.symbol && other.compute != given.compute)
      return refuse("expected a function whose name nothing else has, got '" + other.symbol +
                    "', which " + other.file + " has too");
  operators.push_back({std::move(text), std::move(*schema), given.sizes, given.compute,
                       given.symbol, nullptr, file});
  const CustomOperator &added = operators.back();
  byText[added.text] = byName[added.name()] = &added;
  return {};
}

Result<void> CustomOperators::tieGradient(CustomOperator &op, StringRef gradient) {
  const CustomOperator *found = named(gradient);
  if (!found || found->file != op.file)
    return malformed(op.file + ": expected an operator of the file as gradient of " + op.text +
                     ", got '" + gradient + "'");
  if (std::string fault = faultOfGradient(op.schema, found->schema); !fault.empty())
    return malformed(op.file + ": " + fault + ", in " + found->text + ", the gradient of " +
                     op.text);
  op.gradient = found;
  return {};
}

/// Opens the file at an absolute path. Null: dlerror() says why.
static void *openFile(const std::string &path) {
  static std::atomic<unsigned> spellings;
  return jit_open_library(path.c_str(), spellings++);
}

/// What an open file exports.
static Result<ArrayRef<jit_operator>> tableOf(void *handle, const std::string &file) {
  auto entry = reinterpret_cast<jit_operators_fn>(dlsym(handle, "jit_operators_table"));
  const jit_operator_list *list = entry ? entry() : nullptr;
  if (!list)
    return malformed(file + ": expected a file of operators, which exports jit_operators_table "
                            "(jit-c/Operators.h)");
  if (list->version != JIT_OPERATORS_VERSION)
    return malformed(file + ": expected version " + Twine(JIT_OPERATORS_VERSION) +
                     " of jit-c/Operators.h, got " + Twine(list->version));
  if (list->count > maxOperators || (list->count && !list->operators))
    return malformed(file + ": expected at most " + Twine(maxOperators) + " operators, got " +
                     Twine(list->count));
  return ArrayRef(list->operators, list->count);
}

Result<void> CustomOperators::addFile(const std::string &file) {
  SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::real_path(file, path))
    return Error{ErrorCode::Io, file + ": " + error.message()};
  auto content = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (!content)
    return Error{ErrorCode::Io, file + ": " + content.getError().message()};
  bytes += llvm::toStringRef(
      llvm::BLAKE3::hash<32>(llvm::arrayRefFromStringRef((*content)->getBuffer())));
  paths.push_back(path.str().str());
  void *handle = openFile(paths.back());
  if (!handle) {
    const char *reason = dlerror();
    return Error{ErrorCode::Io, file + ": " + (reason ? reason : "cannot be loaded")};
  }
  auto given = tableOf(handle, file);
  if (!given)
    return given.takeError();
  size_t first = operators.size();
  for (const jit_operator &op : *given)
    if (auto done = addOperator(op, paths.back(), handle); !done)
      return done;
  for (auto [number, op] : llvm::enumerate(*given))
    if (op.gradient)
      if (auto done = tieGradient(operators[first + number], op.gradient); !done)
        return done;
  return {};
}

Result<std::shared_ptr<const CustomOperators>> CustomOperators::load(ArrayRef<std::string> files) {
  auto loaded = std::make_shared<CustomOperators>();
  for (const std::string &file : files)
    if (auto done = loaded->addFile(file); !done)
      return done.takeError();
  return std::shared_ptr<const CustomOperators>(std::move(loaded));
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

namespace {
/// What a context's dialect keeps them by.
struct OperatorsInterface : DialectInterface::Base<OperatorsInterface> {
  OperatorsInterface(Dialect *dialect, std::shared_ptr<const CustomOperators> operators)
      : Base(dialect), operators(std::move(operators)) {}
  std::shared_ptr<const CustomOperators> operators;
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OperatorsInterface)
};

struct OperatorsExtension : DialectExtension<OperatorsExtension, aten::AtenDialect> {
  explicit OperatorsExtension(std::shared_ptr<const CustomOperators> operators)
      : operators(std::move(operators)) {}
  void apply(MLIRContext *, aten::AtenDialect *dialect) const override {
    dialect->addInterface(std::make_unique<OperatorsInterface>(dialect, operators));
  }
  std::shared_ptr<const CustomOperators> operators;
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OperatorsExtension)
};
} // namespace

void CustomOperators::add(std::shared_ptr<const CustomOperators> operators,
                          DialectRegistry &registry) {
  registry.addExtension(TypeID::get<OperatorsExtension>(),
                        std::make_unique<OperatorsExtension>(std::move(operators)));
}

const CustomOperators &CustomOperators::of(MLIRContext *context) {
  static const CustomOperators none;
  auto *dialect = context->getLoadedDialect<aten::AtenDialect>();
  auto *interface = dialect ? dialect->getRegisteredInterface<OperatorsInterface>() : nullptr;
  return interface ? *interface->operators : none;
}

} // namespace jit

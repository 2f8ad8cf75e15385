//===- PackageHeader.cpp - the C header of a package ----------------------===//

#include "PackageBuilder.h"
#include "jit-c/Values.h"
#include "jit/Dialect/Jit/Jit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {
namespace {

/// How an argument looks in C, and how it becomes a jit_value called `value`.
struct Parameter {
  std::string type;
  std::string fill;
};

/// Writes the inline functions, one for each method.
class HeaderWriter {
public:
  HeaderWriter(const package::Package &package, Session::Impl &session, llvm::raw_ostream &os)
      : package(package), session(session), os(os) {}

  void write();

private:
  void writeFunctions();
  void writeMethod(const package::Method &method);
  void writeComment(const package::Method &method);
  std::vector<std::string> argumentNames(const package::Method &method) const;

  const package::Package &package;
  Session::Impl &session;
  llvm::raw_ostream &os;
};

} // namespace

/// A line of the description as it may stand in a comment of C. A slash beside a star can only be
/// in a string, where \x2f is the same.
static std::string inComment(llvm::StringRef line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    bool meetsStar = line.take_front(i).ends_with("*") || line.substr(i + 1).starts_with("*");
    if (line[i] == '/' && meetsStar)
      text += "\\x2f";
    else
      text += line[i];
  }
  return text;
}

static std::string identifier(llvm::StringRef text) {
  std::string name = text.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

static Parameter parameterFor(Type type, const std::string &name, unsigned index) {
  std::string value = "arguments[" + std::to_string(index) + "]";
  auto optional = dyn_cast<OptionalType>(type);
  Type inner = optional ? optional.getElementType() : type;
  auto fill = [&](const char *kind, const char *member, const std::string &from) {
    return value + ".kind = " + kind + ", " + value + ".as." + member + " = " + from;
  };
  auto orNone = [&](const std::string &given) { return "if (" + name + ")\n    " + given + ";\n"; };
  if (isa<TensorType>(inner))
    return {"const jit_tensor *", orNone(fill("JIT_KIND_TENSOR", "tensor", "*" + name))};
  if (isa<StrType, DeviceType>(inner))
    return {"const char *", orNone(fill("JIT_KIND_STRING", "string", name))};
  bool isInt = inner.isInteger(64), isBool = inner.isInteger(1), isFloat = inner.isF64();
  if (!isInt && !isBool && !isFloat)
    return {"const jit_value *", orNone(value + " = *" + name)};
  const char *kind = isInt ? "JIT_KIND_INT" : isBool ? "JIT_KIND_BOOL" : "JIT_KIND_FLOAT";
  const char *member = isFloat ? "real" : "integer";
  std::string base = isInt ? "int64_t " : isBool ? "int " : "double ";
  if (optional)
    return {"const " + base + "*", orNone(fill(kind, member, "*" + name))};
  return {base, fill(kind, member, name) + ";\n"};
}

static const package::Output *resultOf(const package::Variant &variant, int32_t number) {
  for (const package::Output &output : variant.outputs)
    if (output.to.place == JIT_PLACE_RESULT && output.to.index == number)
      return &output;
  return nullptr;
}

/// The first one that there is code for.
static const package::Variant &servedVariant(const package::Method &method) {
  return *llvm::find_if(method.variants,
                        [](const package::Variant &variant) { return variant.refusal.empty(); });
}

/// Whether all variants give as many results of the same kinds, so that they can have parameters.
static bool hasFixedResults(const package::Method &method) {
  const package::Variant &first = servedVariant(method);
  return llvm::all_of(method.variants, [&](const package::Variant &variant) {
    if (!variant.refusal.empty())
      return true;
    if (variant.resultCount != first.resultCount)
      return false;
    for (int32_t i = 0; i < first.resultCount; ++i)
      if (resultOf(variant, i)->type.kind != resultOf(first, i)->type.kind)
        return false;
    return true;
  });
}

std::vector<std::string> HeaderWriter::argumentNames(const package::Method &method) const {
  size_t most = 0;
  for (const package::Variant &variant : method.variants)
    most = std::max(most, variant.arguments.size());
  std::vector<std::string> names;
  for (size_t i = 0; i < most; ++i)
    names.push_back("arg_" + identifier(method.argumentNames[i]));
  return names;
}

static bool hasOpenSizes(const package::Variant &variant) {
  return llvm::any_of(variant.operands,
                      [](const package::Operand &operand) { return operand.bytes < 0; });
}

void HeaderWriter::writeComment(const package::Method &method) {
  os << "\n/** " << method.name << ", compiled for:\n\n";
  llvm::StringRef rest = package.description;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.starts_with(method.name + "("))
      os << "        " << inComment(line) << '\n';
  }
  os << "\n    A null pointer is None";
  os << (hasFixedResults(method) ? "; result0 is %0. Result tensors: see jit_tensor."
                                 : "; results are %0, %1, ...");
  if (llvm::any_of(method.variants, hasOpenSizes))
    os << "\n    A name among sizes stands for any of at least 2, the same wherever it stands. ? "
          "is a "
          "size\n    that the call finds: leave `data` NULL, and memory is allocated, its sizes "
          "with it; memory of\n    yours has to be of just that size.";
  if (llvm::any_of(method.variants,
                   [](const package::Variant &variant) { return sayStrides(variant.arguments); }))
    os << "\n    Where a tensor has strides[...], `strides` of the argument have to be those, in "
          "elements; ? is any.\n    With part[m,o,n] it begins at the element o of the memory m, "
          "which has n elements and further parts.";
  os << " Errors: JIT_INVALID_ARGUMENT where\n    nothing was compiled for the arguments, "
        "JIT_RAISED "
        "for the program's own exceptions. */\n";
}

/// The parameters for results, what goes in before the call and what comes out after it.
static void resultParts(const package::Method &method, std::string &parameters, std::string &before,
                        std::string &after) {
  for (int32_t i = 0; i < servedVariant(method).resultCount; ++i) {
    std::string name = "result" + std::to_string(i), value = "results[" + std::to_string(i) + "]";
    jit_kind kind = package::kindOf(resultOf(servedVariant(method), i)->type);
    const char *member = kind == JIT_KIND_TENSOR  ? "tensor"
                         : kind == JIT_KIND_FLOAT ? "real"
                                                  : "integer";
    parameters += std::string(", ") +
                  (kind == JIT_KIND_TENSOR  ? "jit_tensor *"
                   : kind == JIT_KIND_FLOAT ? "double *"
                                            : "int64_t *") +
                  name;
    if (kind == JIT_KIND_TENSOR)
      before +=
          "  " + value + ".kind = JIT_KIND_TENSOR, " + value + ".as.tensor = *" + name + ";\n";
    after += "    *" + name + " = " + value + ".as." + member + ";\n";
  }
}

void HeaderWriter::writeMethod(const package::Method &method) {
  writeComment(method);
  llvm::StringRef pythonName = method.name;
  pythonName.consume_back(".grad");
  func::FuncOp function = session.functionOf(pythonName.str());
  std::vector<std::string> names = argumentNames(method);
  os << "static inline jit_status " << package.name << '_' << identifier(method.name)
     << "(jit_module *module";
  std::string fills;
  for (auto [i, name] : llvm::enumerate(names)) {
    Parameter parameter = parameterFor(function.getArgumentTypes()[i], name, unsigned(i));
    os << ", " << parameter.type << name;
    fills += "  " + parameter.fill;
  }
  bool isFixed = hasFixedResults(method);
  int32_t resultCount = servedVariant(method).resultCount;
  std::string parameters, before, after;
  if (isFixed)
    resultParts(method, parameters, before, after);
  else
    parameters = ", jit_value *results, size_t result_count";
  os << parameters << ", jit_error *error) {\n";
  os << "  jit_value arguments[" << std::max<size_t>(names.size(), 1)
     << "] = {{0, 0, {{0, 0, 0, 0, 0}}}};\n";
  if (isFixed)
    os << "  jit_value results[" << std::max(resultCount, 1)
       << "] = {{0, 0, {{0, 0, 0, 0, 0}}}};\n";
  os << fills << before << "  jit_status status = " << package.name << "_call(module, \""
     << method.name << "\", arguments, " << names.size() << ", results, ";
  if (isFixed)
    os << resultCount;
  else
    os << "result_count";
  os << ", error);\n";
  if (isFixed && !after.empty())
    os << "  if (status == JIT_OK) {\n" << after << "  }\n";
  os << "  return status;\n}\n";
}

void HeaderWriter::writeFunctions() {
  static constexpr std::pair<const char *, const char *> functions[] = {
      {"jit_status",
       "open(const jit_open_options *options, jit_module **module, jit_error *error)"},
      {"void", "close(jit_module *module)"},
      {"jit_status", "find(jit_module *module, const char *method, const jit_value *arguments,\n"
                     "    size_t count, size_t *variant, jit_error *error)"},
      {"const char *", "structure(size_t variant, size_t *result_count)"},
      {"jit_status",
       "call(jit_module *module, const char *method, const jit_value *arguments,\n"
       "    size_t count, jit_value *results, size_t result_count, jit_error *error)"},
      {"jit_status",
       "state(jit_module *module, const char *path, jit_value *value, jit_error *error)"},
      {"void", "reset(jit_module *module)"},
      {"const char *", "cpu(const jit_module *module)"},
      {"int", "depends_on_strides(const char *method)"},
      {"jit_status", "call_in(jit_module *module, const char *method, const jit_value *arguments,\n"
                     "    size_t count, jit_value *results, size_t result_count,\n"
                     "    const jit_call_options *options, jit_error *error)"},
      {"jit_status", "result(size_t variant, size_t number, jit_value *result, jit_error *error)"},
      {"const char *", "target(void)"}};
  os << "\nconst jit_artifact_table *jit_artifact(void);\n";
  os << "\n/* The functions that it gives. */\n";
  for (auto [result, rest] : functions)
    os << result << (llvm::StringRef(result).ends_with("*") ? "" : " ") << package.name << '_'
       << rest << ";\n";
}

/// The body of a header of ours, without what includes it from another.
static void writeEmbedded(llvm::raw_ostream &os, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (!line.starts_with("#include \"jit-c/"))
      os << line << '\n';
}

void HeaderWriter::write() {
  std::string guard = llvm::StringRef(package.name).upper() + "_H";
  os << "/* " << package.name
     << ": compiled by jit-compile. Needs no other header of its making.\n\n";
  os << "   Compiled for:\n";
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(package.description).trim().split(lines, '\n');
  for (llvm::StringRef line : lines)
    os << "     " << inComment(line) << '\n';
  os << "*/\n#ifndef " << guard << "\n#define " << guard << "\n\n";
  writeEmbedded(os, package::valuesHeader());
  writeEmbedded(os, package::artifactHeader());
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  writeFunctions();
  for (const package::Method &method : package.methods)
    writeMethod(method);
  os << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* " << guard << " */\n";
}

std::string packageHeader(const package::Package &package, Session::Impl &session) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  HeaderWriter(package, session, stream).write();
  return text;
}

} // namespace jit

//===- ParseClass.cpp - classes of serialized TorchScript -----------------===//

#include "SourceParser.h"

namespace jit::torchscript {

struct SourceParser::ClassParts {
  ClassKind kind = ClassKind::Plain;
  std::vector<AttributeDef> attributes;
  std::vector<const FunctionDef *> methods;
  std::vector<std::string_view> parameters, buffers, forwardPreHooks, forwardHooks;
};

bool SourceParser::parseClassKind(ClassKind &kind) {
  struct Base {
    std::string_view name;
    ClassKind kind;
  };
  static constexpr Base bases[] = {
      {"Module", ClassKind::Module},
      {"Interface", ClassKind::Interface},
      {"ModuleInterface", ClassKind::ModuleInterface},
      {"NamedTuple", ClassKind::NamedTuple},
      {"Enum", ClassKind::Enum},
      {"Exception", ClassKind::Exception},
  };
  if (!accept("(") || accept(")"))
    return true;
  for (const Base &base : bases) {
    if (!token.is(base.name))
      continue;
    kind = base.kind;
    advance();
    return expect(")");
  }
  return failExpected("a base class that TorchScript knows");
}

/// `= ["a", "b", ]`.
bool SourceParser::parseNames(std::string_view what, std::vector<std::string_view> &names) {
  advance();
  if (!expect("="))
    return false;
  const Expr *value = parseExpr();
  if (!value)
    return false;
  const auto *list = value->as<ListExpr>();
  if (!list)
    return fail(value->begin, "expected a list of strings as " + std::string(what));
  for (const Expr *element : list->elements) {
    const auto *name = element->as<StringExpr>();
    if (!name)
      return fail(element->begin, "expected a list of strings as " + std::string(what));
    names.push_back(name->value);
  }
  return expect(TokenKind::Newline, "the end of the line");
}

/// `__annotations__["0"] = T` for an attribute that is no identifier; `__annotations__ = []` goes
/// before.
bool SourceParser::parseAnnotation(ClassParts &parts) {
  Position begin = token.begin;
  advance();
  if (accept("=")) {
    return parseExpr() && expect(TokenKind::Newline, "the end of the line");
  }
  if (!expect("["))
    return false;
  const Expr *key = parseExpr();
  const auto *name = key ? key->as<StringExpr>() : nullptr;
  if (!name)
    return key && fail(key->begin, "expected an attribute's name as a string");
  if (!expect("]") || !expect("="))
    return false;
  AttributeDef &attribute = parts.attributes.emplace_back();
  attribute.name = name->value;
  attribute.begin = begin;
  attribute.type = parseExpr();
  return attribute.type && expect(TokenKind::Newline, "the end of the line");
}

/// `Final[T]` becomes T and a flag.
static void stripFinal(AttributeDef &attribute) {
  const auto *subscript = attribute.type ? attribute.type->as<SubscriptExpr>() : nullptr;
  const auto *name = subscript ? subscript->base->as<NameExpr>() : nullptr;
  if (!name || name->name != "Final" || subscript->indices.size() != 1)
    return;
  attribute.isFinal = true;
  attribute.type = subscript->indices[0];
}

bool SourceParser::parseMember(ClassParts &parts) {
  if (token.is("def")) {
    parts.methods.push_back(parseFunction());
    return parts.methods.back();
  }
  if (accept("pass"))
    return expect(TokenKind::Newline, "the end of the line");
  if (token.is("__parameters__"))
    return parseNames("parameters", parts.parameters);
  if (token.is("__buffers__"))
    return parseNames("buffers", parts.buffers);
  if (token.is("__forward_pre_hooks__"))
    return parseNames("hooks", parts.forwardPreHooks);
  if (token.is("__forward_hooks__"))
    return parseNames("hooks", parts.forwardHooks);
  if (token.is("__annotations__"))
    return parseAnnotation(parts);
  AttributeDef &attribute = parts.attributes.emplace_back();
  attribute.begin = token.begin;
  if (!identifier(attribute.name, "an attribute or a method"))
    return false;
  bool typed = accept(":");
  if (typed)
    attribute.type = parseExpr();
  else if (!token.is("="))
    return failExpected("':' or '=' after an attribute's name");
  if (accept("="))
    attribute.value = parseExprList();
  return expect(TokenKind::Newline, "the end of the line");
}

const ClassDef *SourceParser::parseClass() {
  auto *node = arena.create<ClassDef>();
  node->begin = token.begin;
  node->file = &file;
  advance();
  ClassParts parts;
  if (!identifier(node->name, "a class's name") || !parseClassKind(node->kind) || !expect(":"))
    return nullptr;
  if (!expect(TokenKind::Newline, "the end of the line") ||
      !expect(TokenKind::Indent, "an indented block"))
    return nullptr;
  while (token.kind != TokenKind::Dedent)
    if (!parseMember(parts))
      return nullptr;
  advance();
  for (AttributeDef &attribute : parts.attributes)
    stripFinal(attribute);
  node->attributes = arena.copy(parts.attributes);
  node->methods = arena.copy(parts.methods);
  node->parameters = arena.copy(parts.parameters);
  node->buffers = arena.copy(parts.buffers);
  node->forwardPreHooks = arena.copy(parts.forwardPreHooks);
  node->forwardHooks = arena.copy(parts.forwardHooks);
  return node;
}

} // namespace jit::torchscript

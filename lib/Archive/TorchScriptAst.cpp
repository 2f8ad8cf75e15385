//===- TorchScriptAst.cpp - syntax tree of serialized TorchScript ---------===//

#include "jit/Archive/TorchScriptAst.h"

#include "SourceParser.h"
#include "jit/OutOfMemory.h"

#include <algorithm>

namespace jit::torchscript {

template <typename T>
static const T *findNamed(std::span<const T *const> items, std::string_view name) {
  auto found =
      std::find_if(items.begin(), items.end(), [&](const T *item) { return item->name == name; });
  return found == items.end() ? nullptr : *found;
}

const FunctionDef *ClassDef::findMethod(std::string_view name) const {
  return findNamed(methods, name);
}

const AttributeDef *ClassDef::findAttribute(std::string_view name) const {
  auto found = std::find_if(attributes.begin(), attributes.end(),
                            [&](const AttributeDef &attribute) { return attribute.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

const ClassDef *SourceFile::findClass(std::string_view name) const {
  return findNamed(classDefs, name);
}

const FunctionDef *SourceFile::findFunction(std::string_view name) const {
  return findNamed(functionDefs, name);
}

Result<std::unique_ptr<SourceFile>> SourceFile::parse(std::string name, SharedBytes text,
                                                      const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<std::unique_ptr<SourceFile>> {
    if (text.size() > std::min<uint64_t>(limits.maxSourceBytes, UINT32_MAX / 2))
      return Error{ErrorCode::LimitExceeded,
                   "expected at most " + std::to_string(limits.maxSourceBytes) +
                       " bytes of code, got " + std::to_string(text.size()),
                   std::move(name)};
    std::unique_ptr<SourceFile> file(new SourceFile(std::move(name), std::move(text)));
    if (Result<void> parsed = SourceParser(*file, limits).run(); !parsed)
      return parsed.takeError();
    return file;
  });
}

std::optional<std::string> dottedName(const Expr *expr) {
  std::vector<std::string_view> parts;
  while (const auto *attribute = expr->as<AttributeExpr>()) {
    parts.push_back(attribute->name);
    expr = attribute->base;
  }
  const auto *name = expr->as<NameExpr>();
  if (!name)
    return std::nullopt;
  std::string joined(name->name);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    joined.append(".").append(*part);
  return joined;
}

} // namespace jit::torchscript

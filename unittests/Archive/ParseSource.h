//===- ParseSource.h - code snippets as syntax trees ------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_ARCHIVE_PARSESOURCE_H
#define JIT_UNITTESTS_ARCHIVE_PARSESOURCE_H

#include "jit/Archive/TorchScriptAst.h"

#include <memory>
#include <string>

namespace jit::test {

Result<std::unique_ptr<torchscript::SourceFile>> parseSource(const std::string &text,
                                                             const ArchiveLimits &limits = {});
/// Parses `def f(): <newline> return TEXT` and writes the value with every grouping in parentheses;
/// an error as "error: ...".
std::string showExpr(const std::string &text);
/// The same for the statements of a function's body (indented by the caller).
std::string showBody(const std::string &text);

} // namespace jit::test

#endif // JIT_UNITTESTS_ARCHIVE_PARSESOURCE_H

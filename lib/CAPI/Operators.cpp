//===- Operators.cpp - lists of operators, and texts in and out -----------===//
#include "Guarded.h"

#include <cstdlib>
#include <cstring>

using namespace jit;

jit_status jit::giveText(const std::string &from, char **text, jit_error *error) {
  *text = static_cast<char *>(std::malloc(from.size() + 1));
  if (!*text)
    return report({ErrorCode::LimitExceeded, "out of memory for a text"}, error);
  std::memcpy(*text, from.c_str(), from.size() + 1);
  return JIT_OK;
}

std::optional<std::vector<std::string>> jit::readTexts(const char *const *texts, size_t count) {
  std::vector<std::string> read;
  if (count && !texts)
    return std::nullopt;
  for (size_t i = 0; i < count; ++i)
    if (texts[i])
      read.push_back(texts[i]);
  return read.size() == count ? std::optional(std::move(read)) : std::nullopt;
}

static jit_status giveLines(const std::vector<std::string> &lines, char **text, jit_error *error) {
  std::string all;
  for (const std::string &line : lines)
    all += line + "\n";
  return giveText(all, text, error);
}

jit_status jit_operators(char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    return text ? giveLines(supportedOperators(), text, error) : refuseNull(error);
  });
}

jit_status jit_operators_in(const char *const *files, size_t count, char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    auto paths = readTexts(files, count);
    if (!text || !paths)
      return refuseNull(error);
    auto schemas = operatorsIn(*paths);
    return schemas ? giveLines(*schemas, text, error) : report(schemas.error(), error);
  });
}

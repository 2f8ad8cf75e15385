//===- SourceErrorTest.cpp - code that is no code, or far too much --------===//

#include "ExpectError.h"
#include "ParseSource.h"

namespace jit::test {
namespace {

std::string repeated(const std::string &text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += text;
  return out;
}

void expectSourceError(const std::string &text, ErrorCode code, const std::string &where,
                       const std::string &message) {
  expectError(parseSource(text), code, where, message);
}

TEST(SourceError, WhatStandsWhereSomethingElseShould) {
  expectSourceError("x = 1\n", ErrorCode::Malformed, "m.py:1:1",
                    "expected a class or a function, got 'x'");
  expectSourceError("def f(:\n", ErrorCode::Malformed, "m.py:1:7", "expected a parameter, got ':'");
  expectSourceError("def f()\n", ErrorCode::Malformed, "m.py:1:8",
                    "expected ':', got the end of the line");
  expectSourceError("def f():\n", ErrorCode::Malformed, "m.py:2:1", "expected an indented block");
  expectSourceError("def f():\n  x = = 1\n", ErrorCode::Malformed, "m.py:2:7",
                    "expected an expression, got '='");
  expectSourceError("def f():\n  f(x\n", ErrorCode::Malformed, "m.py:3:1",
                    "expected ',' or ')' in a call");
  expectSourceError("def f():\n  f(a=1, 2)\n", ErrorCode::Malformed, "m.py:2:10",
                    "after a keyword argument");
  expectSourceError("def f():\n  f(1=2)\n", ErrorCode::Malformed, "m.py:2:5", "keyword's name");
  expectSourceError("def f():\n  1 = x\n", ErrorCode::Malformed, "m.py:2:3", "to assign to");
  expectSourceError("def f():\n  x y\n", ErrorCode::Malformed, "m.py:2:5",
                    "expected the end of the line, got 'y'");
  expectSourceError("def f():\n  assert x\n", ErrorCode::Malformed, "m.py:2:3",
                    "expected an expression, got 'assert'");
  expectSourceError("class M(Gadget):\n  pass\n", ErrorCode::Malformed, "m.py:1:9",
                    "that TorchScript knows");
  expectSourceError("class M:\n  x\n", ErrorCode::Malformed, "m.py:2:4", "expected ':' or '='");
  expectSourceError("class M:\n  __buffers__ = 3\n", ErrorCode::Malformed, "m.py:2:17",
                    "list of strings");
  expectSourceError("def f():\n  x[]\n", ErrorCode::Malformed, "m.py:2:5", "expected an index");
}

TEST(SourceError, WhatIsNotHandled) {
  expectSourceError("def f():\n  a = b = c\n", ErrorCode::Unsupported, "m.py:2:9",
                    "chained assignment");
  expectSourceError("def f():\n  a < b < c\n", ErrorCode::Unsupported, "m.py:2:9",
                    "chained comparisons");
  expectSourceError("def f(*args):\n  pass\n", ErrorCode::Unsupported, "m.py:1:8", "variadic");
  expectSourceError("def f():\n  -1 ** 2\n", ErrorCode::Unsupported, "m.py:2:3", "parentheses");
}

TEST(SourceError, Tokens) {
  expectSourceError("def f():\n  $\n", ErrorCode::Malformed, "m.py:2:3", "unexpected character");
  expectSourceError("def f():\n  \"abc\n", ErrorCode::Malformed, "m.py:2:3",
                    "string is not closed");
  expectSourceError("def f():\n  \"abc\\", ErrorCode::Malformed, "m.py:2:3",
                    "string is not closed");
  expectSourceError("def f():\n  \"\\x4\"\n", ErrorCode::Malformed, "m.py:2:3",
                    "two hexadecimal digits");
  expectSourceError("def f():\n  12ab\n", ErrorCode::Malformed, "m.py:2:3",
                    "a name runs into a number");
  expectSourceError("def f():\n  9223372036854775808\n", ErrorCode::Malformed, "m.py:2:3",
                    "at most 64 bits");
  expectSourceError("def f():\n  1e999\n", ErrorCode::Malformed, "m.py:2:3", "a double can hold");
  expectSourceError("def f():\n    x\n  y\n", ErrorCode::Malformed, "m.py:3:3",
                    "matches no outer line");
  expectSourceError("def f():\n  x\n    y\n", ErrorCode::Malformed, "m.py:3:5",
                    "got an indented line");
  expectSourceError(std::string("def f():\n  x\0y\n", 15), ErrorCode::Malformed, "m.py:2:4",
                    "unexpected character");
}

TEST(SourceError, EveryTruncationEnds) {
  std::string text =
      "class M(Module):\n  __parameters__ = [\"w\", ]\n  x : Final[int] = 3\n"
      "  def forward(self: __torch__.M, x: int=-1) -> int:\n    if x:\n      y = {1: (2, )}\n"
      "    else:\n      y, z, = f(a=\"s\\n\")[1:2]\n    return y\n";
  ASSERT_TRUE(parseSource(text));
  for (size_t size = 0; size < text.size(); ++size) {
    auto file = parseSource(text.substr(0, size));
    if (!file) {
      EXPECT_EQ(file.error().code, ErrorCode::Malformed) << size;
    }
  }
}

TEST(SourceError, NestedTenThousandDeep) {
  const int deep = 10000;
  auto expectTooDeep = [](const std::string &text) {
    auto file = parseSource(text);
    ASSERT_FALSE(file);
    EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::LimitExceeded))
        << file.error().str();
    EXPECT_EQ(file.error().where.substr(0, 5), "m.py:");
  };
  auto returning = [](const std::string &value) { return "def f():\n  return " + value + "\n"; };
  expectTooDeep(returning(repeated("(", deep) + "x" + repeated(")", deep)));
  expectTooDeep(returning(repeated("[", deep)));
  expectTooDeep(returning(repeated("{1:", deep)));
  expectTooDeep(returning(repeated("f(", deep)));
  expectTooDeep(returning(repeated("x[", deep)));
  expectTooDeep(returning(repeated("- ", deep) + "x"));
  expectTooDeep(returning(repeated("not ", deep) + "x"));
  expectTooDeep(returning(repeated("x ** ", deep) + "x"));
  expectTooDeep(returning(repeated("x if y else ", deep) + "x"));
  // These nest to the left, where the parser itself does not recurse.
  expectTooDeep(returning("x" + repeated("()", deep)));
  expectTooDeep(returning("x" + repeated(".a", deep)));
  expectTooDeep(returning("x" + repeated("[0]", deep)));
  expectTooDeep(returning("x" + repeated(" + x", deep)));
  std::string blocks = "def f():\n", chain = "def f():\n  if x:\n    pass\n";
  for (int i = 1; i < 2000; ++i) {
    blocks += std::string(i, ' ') + "if x:\n";
    chain += "  elif x:\n    pass\n";
  }
  expectTooDeep(blocks);
  expectTooDeep(chain);
  expectTooDeep("def f():\n  " + repeated("if x: ", deep));
}

TEST(SourceError, DeepEnoughForRealPrograms) {
  EXPECT_TRUE(
      parseSource("def f():\n  return " + repeated("(", 200) + "x" + repeated(")", 200) + "\n"));
  EXPECT_TRUE(
      parseSource("def f():\n  return " + repeated("f(", 200) + "x" + repeated(")", 200) + "\n"));
  std::string wide = "def f():\n  return [";
  EXPECT_TRUE(parseSource(wide + repeated("x, ", 100000) + "]\n"));
}

TEST(SourceError, TooMuch) {
  ArchiveLimits limits;
  limits.maxSourceBytes = 100;
  expectError(parseSource(repeated("# text\n", 100), limits), ErrorCode::LimitExceeded, "m.py",
              "at most 100 bytes");
  limits = {};
  limits.maxAstBytes = 1 << 20;
  auto file = parseSource("def f():\n  return [" + repeated("x, ", 100000) + "]\n", limits);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::LimitExceeded);
}

} // namespace
} // namespace jit::test

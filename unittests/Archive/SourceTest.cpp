//===- SourceTest.cpp - what the parser makes of serialized code ----------===//

#include "ParseSource.h"

#include <cmath>
#include <gtest/gtest.h>

namespace jit::test {
namespace {

using namespace torchscript;

TEST(Source, Literals) {
  EXPECT_EQ(showExpr("-1"), "-1");
  EXPECT_EQ(showExpr("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(showExpr("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(showExpr("2."), "f2.000000");
  EXPECT_EQ(showExpr("-0.5"), "f-0.500000");
  EXPECT_EQ(showExpr(".5"), "f0.500000");
  EXPECT_EQ(showExpr("1.0000000000000001e-05"), "f0.000010");
  EXPECT_EQ(showExpr("1e+3"), "f1000.000000");
  EXPECT_EQ(showExpr("inf"), "finf");
  EXPECT_EQ(showExpr("-inf"), "f-inf");
  EXPECT_EQ(showExpr("2j"), "j2.000000");
  EXPECT_EQ(showExpr("[True, False, None, ...]"), "list(True False None ...)");
  // A member may have the name of a literal.
  EXPECT_EQ(showExpr("torch.nan"), "torch.nan");
}

TEST(Source, Strings) {
  EXPECT_EQ(showExpr(R"("")"), "''");
  EXPECT_EQ(showExpr(R"("it's")"), "'it's'");
  EXPECT_EQ(showExpr(R"('a"b')"), "'a\"b'");
  EXPECT_EQ(showExpr(R"("\n\t\\\"\'\a\b\f\r\v")"), "'\n\t\\\"'\a\b\f\r\v'");
  EXPECT_EQ(showExpr(R"("\001\7\x41\q")"), "'\001\007A\\q'");
  EXPECT_EQ(showExpr(R"("one" "two\n")"), "'onetwo\n'");
  EXPECT_EQ(showExpr("\"\xc3\xa9\""), "'\xc3\xa9'");
  // The printer leaves newlines in an enum's strings alone.
  EXPECT_EQ(showExpr("\"a\nb\""), "'a\nb'");
}

TEST(Source, CallsAndMembers) {
  EXPECT_EQ(showExpr("(conv).forward(x, )"), "call(conv.forward x)");
  EXPECT_EQ(showExpr("torch.zeros([2, n], dtype=6, layout=None)"),
            "call(torch.zeros list(2 n) dtype=6 layout=None)");
  EXPECT_EQ(showExpr("ops.prim.RaiseException(m, \"builtins.E\")"),
            "call(ops.prim.RaiseException m 'builtins.E')");
  EXPECT_EQ(showExpr("(torch.size(x))[-1]"), "call(torch.size x)[-1]");
  EXPECT_EQ(showExpr("annotate(List[Optional[Tensor]], [])"),
            "call(annotate List[Optional[Tensor]] list())");
  EXPECT_EQ(showExpr("x[0, 1:3, ..., :, ::2]"), "x[0 slice(1 3 _) ... slice(_ _ _) slice(_ _ 2)]");
  EXPECT_EQ(showExpr("{\"z\": [1, 2], \"y\": [], }"), "dict('z' 'y' : list(1 2) list())");
  EXPECT_EQ(showExpr("Tuple[()]"), "Tuple[tuple()]");
  EXPECT_EQ(showExpr("(1,)"), "tuple(1)");
  EXPECT_EQ(showExpr("(1)"), "1");
  EXPECT_EQ(showExpr("a, b"), "tuple(a b)");
  EXPECT_EQ(showExpr("f(\n    x,\n    y)"), "call(f x y)");
}

TEST(Source, OperatorsBindAsInPython) {
  EXPECT_EQ(showExpr("1 + 2 * 3 - 4"), "((1 + (2 * 3)) - 4)");
  EXPECT_EQ(showExpr("2 ** 3 ** -2"), "(2 ** (3 ** -2))");
  EXPECT_EQ(showExpr("-x ** 2"), "(- (x ** 2))");
  EXPECT_EQ(showExpr("-x * y"), "((- x) * y)");
  EXPECT_EQ(showExpr("not a == b and c or d"), "(((not (a == b)) and c) or d)");
  EXPECT_EQ(showExpr("a is not None"), "(a is-not None)");
  EXPECT_EQ(showExpr("a not in b"), "(a not-in b)");
  EXPECT_EQ(showExpr("a | b ^ c & d << 1"), "(a | (b ^ (c & (d << 1))))");
  EXPECT_EQ(showExpr("~a // b % c @ d"), "((((~ a) // b) % c) @ d)");
  EXPECT_EQ(showExpr("a if b else c if d else e"), "(b ? a : (d ? c : e))");
  EXPECT_EQ(showExpr("(a + b) * c"), "((a + b) * c)");
}

TEST(Source, Statements) {
  EXPECT_EQ(showBody("  a, b, = f(x)\n  a1, b1 = b, a\n"),
            "tuple(a b)=call(f x); tuple(a1 b1)=tuple(b a)");
  EXPECT_EQ(showBody("  x : List[int] = []\n  y : int\n"), "x:List[int]=list(); y:int=_");
  EXPECT_EQ(showBody("  self.x = 1\n  d[0] = 2\n  x += 3\n"), "self.x=1; d[0]=2; x+=3");
  EXPECT_EQ(showBody("  if a:\n    pass\n  elif b:\n    x\n  else:\n    y\n"),
            "if a {pass} {if b {x} {y}}");
  EXPECT_EQ(showBody("  while c:\n    break\n  for i in range(3):\n    continue\n"),
            "while c {break}; for i in call(range 3) {continue}");
  EXPECT_EQ(showBody("  for k, v, in d:\n    pass\n"), "for tuple(k v) in d {pass}");
  EXPECT_EQ(showBody("  with a as b:\n    pass\n  with c:\n    pass\n"),
            "with a as b {pass}; with c as _ {pass}");
  EXPECT_EQ(showBody("  del x[0], y\n  return\n"), "del x[0] y; return _");
  EXPECT_EQ(showBody("  def g():\n    return x\n  f = fork(g)\n"),
            "def g {return x}; f=call(fork g)");
  EXPECT_EQ(showBody("  if a: pass\n"), "if a {pass} {}");
}

TEST(Source, Layout) {
  EXPECT_EQ(showBody("  # a comment\n\n  x  # another\n      # and one further in\n  y\n"), "x; y");
  EXPECT_EQ(showBody("  x \\\n    + y\n"), "(x + y)");
  EXPECT_EQ(showBody("  x"), "x");
  EXPECT_EQ(showBody("  if a:\n    x"), "if a {x} {}");
  EXPECT_EQ(showBody("\r\n  x\r\n"), "x");
}

TEST(Source, Classes) {
  auto file =
      parseSource("op_version_set = 1\nimport __torch__.b\n"
                  "class M(Module):\n"
                  "  __parameters__ = [\"w\", ]\n"
                  "  __buffers__ = [\"b\", \"c\", ]\n"
                  "  __annotations__ = []\n"
                  "  __annotations__[\"0\"] = __torch__.a.B\n"
                  "  w : Tensor\n"
                  "  k : Final[Tuple[int, int]] = (1, 2)\n"
                  "  __forward_hooks__ = [\"h\", ]\n"
                  "  def forward(self: __torch__.M,\n"
                  "    x: Optional[Tensor]=None, *, n: int=-1) -> Tensor:\n"
                  "    return x\n"
                  "class C(Enum):\n  RED = 1\n  BLUE = \"b\"\n"
                  "class P(NamedTuple):\n  a : Tensor\n  b : int = 3\n"
                  "class I(ModuleInterface):\n  def forward(self, x: int) -> int:\n    pass\n"
                  "class Q:\n  pass\n");
  ASSERT_TRUE(file) << file.error().str();
  ASSERT_EQ((*file)->classes().size(), 5u);
  const ClassDef *module = (*file)->findClass("M");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->kind, ClassKind::Module);
  EXPECT_EQ(module->begin.line, 3u);
  EXPECT_EQ(module->file, file->get());
  ASSERT_EQ(module->parameters.size(), 1u);
  EXPECT_EQ(module->buffers[1], "c");
  EXPECT_EQ(module->forwardHooks[0], "h");
  ASSERT_EQ(module->attributes.size(), 3u);
  EXPECT_EQ(module->attributes[0].name, "0");
  EXPECT_EQ(dottedName(module->attributes[0].type), "__torch__.a.B");
  const AttributeDef *constant = module->findAttribute("k");
  EXPECT_TRUE(constant->isFinal);
  EXPECT_TRUE(constant->type->as<SubscriptExpr>());
  EXPECT_TRUE(constant->value->as<TupleExpr>());
  const FunctionDef *forward = module->findMethod("forward");
  ASSERT_EQ(forward->parameters.size(), 3u);
  EXPECT_TRUE(forward->parameters[1].defaultValue->as<NoneExpr>());
  EXPECT_FALSE(forward->parameters[1].keywordOnly);
  EXPECT_TRUE(forward->parameters[2].keywordOnly);
  EXPECT_EQ(dottedName(forward->returnType), "Tensor");
  EXPECT_EQ((*file)->findClass("C")->kind, ClassKind::Enum);
  EXPECT_EQ((*file)->findClass("C")->attributes[1].value->as<StringExpr>()->value, "b");
  EXPECT_EQ((*file)->findClass("P")->attributes[1].value->as<IntExpr>()->value, 3);
  EXPECT_EQ((*file)->findClass("I")->kind, ClassKind::ModuleInterface);
  EXPECT_EQ((*file)->findClass("Q")->kind, ClassKind::Plain);
  EXPECT_EQ((*file)->findClass("Z"), nullptr);
}

TEST(Source, Positions) {
  auto file = parseSource("def f(x: int) -> int:\n  y = (x).g(1, -2)\n  return y\n");
  ASSERT_TRUE(file) << file.error().str();
  const auto *assign = (*file)->findFunction("f")->body[0]->as<AssignStmt>();
  EXPECT_EQ(assign->begin.line, 2u);
  EXPECT_EQ(assign->begin.column, 3u);
  EXPECT_EQ(assign->begin.offset, 24u);
  const auto *call = assign->value->as<CallExpr>();
  EXPECT_EQ((*file)->text().substr(call->args[1]->begin.offset, 2), "-2");
}

} // namespace
} // namespace jit::test

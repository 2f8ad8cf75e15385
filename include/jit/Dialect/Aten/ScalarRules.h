//===- ScalarRules.h - the builders of `scalar` rules -----------*- C++ -*-===//
//
// In a record's `scalar` field each tensor or Scalar argument is an Element: one value, already
// promoted with the others and converted to the type in which the operator computes. Ordinary C++
// operators and the functions below build arith and math ops on it.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_SCALARRULES_H
#define JIT_DIALECT_ATEN_SCALARRULES_H

#include "jit/Dialect/Aten/TypeRules.h"

namespace jit {

/// Passed to every `scalar` rule as `build`.
struct ScalarBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The type that Elements have; ui8 stands for an unsigned i8 value.
  mlir::Type compute;
  /// The type that operands are promoted to first, as a half computes in f32; null for `compute`.
  mlir::Type promoted = {};

  bool isFloat() const { return mlir::isa<mlir::FloatType>(compute); }
};

/// One element; the second argument of the constructor is the value's type in the graph (a tensor
/// type stands for its element type), from which it is converted.
struct Element {
  ScalarBuilder *b;
  mlir::Value v;
  Element(ScalarBuilder &b, mlir::Value value, mlir::Type from);
  /// A value that already has the type it should have.
  static Element raw(ScalarBuilder &b, mlir::Value value) { return Element(b, value); }

private:
  Element(ScalarBuilder &b, mlir::Value value) : b(&b), v(value) {}
};

/// A Scalar that takes no part in promotion (`alpha`): converted, never rounded to a half.
struct Param : Element {
  Param(ScalarBuilder &b, mlir::Value value, mlir::Type from);
};

/// An operand that promotes; a number, or a tensor of one element, is not rounded to a half.
struct OpmathElement : Element {
  OpmathElement(ScalarBuilder &b, mlir::Value value, mlir::Type from);
};

/// An argument that the rule sees as it is.
struct RawElement : Element {
  RawElement(ScalarBuilder &b, mlir::Value value, mlir::Type) : Element(Element::raw(b, value)) {}
};

/// An Optional argument: test it, then `*x`.
struct OptElement {
  ScalarBuilder *b;
  mlir::Value v;
  mlir::Type from;
  OptElement(ScalarBuilder &b, mlir::Value value, mlir::Type from) : b(&b), v(value), from(from) {}
  explicit operator bool() const { return v && !mlir::isa<NoneType>(from); }
  Element operator*() const { return Element(*b, v, from); }
};
struct OptRaw : OptElement {
  using OptElement::OptElement;
  Element operator*() const { return Element::raw(*b, v); }
};

/// A string argument; empty where it is None or not a constant.
struct StrElement {
  std::optional<llvm::StringRef> text;
  StrElement(ScalarBuilder &b, mlir::Value value, mlir::Type from);
  bool operator==(llvm::StringRef other) const { return text && *text == other; }
};

/// An argument without meaning for one element.
struct Ignored {
  Ignored(ScalarBuilder &, mlir::Value, mlir::Type) {}
};

inline mlir::Value unwrap(Element e) { return e.v; }

/// `a` rounded to the type that operands are promoted to.
Element inPromotedType(Element a);

/// `value` of graph type `from` as a value of graph type `to`, by PyTorch's rules: floats truncate
/// to ints, anything non-zero is true. Values of unsigned types are signless, those of floats of
/// eight bits are i8.
mlir::Value convertScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::Type from, mlir::Type to);

// ---- Arithmetic. On bool + is or and * is and; / is true division, on floats alone. ----
Element constant(ScalarBuilder &b, double value);
Element operator+(Element a, Element c);
Element operator-(Element a, Element c);
Element operator*(Element a, Element c);
Element operator/(Element a, Element c);
Element operator-(Element a);
/// Python's // and %: towards minus infinity, the sign of the divisor.
Element floorDiv(Element a, Element c);
Element floorMod(Element a, Element c);
/// Towards zero.
Element truncDiv(Element a, Element c);
Element truncMod(Element a, Element c);
Element pow(Element a, Element c);

// ---- Comparison and selection; a NaN operand of min and max gives NaN, as in PyTorch. ----
Element operator==(Element a, Element c);
Element operator!=(Element a, Element c);
Element operator<(Element a, Element c);
Element operator<=(Element a, Element c);
Element operator>(Element a, Element c);
Element operator>=(Element a, Element c);
Element min(Element a, Element c);
Element max(Element a, Element c);
Element select(Element condition, Element a, Element c);
/// Non-zero, as a bool.
Element truth(Element a);
Element logicalAnd(Element a, Element c);
Element logicalOr(Element a, Element c);
Element logicalNot(Element a);
Element operator&(Element a, Element c);
Element operator|(Element a, Element c);
Element operator^(Element a, Element c);
Element operator~(Element a);

// ---- Functions of one float. abs and sign also of ints. ----
Element abs(Element a);
Element sign(Element a);
Element exp(Element a);
Element expm1(Element a);
Element log(Element a);
Element log1p(Element a);
Element log2(Element a);
Element log10(Element a);
Element sqrt(Element a);
Element rsqrt(Element a);
Element sin(Element a);
Element cos(Element a);
Element tan(Element a);
Element asin(Element a);
Element acos(Element a);
Element atan(Element a);
Element atan2(Element a, Element c);
Element sinh(Element a);
Element cosh(Element a);
Element tanh(Element a);
Element erf(Element a);
Element floor(Element a);
Element ceil(Element a);
Element trunc(Element a);
/// To even on a tie.
Element round(Element a);
Element isNan(Element a);
Element sigmoid(Element a);

#define JIT_WITH_NUMBER(op)                                                                        \
  inline Element operator op(Element a, double c) { return a op constant(*a.b, c); }               \
  inline Element operator op(double a, Element c) { return constant(*c.b, a) op c; }
JIT_WITH_NUMBER(+)
JIT_WITH_NUMBER(-)
JIT_WITH_NUMBER(*)
JIT_WITH_NUMBER(/)
JIT_WITH_NUMBER(==)
JIT_WITH_NUMBER(!=)
JIT_WITH_NUMBER(<)
JIT_WITH_NUMBER(<=)
JIT_WITH_NUMBER(>)
JIT_WITH_NUMBER(>=)
#undef JIT_WITH_NUMBER
inline Element min(Element a, double c) { return min(a, constant(*a.b, c)); }
inline Element max(Element a, double c) { return max(a, constant(*a.b, c)); }

} // namespace jit

#endif // JIT_DIALECT_ATEN_SCALARRULES_H

//===- Polynomials.td - orthogonal polynomials of an order given as a number -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// Each with tensors, and with a number as its argument or its order.
class OrderedPolynomial<string name, string overload, AtenArg x_, AtenArg n_, string rule>
    : Aten_FloatPointwise<name, overload, (ins x_:$x, n_:$n)> { let scalar = rule; }
class Named<string of_, string rule_> { string of = of_; string rule = rule_; }

foreach p = [Named<"chebyshev_polynomial_t", "chebyshev(x, n, x)">,
             Named<"chebyshev_polynomial_u", "chebyshev(x, n, x + x)">,
             Named<"chebyshev_polynomial_v", "chebyshev(x, n, x + x - 1.0)">,
             Named<"chebyshev_polynomial_w", "chebyshev(x, n, x + x + 1.0)">,
             Named<"shifted_chebyshev_polynomial_t", "chebyshev(x + x - 1.0, n, x + x - 1.0)">,
             Named<"shifted_chebyshev_polynomial_u", "chebyshev(x + x - 1.0, n, (x + x - 1.0) * 2.0)">,
             Named<"shifted_chebyshev_polynomial_v", "chebyshev(x + x - 1.0, n, (x + x - 1.0) * 2.0 - 1.0)">,
             Named<"shifted_chebyshev_polynomial_w", "chebyshev(x + x - 1.0, n, (x + x - 1.0) * 2.0 + 1.0)">,
             Named<"hermite_polynomial_h", "hermite(x, n, 2)">, Named<"hermite_polynomial_he", "hermite(x, n, 1)">,
             Named<"laguerre_polynomial_l", "laguerre(x, n)">, Named<"legendre_polynomial_p", "legendre(x, n)">] in {
  def Aten_Special_#p.of#Op : OrderedPolynomial<"special_" # p.of, "", Tensor, Tensor, p.rule>;
  def Aten_Special_#p.of#_xScalarOp : OrderedPolynomial<"special_" # p.of, "x_scalar", Scalar, Tensor, p.rule>;
  def Aten_Special_#p.of#_nScalarOp : OrderedPolynomial<"special_" # p.of, "n_scalar", Tensor, Scalar, p.rule>;
}

//===- Gamma.td - the gamma and error functions and their relatives -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

class GammaUnary<string name, string rule, string grad> : Aten_FloatPointwise<name, "", (ins Tensor:$self)> {
  let scalar = rule;
  let grads = [Grad<"self", grad>];
}
def Aten_LgammaOp : GammaUnary<"lgamma", "logGamma(self)", "grad * build.op<DigammaOp>(self)"> { let aliases = ["special_gammaln"]; }
def Aten_DigammaOp : GammaUnary<"digamma", "digamma(self)", "grad * build.op<PolygammaOp>(1, self)"> { let aliases = ["special_digamma", "special_psi"]; }
def Aten_PolygammaOp : Aten_FloatPointwise<"polygamma", "", (ins Int:$n, Tensor:$self)> {
  let scalar = "polygamma(n, self)";
  let grads = [Grad<"self", "grad * build.op<PolygammaOp>(n + build.i(1), self)">];
  let aliases = ["special_polygamma"];
}
def Aten_ErfinvOp : GammaUnary<"erfinv", "inverseErf(self)", "grad * exp(square(result)) * 0.886226925452758"> { let aliases = ["special_erfinv"]; }
def Aten_SpecialErfcxOp : GammaUnary<"special_erfcx", "scaledErfc(self)", "grad * (self * result * 2.0 - 1.1283791670955126)">;
def Aten_SpecialNdtriOp : GammaUnary<"special_ndtri", "inverseNormal(self)",
    "grad * exp(square(result) * 0.5) * 2.5066282746310002">;
def Aten_SpecialLogNdtrOp : GammaUnary<"special_log_ndtr", "logNormal(self)",
    "grad / build.op<SpecialErfcxOp>(self * -0.7071067811865476) * 0.7978845608028654">;

def Aten_IgammaOp : Aten_FloatPointwise<"igamma", "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "lowerGamma(self, other)";
  let grads = [Grad<"other", "grad * exp((self - 1.0) * log(other) - other - build.op<LgammaOp>(self))">];
  let aliases = ["special_gammainc"];
}
def Aten_IgammacOp : Aten_FloatPointwise<"igammac", "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "upperGamma(self, other)";
  let grads = [Grad<"other", "-(grad * exp((self - 1.0) * log(other) - other - build.op<LgammaOp>(self)))">];
  let aliases = ["special_gammaincc"];
}
class Zeta<string overload, dag args> : Aten_FloatPointwise<"special_zeta", overload, args> {
  let scalar = "zeta(self, other)";
}
def Aten_SpecialZetaOp : Zeta<"", (ins Tensor:$self, Tensor:$other)> {
  let grads = [Grad<"other", "-(grad * self * build.op<SpecialZetaOp>(self + 1.0, other))">];
}
def Aten_SpecialZetaSelfScalarOp : Zeta<"self_scalar", (ins Scalar:$self, Tensor:$other)>;
def Aten_SpecialZetaOtherScalarOp : Zeta<"other_scalar", (ins Tensor:$self, Scalar:$other)>;

def Aten_MvlgammaOp : Aten_Composite<"mvlgamma", "", (ins Tensor:$self, Int:$p), "return multivariateLogGamma(self, p);"> {
  let aliases = ["special_multigammaln"];
}

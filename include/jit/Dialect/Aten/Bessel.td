//===- Bessel.td - Bessel's functions and Airy's ------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

class Bessel<string name, string rule, string grad = ""> : Aten_FloatPointwise<name, "", (ins Tensor:$self)> {
  let scalar = rule;
  let grads = !if(!empty(grad), []<Grad>, [Grad<"self", grad>]);
}
def Aten_SpecialBesselJ0Op : Bessel<"special_bessel_j0", "besselJ(0, self)">;
def Aten_SpecialBesselJ1Op : Bessel<"special_bessel_j1", "besselJ(1, self)">;
def Aten_SpecialBesselY0Op : Bessel<"special_bessel_y0", "besselY(0, self)">;
def Aten_SpecialBesselY1Op : Bessel<"special_bessel_y1", "besselY(1, self)">;
def Aten_I0Op : Bessel<"i0", "besselI(0, self, false)", "grad * build.op<SpecialI1Op>(self)"> { let aliases = ["special_i0", "special_modified_bessel_i0"]; }
def Aten_SpecialI0eOp : Bessel<"special_i0e", "besselI(0, self, true)",
    "grad * (Tensor(build.op<SpecialI1eOp>(self)) - sign(self) * result)">;
def Aten_SpecialI1Op : Bessel<"special_i1", "besselI(1, self, false)",
    "grad * where(abs(self) > 1e-8, Tensor(build.op<I0Op>(self)) - result / self, 0.5)"> { let aliases = ["special_modified_bessel_i1"]; }
def Aten_SpecialI1eOp : Bessel<"special_i1e", "besselI(1, self, true)",
    "grad * where(abs(self) > 1e-8, Tensor(build.op<SpecialI0eOp>(self)) - result * (sign(self) + 1.0 / self), 0.5)">;
def Aten_SpecialModifiedBesselK0Op : Bessel<"special_modified_bessel_k0", "besselK(0, self, false)">;
def Aten_SpecialModifiedBesselK1Op : Bessel<"special_modified_bessel_k1", "besselK(1, self, false)">;

class OfX<string name, string rule> : Aten_FloatPointwise<name, "", (ins Tensor:$x)> { let scalar = rule; }
def Aten_SpecialScaledModifiedBesselK0Op : OfX<"special_scaled_modified_bessel_k0", "besselK(0, x, true)">;
def Aten_SpecialScaledModifiedBesselK1Op : OfX<"special_scaled_modified_bessel_k1", "besselK(1, x, true)">;
def Aten_SpecialSphericalBesselJ0Op : OfX<"special_spherical_bessel_j0", "sphericalBessel(x)">;
def Aten_SpecialAiryAiOp : OfX<"special_airy_ai", "airy(x)">;

//===- Resize.td - images in other sizes -------------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// By sizes and, where they were given, by what they were computed from; or by either of the two lists.
multiclass Upsample<string name, int n, string how, bit hasCorners> {
  defvar scales = !cond(!eq(n, 1) : ["scales"], !eq(n, 2) : ["scales_h", "scales_w"],
                        true : ["scales_d", "scales_h", "scales_w"]);
  defvar corners = !if(hasCorners, (ins Bool:$align_corners), (ins));
  defvar aligned = !if(hasCorners, "align_corners", "build.flag(false)");
  def Op : Aten_Composite<name, "", !con((ins Tensor:$self, Sized<SymIntList, n>:$output_size), corners,
      !dag(ins, !listsplat(Default<OptFloat, "None">, n), scales)),
      "return resized(self, output_size, {" # !interleave(scales, ", ") # "}, Interpolation::" # how # ", " # aligned # ");">;
  def VecOp : Aten_Composite<name, "vec", !con((ins Tensor:$input, OptSymIntList:$output_size), corners,
      (ins OptFloatList:$scale_factors)),
      "return resizedBy(input, output_size, scale_factors, Interpolation::" # how # ", " # aligned # ");">;
}
defm Aten_UpsampleNearest1d : Upsample<"upsample_nearest1d", 1, "Nearest", 0>;
defm Aten_UpsampleNearest2d : Upsample<"upsample_nearest2d", 2, "Nearest", 0>;
defm Aten_UpsampleNearest3d : Upsample<"upsample_nearest3d", 3, "Nearest", 0>;
defm Aten_UpsampleNearestExact1d : Upsample<"_upsample_nearest_exact1d", 1, "NearestExact", 0>;
defm Aten_UpsampleNearestExact2d : Upsample<"_upsample_nearest_exact2d", 2, "NearestExact", 0>;
defm Aten_UpsampleNearestExact3d : Upsample<"_upsample_nearest_exact3d", 3, "NearestExact", 0>;
defm Aten_UpsampleLinear1d : Upsample<"upsample_linear1d", 1, "Linear", 1>;
defm Aten_UpsampleBilinear2d : Upsample<"upsample_bilinear2d", 2, "Linear", 1>;
defm Aten_UpsampleTrilinear3d : Upsample<"upsample_trilinear3d", 3, "Linear", 1>;
defm Aten_UpsampleBicubic2d : Upsample<"upsample_bicubic2d", 2, "Cubic", 1>;
defm Aten_UpsampleBilinear2dAa : Upsample<"_upsample_bilinear2d_aa", 2, "Antialiased", 1>;
defm Aten_UpsampleBicubic2dAa : Upsample<"_upsample_bicubic2d_aa", 2, "AntialiasedCubic", 1>;

class MaxUnpool<int n, dag rest> : Aten_Composite<"max_unpool" # n # "d", "",
    !con((ins Tensor:$self, Tensor:$indices, Sized<SymIntList, n>:$output_size), rest),
    "return unpooled(self, indices, output_size);">;
def Aten_MaxUnpool2dOp : MaxUnpool<2, (ins)>;
def Aten_MaxUnpool3dOp : MaxUnpool<3, (ins Sized<IntList, 3>:$stride, Sized<IntList, 3>:$padding)>;

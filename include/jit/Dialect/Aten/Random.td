//===- Random.td - random numbers, and what drops elements by them -*- tablegen -*-===//
//
// A generator is here the number of its present draw. The pass jit-seed-random keeps it in the module's state and gives
// it to each operator that has none; everything else is made of uniform numbers (docs/flow.md).
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/RandomBase.td"

def DrawEffects : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

defvar generator = Kw<Default<OptGenerator, "None">>;
defvar randomOptions = (ins Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
    Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory);
defvar intOptions = (ins Kw<Default<OptDType, "4">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
    Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory);
defvar likeOptions = !con(randomOptions, (ins Kw<Default<OptMemoryFormat, "None">>:$memory_format));

def Aten_RandGeneratorOp : Aten_Op<"rand", "generator",
    !con((ins SymIntList:$size, Kw<OptGenerator>:$generator), randomOptions), (outs Tensor:$result), [DrawEffects, DrawsNumbers]> {
  let summary = "Numbers of [0, 1): of a draw and the place of each element (Philox 4x32, ten rounds)";
  let type = "sized(infer, size, infer.dtypeOr(dtype, infer.f32()))";
  let lowered = 1;
}

/// A composition that draws: the pass jit-seed-random takes it apart, before anything is known of its operands.
class Drawing<string name, string overload, dag args, string body, dag outs_ = (outs Tensor:$result)>
    : Aten_Op<name, overload, args, outs_, [MemoryEffects<[MemRead, MemWrite]>, DrawsNumbers]> {
  let decompose = body;
}
def Aten_RandOp : Drawing<"rand", "", !con((ins SymIntList:$size), randomOptions),
    "return build.op<RandGeneratorOp>(size, build.none(), dtype, layout, device, pin_memory);">;
def Aten_RandnGeneratorOp : Drawing<"randn", "generator",
    !con((ins SymIntList:$size, Kw<OptGenerator>:$generator), randomOptions), "return normalOf(size, dtype);">;
def Aten_RandnOp : Drawing<"randn", "", !con((ins SymIntList:$size), randomOptions), "return normalOf(size, dtype);">;
def Aten_RandLikeOp : Drawing<"rand_like", "", !con((ins Tensor:$self), likeOptions), "return uniformLike(self, dtype);">;
def Aten_RandnLikeOp : Drawing<"randn_like", "", !con((ins Tensor:$self), likeOptions), "return normalLike(self, dtype);">;

class Randint<string overload, dag args, string low> : Drawing<"randint", overload, !con(args, intOptions),
    "return integersOf(size, " # low # ", high, dtype);">;
def Aten_RandintOp : Randint<"", (ins SymInt:$high, SymIntList:$size), "build.i(0)">;
def Aten_RandintLowOp : Randint<"low", (ins SymInt:$low, SymInt:$high, SymIntList:$size), "low">;
def Aten_RandintLikeOp : Drawing<"randint_like", "", !con((ins Tensor:$self, SymInt:$high), likeOptions),
    "return integersLike(self, build.i(0), high, dtype);">;
def Aten_RandintLikeLowDtypeOp : Drawing<"randint_like", "low_dtype",
    !con((ins Tensor:$self, SymInt:$low, SymInt:$high), likeOptions), "return integersLike(self, low, high, dtype);">;
def Aten_RandpermOp : Drawing<"randperm", "", !con((ins SymInt:$n), intOptions), "return permutation(n, dtype);">;

//===----------------------------------------------------------------------===//
// Distributions. Of a tensor that is filled only sizes and element type count. What is drawn changes with nothing, which
// gives what it is drawn by a gradient of zeros.
//===----------------------------------------------------------------------===//

class FilledBy<string name, dag args, string body>
    : Drawing<name, "", !con((ins Tensor:$self), args, (ins generator:$generator)), "return drawnBy({self}, " # body # ");">;
def Aten_UniformOp : FilledBy<"uniform", (ins Default<Float, "0.">:$from, Default<Float, "1.">:$to),
    "uniformBetween(self, from, to)">;
def Aten_NormalFunctionalOp : FilledBy<"normal_functional", (ins Default<Float, "0.">:$mean, Default<Float, "1.">:$std),
    "normalLike(self, build.none()) * Any(std) + Any(mean)">;
def Aten_ExponentialOp : FilledBy<"exponential", (ins Default<Float, "1.">:$lambd), "exponentialLike(self) / Any(lambd)">;
def Aten_CauchyOp : FilledBy<"cauchy", (ins Default<Float, "0.">:$median, Default<Float, "1.">:$sigma),
    "cauchyLike(self) * Any(sigma) + Any(median)">;
def Aten_LogNormalOp : FilledBy<"log_normal", (ins Default<Float, "1.">:$mean, Default<Float, "2.">:$std),
    "exp(normalLike(self, build.none()) * Any(std) + Any(mean))">;
def Aten_GeometricOp : FilledBy<"geometric", (ins Float:$p), "geometricLike(self, p)">;

def Aten_NormalTensorFloatOp : Drawing<"normal", "Tensor_float", (ins Tensor:$mean, Default<Float, "1.">:$std, generator:$generator),
    "return drawnBy({mean}, mean + normalLike(mean, build.none()) * Any(std));">;
def Aten_NormalFloatTensorOp : Drawing<"normal", "float_Tensor", (ins Float:$mean, Tensor:$std, generator:$generator),
    "return drawnBy({std}, normalLike(std, build.none()) * std + Any(mean));">;
def Aten_NormalTensorTensorOp : Drawing<"normal", "Tensor_Tensor", (ins Tensor:$mean, Tensor:$std, generator:$generator),
    "return drawnBy({mean, std}, mean + normalLike(mean + std, build.none()) * std);">;
def Aten_NormalFloatFloatOp : Drawing<"normal", "float_float",
    !con((ins Float:$mean, Float:$std, SymIntList:$size, generator:$generator), randomOptions),
    "return normalOf(size, dtype) * Any(std) + Any(mean);">;

def Aten_BernoulliOp : Drawing<"bernoulli", "", (ins Tensor:$self, generator:$generator),
    "return drawnBy({self}, typeAs(drawLike(self) < self, self));">;
def Aten_BernoulliPOp : Drawing<"bernoulli", "p", (ins Tensor:$self, Float:$p, generator:$generator),
    "return drawnBy({self}, typeAs(drawLike(self) < Any(p), self));">;
def Aten_BernoulliTensorOp : Drawing<"bernoulli", "Tensor", (ins Tensor:$self, Tensor:$p, generator:$generator),
    "return drawnBy({self, p}, typeAs(drawLike(self) < p, self));">;
def Aten_MultinomialOp : Drawing<"multinomial", "",
    (ins Tensor:$self, SymInt:$num_samples, Default<Bool, "False">:$replacement, generator:$generator),
    "return chosenRows(self, num_samples, replacement);">;

//===----------------------------------------------------------------------===//
// Random in training, nothing otherwise
//===----------------------------------------------------------------------===//

class Dropout<string name, string body> : Aten_Op<name, "", (ins Tensor:$input, Float:$p, Bool:$train),
    (outs Tensor:$result), [Pure, DrawsNumbers]> {
  let dropout = ["p", "train"];
  let type = "Type(input)";
  let mayGiveOperand = 1;
  let decompose = [{
    bool isOff = train.known() == false || p.known() == 0.0;
    if (isOff) return input;
    if (!train.known()) return build.notYet("the value of train");
    return }] # body # ";";
}
def Aten_DropoutOp : Dropout<"dropout", "droppedOut(input, p)">;
def Aten_FeatureDropoutOp : Dropout<"feature_dropout", "featuresDroppedOut(input, p)">;
def Aten_AlphaDropoutOp : Dropout<"alpha_dropout", "alphaDroppedOut(input, p)">;
def Aten_FeatureAlphaDropoutOp : Dropout<"feature_alpha_dropout", "featuresAlphaDroppedOut(input, p)">;
def Aten_NativeDropoutOp : Drawing<"native_dropout", "", (ins Tensor:$input, Float:$p, OptBool:$train),
    "return droppedOutWithMask(input, p, train);", (outs Tensor:$result, Tensor:$mask)>;
def Aten_RreluOp : Drawing<"rrelu", "", (ins Tensor:$self, Default<Scalar, "0.125">:$lower,
    Default<Scalar, "0.33333333333333331">:$upper, Default<Bool, "False">:$training, Default<OptGenerator, "None">:$generator),
    "return leakyAtRandom(self, lower, upper, training);">;

//===- Passes.td - functions as arithmetic -----------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_MATH_PASSES
#define JIT_CODEGEN_MATH_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"jit-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Replaces math functions by arithmetic that vectorises";
  let description = [{
    exp, tanh, log, erf, sin, cos and their like on f32 become polynomials of a few ulp; f16 and bf16
    are computed in f32, and converted by integer arithmetic where the machine has no instruction for it (x86's makes 0 of a subnormal bf16);
    expm1 on f64 becomes arithmetic with exp and log; other functions are left for the C library. Float multiply and add may
    contract to a fused multiply-add.

    *Needs*: math and arith ops on scalars or vectors.
    *Gives*: arith ops, and math ops that LLVM or the C library has.
    *Refuses*: nothing.
  }];
  let options = [Option<"ldexp", "ldexp", "bool", "false",
                        "The machine multiplies a vector by powers of two: AVX-512's scalef">,
                 Option<"f16", "f16", "bool", "true", "The machine converts f16 and f32 into each other">,
                 Option<"bf16", "bf16", "bool", "true", "The machine rounds f32 to bf16, subnormal ones too">,
                 Option<"exp2", "exp2", "bool", "false",
                        "The machine approximates exp2: where the program allows that (afn) it stays">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def ExpandPowers : Pass<"jit-gpu-expand-powers", "::mlir::func::FuncOp"> {
  let summary = "Turns powers of integers into loops";
  let description = [{
    A kernel calls no function of the program: math.ipowi squares and multiplies in place.

    *Needs*: scalars.
    *Gives*: scf and arith ops; no math.ipowi.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // JIT_CODEGEN_MATH_PASSES

// RUN: not jit-diff %s --input='i64[3]' 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not jit-reduce %s --input='f32[3]' --output=%t.mlir 2>&1 | FileCheck %s --check-prefix=QUESTION
// RUN: not jit-reduce %s --input='f32[3]' --mismatch --output=%t.mlir 2>&1 | FileCheck %s --check-prefix=EQUAL

// CALL: jit-diff: error:
// QUESTION: expected one of --mismatch, --crash, --time, --refusal and --test, got 0
// EQUAL: jit-reduce: error: expected an operator that is wrong, got none
func.func @forward(%x: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %y = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  return %y : !jit.tensor<[3],f32>
}

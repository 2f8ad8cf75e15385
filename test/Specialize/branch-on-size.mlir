// RUN: jit-opt %s --jit-specialize="args=f32[3,1],3,none" --canonicalize | FileCheck %s

// The example of the pass: the size decides the branch, the Optional is None, and types are known.
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    (%[[X:.*]]: !jit.tensor<[3,1],f32> {jit.arg = array<i64: 0>}) -> !jit.tensor<[3,1],f32>
// CHECK-SAME:    jit.outputs = [{value = 0 : i64}]
func.func @forward(%x: !jit.tensor, %n: i64, %h: !jit.optional<!jit.tensor>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
  %fits = arith.cmpi eq, %size, %n : i64
  // CHECK-NOT: scf.if
  // CHECK: %[[Y:.*]] = aten.add.Tensor %[[X]], %[[X]]
  %y = scf.if %fits -> !jit.tensor {
    %a = aten.add.Tensor %x, %x, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    jit.guard %fits, "builtins.ValueError", "bad size"
    scf.yield %x : !jit.tensor
  }
  // CHECK: return %[[Y]]
  return %y : !jit.tensor
}

// RUN: rm -rf %t && mkdir %t
// RUN: jit-reduce %s --input='f32[4]' --crash --output=%t/small.mlir --seed-fault="after=fuse kind=crash op=aten.relu" | FileCheck %s
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t/small.mlir

// Each try is in a process of its own; a branch is left for the way in which it crashes.

// CHECK: small.mlir: 1 of 5 operators
// SMALL-NOT: scf.if
// SMALL: aten.relu
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %first = aten.select.int %x, %c0, %c3 : (!jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[],f32>
  %large = aten.lt.Scalar %first, %c0 : (!jit.tensor<[],f32>, i64) -> !jit.tensor<[],i1>
  %is = aten.item %large : (!jit.tensor<[],i1>) -> i1
  %y = scf.if %is -> (!jit.tensor<[4],f32>) {
    scf.yield %x : !jit.tensor<[4],f32>
  } else {
    %r = aten.relu %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %r : !jit.tensor<[4],f32>
  }
  return %y : !jit.tensor<[4],f32>
}

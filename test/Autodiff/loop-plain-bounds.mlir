// RUN: jit-opt %s --jit-differentiate --split-input-file | FileCheck %s

// A loop from 0 by steps of 1 fills the slice that its counter names, which nothing is computed for; one whose trips are kept is not run
// again.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.for
//   CHECK-NOT: arith.{{sub|div}}
//       CHECK: aten.select_scatter
//   CHECK-NOT: arith.{{sub|div}}
//       CHECK: scf.yield
//       CHECK: scf.for
//   CHECK-NOT: scf.for
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %s = aten.sin %a : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %s : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

// -----

// More trips than a number holds are not counted here.

// CHECK-LABEL: func.func @forward
//       CHECK: arith.ceildivsi
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %first = arith.constant -9223372036854775807 : i64
  %last = arith.constant 9223372036854775807 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %first to %last step %c1 iter_args(%a = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %s = aten.sin %a : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %s : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

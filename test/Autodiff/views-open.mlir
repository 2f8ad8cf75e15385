// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// Of open sizes it is not seen that a view shows the whole: the second gradient is added where the first one is.

// CHECK-LABEL: func.func @forward
//       CHECK: aten.add.Tensor
//       CHECK: %[[ONE:.*]] = aten.permute
//       CHECK: %[[PART:.*]] = aten.permute %[[ONE]]
//       CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
//       CHECK: %[[ALL:.*]] = aten.permute %[[SUM]]
//       CHECK: return %{{.*}}, %[[ALL]]
func.func @forward(%x: !jit.tensor<[?,?],f32> {jit.requires_grad}) -> !jit.tensor<[?,?],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %a = aten.t %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %b = aten.transpose.int %x, %0, %1 : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
  %s = aten.sin %a : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %e = aten.exp %b : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %r = aten.add.Tensor %s, %e, %1 : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>, i64) -> !jit.tensor<[?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}

// -----

// The values that one is chosen of need not have one size: zeros are those of each.

// CHECK-LABEL: func.func @forward
//   CHECK-DAG: aten.zeros_like %arg1
//   CHECK-DAG: aten.zeros_like %arg2
//       CHECK: return
func.func @forward(%p: i1, %x: !jit.tensor<[?],f32> {jit.requires_grad}, %y: !jit.tensor<[?],f32> {jit.requires_grad}) -> !jit.tensor<[?],f32> {
  %r = arith.select %p, %x, %y : !jit.tensor<[?],f32>
  return %r : !jit.tensor<[?],f32>
}

// -----

// A gradient goes back through what is known less of, and to the way of a branch that gives what depends.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.if %arg0
//       CHECK: %[[SEED:.*]] = jit.unchecked_cast %{{.*}} to !jit.tensor<[4],f32>
//       CHECK: %[[G:.*]] = scf.if %arg0
//       CHECK: aten.cos %arg1
//       CHECK: aten.mul.Tensor %[[SEED]]
//       CHECK: } else {
//  CHECK-NEXT: aten.zeros_like %arg1
//  CHECK-NEXT: scf.yield
//       CHECK: return %{{.*}}, %[[G]]
func.func @forward(%p: i1, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>) -> !jit.tensor<*,f32> {
  %r = scf.if %p -> !jit.tensor<[4],f32> {
    %s = aten.sin %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %s : !jit.tensor<[4],f32>
  } else {
    %e = aten.exp %y : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %e : !jit.tensor<[4],f32>
  }
  %less = jit.unchecked_cast %r : !jit.tensor<[4],f32> to !jit.tensor<*,f32>
  return %less : !jit.tensor<*,f32>
}

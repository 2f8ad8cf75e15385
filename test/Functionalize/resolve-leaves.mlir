// RUN: jit-opt %s --jit-resolve-leaves | FileCheck %s

// From the call on the tensor is the leaf, under each of its names; what was made of it before is not.
// CHECK-LABEL: func.func @marked
//       CHECK: %[[BEFORE:.*]] = aten.neg %arg0
//       CHECK: %[[LEAF:.*]] = aten._leaf %arg0
//       CHECK: aten.add.Tensor %[[BEFORE]], %[[LEAF]]
//       CHECK: return %{{.*}}, %[[LEAF]]
func.func @marked(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %true = arith.constant true
  %one = arith.constant 1 : i64
  %before = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = aten.add.Tensor %before, %x, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %1, %0 : !jit.tensor, !jit.tensor
}

// CHECK-LABEL: func.func @taken_away
//       CHECK: %[[LEAF:.*]] = aten._leaf %arg0
//       CHECK: %[[CUT:.*]] = aten.detach %[[LEAF]]
//       CHECK: return %[[CUT]]
func.func @taken_away(%x: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %false = arith.constant false
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = aten.requires_grad_ %0, %false : (!jit.tensor, i1) -> !jit.tensor
  return %x : !jit.tensor
}

// What a branch does holds after it.
// CHECK-LABEL: func.func @branch
//       CHECK: %[[X:.*]] = scf.if %arg1
//       CHECK: %[[LEAF:.*]] = aten._leaf %arg0
//       CHECK: scf.yield %[[LEAF]]
//       CHECK: else
//       CHECK: scf.yield %arg0
//       CHECK: return %[[X]]
func.func @branch(%x: !jit.tensor, %p: i1) -> !jit.tensor {
  %true = arith.constant true
  scf.if %p {
    %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  }
  return %x : !jit.tensor
}

// CHECK-LABEL: func.func @asked
//       CHECK: scf.if %arg1
//       CHECK: aten._leaf %arg0
//       CHECK: else
//       CHECK: aten.detach %arg0
func.func @asked(%x: !jit.tensor, %p: i1) -> !jit.tensor {
  %0 = aten.requires_grad_ %x, %p : (!jit.tensor, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

// RUN: jit-opt %s --jit-fold-known | FileCheck %s

// CHECK-LABEL: func.func @known
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32>)
func.func @known(%x: !jit.tensor<[2,3],f32>) -> (!jit.tensor, i64) {
  // CHECK-NOT: scf.if
  // CHECK: %[[N:.*]] = arith.constant 4 : i64
  // CHECK: %[[Y:.*]] = aten.tanh
  // CHECK: return %{{.*}}, %[[N]]
  %inplace = arith.constant false
  %one = arith.constant 1 : i64
  %r = scf.if %inplace -> !jit.tensor {
    %y = aten.relu %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
    %z = jit.overwrite %x, %y : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor
    scf.yield %z : !jit.tensor
  } else {
    %y = aten.tanh %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor
    scf.yield %y : !jit.tensor
  }
  %n = aten.size.int %x, %one : (!jit.tensor<[2,3],f32>, i64) -> i64
  %m = aten.add.int %n, %one : (i64, i64) -> i64
  return %r, %m : !jit.tensor, i64
}

// A list that grows later is not what it was made as.
// CHECK-LABEL: func.func @grows
func.func @grows(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  // CHECK: %[[L:.*]] = jit.list %{{.*}}
  // CHECK: jit.list_unpack %[[L]]
  %l = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  jit.append %l, %x : !jit.list<!jit.tensor>, !jit.tensor
  %a, %b = jit.list_unpack %l : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  return %a, %b : !jit.tensor, !jit.tensor
}

// A choice among tensors stays a branch.
// CHECK-LABEL: func.func @choice
func.func @choice(%c: i1, %x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  // CHECK: scf.if
  %r = scf.if %c -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    scf.yield %y : !jit.tensor
  }
  return %r : !jit.tensor
}

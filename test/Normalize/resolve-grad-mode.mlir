// RUN: jit-opt %s --jit-resolve-grad-mode | FileCheck %s

// What is computed under the mode is detached; the mode before is that again after it.
// CHECK-LABEL: func.func @region
//       CHECK: %[[Y:.*]] = aten.mul.Tensor %arg0, %arg0
//       CHECK: %[[CUT:.*]] = aten.detach %[[Y]]
//       CHECK: %[[Z:.*]] = aten.mul.Tensor %[[CUT]], %arg0
//   CHECK-NOT: grad_enabled
//   CHECK-NOT: aten.detach
//       CHECK: return %[[Z]], %{{true.*}}
func.func @region(%x: !jit.tensor) -> (!jit.tensor, i1) {
  %before = aten.is_grad_enabled : () -> i1
  %false = arith.constant false
  aten.set_grad_enabled %false : (i1) -> ()
  %0 = aten.mul.Tensor %x, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  aten.set_grad_enabled %before : (i1) -> ()
  %1 = aten.mul.Tensor %0, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %after = aten.is_grad_enabled : () -> i1
  return %1, %after : !jit.tensor, i1
}

// A loop that puts the mode back changes nothing for what follows it.
// CHECK-LABEL: func.func @loop
//       CHECK: scf.for
//       CHECK: aten.detach
//       CHECK: scf.yield
//       CHECK: aten.neg
//   CHECK-NOT: aten.detach
//       CHECK: return
func.func @loop(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %before = aten.is_grad_enabled : () -> i1
    %false = arith.constant false
    aten.set_grad_enabled %false : (i1) -> ()
    %1 = aten.mul.Tensor %t, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
    aten.set_grad_enabled %before : (i1) -> ()
    scf.yield %1 : !jit.tensor
  }
  %2 = aten.neg %0 : (!jit.tensor) -> !jit.tensor
  return %2 : !jit.tensor
}

// CHECK-LABEL: func.func @value
//       CHECK: %[[Y:.*]] = aten.neg
//       CHECK: %[[R:.*]] = scf.if %arg1
//  CHECK-NEXT:   scf.yield %[[Y]]
//       CHECK:   %[[CUT:.*]] = aten.detach %[[Y]]
//  CHECK-NEXT:   scf.yield %[[CUT]]
//       CHECK: return %[[R]]
func.func @value(%x: !jit.tensor, %on: i1) -> !jit.tensor {
  aten.set_grad_enabled %on : (i1) -> ()
  %0 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

// A write keeps the history of what is written; elements of lists are views of what is cut.
// CHECK-LABEL: func.func @write
//       CHECK: %[[V:.*]] = aten.detach
//       CHECK: %[[C:.*]] = aten.copy %arg0, %[[V]]
//       CHECK: %[[W:.*]] = aten._with_elements %arg0, %[[C]]
//       CHECK: jit.overwrite %arg0, %[[W]]
//       CHECK: %[[CUT:.*]] = aten.detach %arg0
//       CHECK: aten.chunk %[[CUT]]
func.func @write(%x: !jit.tensor) -> !jit.list<!jit.tensor> {
  %false = arith.constant false
  aten.set_grad_enabled %false : (i1) -> ()
  %c2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : i64
  %0 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %1 = jit.overwrite %x, %0 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %2 = aten.chunk %x, %c2, %c0 : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  return %2 : !jit.list<!jit.tensor>
}

// Autograd knows nothing of `x.logical_not_()`, with gradients on or off: x keeps the history that it had.
// CHECK-LABEL: func.func @unknown_to_autograd
//       CHECK: %[[V:.*]] = aten.logical_not %arg0
//       CHECK: %[[C:.*]] = aten.copy %arg0, %[[V]]
//       CHECK: %[[W:.*]] = aten._with_elements %arg0, %[[C]]
//       CHECK: jit.overwrite %arg0, %[[W]]
func.func @unknown_to_autograd(%x: !jit.tensor) -> !jit.tensor {
  %0 = aten.logical_not %x : (!jit.tensor) -> !jit.tensor
  %1 = jit.overwrite %x, %0 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// Sizes that change in place change in a tensor that keeps its history.
// CHECK-LABEL: func.func @sizes
//       CHECK: %[[V:.*]] = aten.unsqueeze %arg0
//       CHECK: jit.become %arg0, %[[V]] {jit.gradients_off}
func.func @sizes(%x: !jit.tensor) -> !jit.tensor {
  %false = arith.constant false
  aten.set_grad_enabled %false : (i1) -> ()
  %c0 = arith.constant 0 : i64
  %0 = aten.unsqueeze %x, %c0 : (!jit.tensor, i64) -> !jit.tensor
  %1 = jit.become %x, %0 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// An out= tensor may have other sizes than the result, which are known later.
// CHECK-LABEL: func.func @out
//   CHECK-NOT: aten.copy
//       CHECK: jit.overwrite %arg0, %{{.*}} {jit.cast = "category", jit.gradients_off, jit.out}
func.func @out(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %false = arith.constant false
  aten.set_grad_enabled %false : (i1) -> ()
  %0 = aten.neg %y : (!jit.tensor) -> !jit.tensor
  %1 = jit.overwrite %x, %0 {jit.cast = "category", jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// RUN: jit-opt %s --jit-specialize="args=f32[3]" --canonicalize --split-input-file | FileCheck %s

// An operator whose result would have no rank, though all is known of its operands, ends the calls that data lead there.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: jit.guard %false, "jit.Unsupported", "expected an operator with a lowering, got aten.kthvalue; it needs a k from 1 to the size"
// CHECK: return
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %zero = arith.constant 0 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %y = scf.if %c -> !jit.tensor {
    %values, %indices = aten.kthvalue %x, %nine, %zero, %no : (!jit.tensor, i64, i64, i1) -> (!jit.tensor, !jit.tensor)
    scf.yield %values : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

// -----

// Where the call leaves something open, more may become known.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: aten.kthvalue
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %k = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %y = scf.if %c -> !jit.tensor {
    %values, %indices = aten.kthvalue %x, %k, %zero, %no : (!jit.tensor, i64, i64, i1) -> (!jit.tensor, !jit.tensor)
    scf.yield %values : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y : !jit.tensor
}

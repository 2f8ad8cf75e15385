// RUN: jit-opt %s --jit-specialize="args=f32[3,3],3" --canonicalize | FileCheck %s

// Elements that a list, a dict or a tensor's parts have not are an exception of the calls that data lead there.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[X:[^:]*]]: 
// CHECK: scf.if
// CHECK: jit.guard %false, "builtins.IndexError", "list index out of range"
// CHECK: jit.guard %false, "builtins.KeyError", "expected a key that the dict has"
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected sizes of parts that add up to 3, got 2"
// CHECK: return %[[X]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %largest = aten.max %x : (!jit.tensor) -> !jit.tensor
  %d = aten.Bool.Tensor %largest : (!jit.tensor) -> i1
  %least = aten.min %x : (!jit.tensor) -> !jit.tensor
  %f = aten.Bool.Tensor %least : (!jit.tensor) -> i1
  %list = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %y = scf.if %c -> !jit.tensor {
    %e = aten.__getitem__.t %list, %n : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %dict = jit.dict keys(%one, %zero : i64, i64) values(%x, %x : !jit.tensor, !jit.tensor) : !jit.dict<i64, !jit.tensor>
  %z = scf.if %d -> !jit.tensor {
    %e = aten.__getitem__.Dict_int %dict, %n : (!jit.dict<i64, !jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %ones = jit.list %one, %one : (i64, i64) -> !jit.list<i64>
  %w = scf.if %f -> !jit.tensor {
    %parts = aten.split.sizes %x, %ones, %zero : (!jit.tensor, !jit.list<i64>, i64) -> !jit.list<!jit.tensor>
    %e = aten.__getitem__.t %parts, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
    scf.yield %e : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %y, %z, %w : !jit.tensor, !jit.tensor, !jit.tensor
}

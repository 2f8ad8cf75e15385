// RUN: jit-opt %s --jit-specialize="args=f32[n,3],f32[n,3],true" | FileCheck %s

// The two ways give dicts that differ in one tensor: the branch gives that, and the dict is made after it.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[B:.*]] = scf.if %{{.*}} -> (!jit.tensor<[?,3],f32>)
// CHECK:         %[[SUM:.*]] = aten.add.Tensor %arg0, %[[B]]
// CHECK:         return %[[SUM]]
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %flag: i1) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %holds = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %d = scf.if %holds -> (!jit.dict<!jit.str, !jit.tensor>) {
    %0 = jit.dict keys(%a, %b : !jit.str, !jit.str) values(%x, %y : !jit.tensor, !jit.tensor) : !jit.dict<!jit.str, !jit.tensor>
    scf.yield %0 : !jit.dict<!jit.str, !jit.tensor>
  } else {
    %1 = aten.exp %y : (!jit.tensor) -> !jit.tensor
    %2 = jit.dict keys(%a, %b : !jit.str, !jit.str) values(%x, %1 : !jit.tensor, !jit.tensor) : !jit.dict<!jit.str, !jit.tensor>
    scf.yield %2 : !jit.dict<!jit.str, !jit.tensor>
  }
  %p = aten.__getitem__.Dict_str %d, %a : (!jit.dict<!jit.str, !jit.tensor>, !jit.str) -> !jit.tensor
  %q = aten.__getitem__.Dict_str %d, %b : (!jit.dict<!jit.str, !jit.tensor>, !jit.str) -> !jit.tensor
  %r = aten.add.Tensor %p, %q, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %r : !jit.tensor
}

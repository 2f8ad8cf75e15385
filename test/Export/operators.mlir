// RUN: jit-translate %s --to=pt2 --args='f32[n,4]' -o %t.pt2 && jit-translate %t.pt2 | FileCheck %s

// What is written is read here too: the argument's open size is a symbol, results nest as they did.
// CHECK: func.func @forward(%arg0: !jit.tensor<[?,4],f32> {jit.name = "x"})
// CHECK: %[[SUM:.*]] = aten.sum.dim_IntList
// CHECK: %[[RELU:.*]] = aten.relu
// CHECK: jit.dict
// CHECK: jit.tuple
func.func @forward(%x: !jit.tensor {jit.name = "x"}) -> !jit.tuple<!jit.tensor, !jit.dict<!jit.str, !jit.tensor>> {
  %dim = arith.constant 1 : i64
  %keep = arith.constant true
  %none = jit.constant !jit.none = unit
  %key = jit.constant !jit.str = "a"
  %dims = jit.list %dim : (i64) -> !jit.list<i64>
  %sum = aten.sum.dim_IntList %x, %dims, %keep, %none : (!jit.tensor, !jit.list<i64>, i1, !jit.none) -> !jit.tensor
  %relu = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %dict = jit.dict keys(%key : !jit.str) values(%relu : !jit.tensor) : !jit.dict<!jit.str, !jit.tensor>
  %all = jit.tuple %sum, %dict : (!jit.tensor, !jit.dict<!jit.str, !jit.tensor>) -> !jit.tuple<!jit.tensor, !jit.dict<!jit.str, !jit.tensor>>
  return %all : !jit.tuple<!jit.tensor, !jit.dict<!jit.str, !jit.tensor>>
}

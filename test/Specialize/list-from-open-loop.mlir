// RUN: jit-opt %s --jit-specialize="args=f32[5,4],?int" | FileCheck %s

// A list that grows as often as the call or data say: the buffer for its elements has that size, and so has the list.

// CHECK-LABEL: func.func @forward
// CHECK: %[[SPAN:.*]] = arith.subi %arg1
// CHECK: %[[POSITIVE:.*]] = arith.maxsi %[[SPAN]]
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi %[[POSITIVE]]
// CHECK: %[[SIZES:.*]] = jit.list %[[TRIPS]], %{{.*}}, %{{.*}} :
// CHECK: %[[BUFFER:.*]] = aten.empty.memory_format %[[SIZES]]
// CHECK: %[[ALL:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[FILLED:.*]] = %[[BUFFER]]) -> (!jit.tensor<[?,5,4],f32>)
// CHECK: aten.select_scatter %[[FILLED]]
// CHECK: aten.size.int %[[ALL]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = jit.list : () -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %list, %row : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.stack %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %count = aten.len.t %all : (!jit.list<!jit.tensor>) -> i64
  return %r, %count : !jit.tensor, i64
}

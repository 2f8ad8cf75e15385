// RUN: jit-opt %s --jit-differentiate="seed=arguments" --split-input-file | FileCheck %s

// The caller gives gradients of what it sees: results, in tuples or not, but neither of state that is carried on nor of arguments that
// are written. It gets those of the arguments that it asks for, by their places in what they stand in; integers have none.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: %arg3: !jit.tensor<[2],f32> {jit.grad_of = 0 : i64}, %arg4: !jit.tensor<[3],f32> {jit.grad_of = 2 : i64}, %arg5: !jit.tensor<[4],f32> {jit.grad_of = 1 : i64})
//  CHECK-SAME: {grad = array<i64: 1, 0>, value = 5 : i64}, {grad = array<i64: 1>, value = 6 : i64}]
//       CHECK: aten.mul.Tensor %arg3
//       CHECK: return
func.func @forward(%x: !jit.tensor<[1],f32> {jit.requires_grad, jit.arg = array<i64: 1, 0>}, %y: !jit.tensor<[1],f32> {jit.requires_grad}, %i: !jit.tensor<[1],i64> {jit.requires_grad})
    -> (!jit.tensor<[2],f32>, !jit.tensor<[4],f32>, !jit.tensor<[3],f32>, !jit.tensor<[5],f32>, !jit.tensor<[6],f32>)
    attributes {jit.outputs = [{value = [0, [2]]}, {value = 1 : i64}, {slot = "s", value = 3 : i64}, {mutates = 0 : i64, value = 4 : i64}]} {
  %false = arith.constant false
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %6 = arith.constant 6 : i64
  %product = aten.mul.Tensor %x, %y : (!jit.tensor<[1],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  %l2 = jit.list %2 : (i64) -> !jit.list<i64>
  %l3 = jit.list %3 : (i64) -> !jit.list<i64>
  %l4 = jit.list %4 : (i64) -> !jit.list<i64>
  %l5 = jit.list %5 : (i64) -> !jit.list<i64>
  %l6 = jit.list %6 : (i64) -> !jit.list<i64>
  %a = aten.expand %product, %l2, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[2],f32>
  %r2 = aten.sin %a : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %b = aten.expand %product, %l4, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4],f32>
  %c = aten.expand %product, %l3, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[3],f32>
  %d = aten.expand %product, %l5, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[5],f32>
  %e = aten.expand %product, %l6, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[6],f32>
  return %r2, %b, %c, %d, %e : !jit.tensor<[2],f32>, !jit.tensor<[4],f32>, !jit.tensor<[3],f32>, !jit.tensor<[5],f32>, !jit.tensor<[6],f32>
}

// RUN: jit-opt %s --jit-explain --split-input-file --jit-partition-gradients -o /dev/null 2>&1 | FileCheck %s

// What is kept for the backward pass is counted in bytes: a buffer's own 64, and its elements', of which a complex one has two parts and one of
// bits a byte; a size that only the call tells counts as 256, and one of 0 as 1.

// CHECK: autodiff: for the backward pass 1 values (96 bytes) are kept and 0 operators run again
!t = !jit.tensor<[8],f32>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %1 = aten.mul.Tensor %seed, %x : (!t, !t) -> !t
  return %0, %1 : !t, !t
}

// -----

// CHECK: autodiff: for the backward pass 1 values (128 bytes) are kept and 0 operators run again
!t = !jit.tensor<[8],complex<f32>>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.sin %x : (!t) -> !t
  %1 = aten.mul.Tensor %seed, %x : (!t, !t) -> !t
  return %0, %1 : !t, !t
}

// -----

// CHECK: autodiff: for the backward pass 1 values (72 bytes) are kept and 0 operators run again
!t = !jit.tensor<[8],f32>
!p = !jit.tensor<[8],i1>
func.func @forward(%x: !t {jit.requires_grad}, %p: !p, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.mul.Tensor %x, %p : (!t, !p) -> !t
  %1 = aten.mul.Tensor %seed, %p : (!t, !p) -> !t
  return %0, %1 : !t, !t
}

// -----

// CHECK: autodiff: for the backward pass 1 values (2112 bytes) are kept and 0 operators run again
!t = !jit.tensor<[?,2],f32>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %1 = aten.mul.Tensor %seed, %x : (!t, !t) -> !t
  return %0, %1 : !t, !t
}

// -----

// CHECK: autodiff: for the backward pass 1 values (72 bytes) are kept and 0 operators run again
!t = !jit.tensor<[0,2],f32>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %1 = aten.mul.Tensor %seed, %x : (!t, !t) -> !t
  return %0, %1 : !t, !t
}

// -----

// A number is kept as it is, and a list of sizes: an argument is not made of numbers.

// CHECK: autodiff: for the backward pass 1 values (64 bytes) are kept and 0 operators run again
!t = !jit.tensor<[8],f32>
func.func @forward(%x: !t {jit.requires_grad}, %n: f64, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %1 = aten.mul.Scalar %seed, %n : (!t, f64) -> !t
  return %0, %1 : !t, !t
}

// -----

// CHECK: autodiff: for the backward pass 1 values (64 bytes) are kept and 0 operators run again
!t = !jit.tensor<[8],f32>
func.func @forward(%x: !t {jit.requires_grad}, %n: !jit.list<i64>, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !jit.tensor<[?],f32>)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %1 = aten._grad_sum_to_size %seed, %n : (!t, !jit.list<i64>) -> !jit.tensor<[?],f32>
  return %0, %1 : !t, !jit.tensor<[?],f32>
}

// -----

// Of a cheap operator what is smaller is kept: a tensor of unknown rank is not.

// CHECK: autodiff: for the backward pass 1 values (96 bytes) are kept and 1 operators run again
!t = !jit.tensor<[8],f32>
!u = !jit.tensor<*,f32>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %0 = aten.relu %x : (!t) -> !t
  %u = jit.derefine %x : !t to !u
  %1 = aten.mul.Tensor %seed, %u : (!t, !u) -> !t
  return %0, %1 : !t, !t
}

// -----

// A size is read again of a tensor that is kept in any case.

// CHECK: autodiff: for the backward pass 1 values (1088 bytes) are kept and 3 operators run again
!t = !jit.tensor<[?],f32>
func.func @forward(%x: !t {jit.requires_grad}, %seed: !t {jit.grad_of = 0 : i64}) -> (!t, !t)
    attributes {jit.outputs = [{value = 0 : i64}, {grad = array<i64: 0>, value = 1 : i64}]} {
  %c0 = arith.constant 0 : i64
  %0 = aten.relu %x : (!t) -> !t
  %n = aten.size.int %x, %c0 : (!t, i64) -> i64
  %size = jit.list %n : (i64) -> !jit.list<i64>
  %1 = aten.mul.Tensor %seed, %x : (!t, !t) -> !t
  %2 = aten._grad_sum_to_size %1, %size : (!t, !jit.list<i64>) -> !t
  return %0, %2 : !t, !t
}

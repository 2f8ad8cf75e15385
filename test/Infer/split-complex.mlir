// RUN: jit-opt %s --jit-split-complex --canonicalize --split-input-file | FileCheck %s

// A product of complex numbers is four real ones; in memory their parts stand side by side.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: !jit.tensor<[2,3],complex<f32>>, %[[X:.*]]: !jit.tensor<[3],f32>)
func.func @product(%a: !jit.tensor<[2,3],complex<f32>>, %x: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],complex<f32>> {
  // CHECK: %[[M:.*]] = aten.view_as_real %[[A]] : (!jit.tensor<[2,3],complex<f32>>) -> !jit.tensor<[2,3,2],f32>
  // CHECK-DAG: %[[RE:.*]] = aten.select.int %[[M]], %{{.*}} -> !jit.tensor<[2,3],f32>
  // CHECK-DAG: %[[IM:.*]] = aten.select.int %[[M]], %{{.*}} -> !jit.tensor<[2,3],f32>
  // CHECK-COUNT-4: aten.mul.Tensor {{.*}} -> !jit.tensor<[2,3],f32>
  // CHECK-NOT: aten.mul.Tensor {{.*}}complex
  %0 = aten.mul.Tensor %a, %a : (!jit.tensor<[2,3],complex<f32>>, !jit.tensor<[2,3],complex<f32>>) -> !jit.tensor<[2,3],complex<f32>>
  // By a real tensor it is two.
  // CHECK: aten.mul.Tensor %{{.*}}, %[[X]]
  // CHECK: aten.mul.Tensor %{{.*}}, %[[X]]
  %1 = aten.mul.Tensor %0, %x : (!jit.tensor<[2,3],complex<f32>>, !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],complex<f32>>
  // CHECK: %[[P:.*]] = aten.cat
  // CHECK: %[[R:.*]] = aten.view_as_complex %[[P]]
  // CHECK: return %[[R]]
  return %1 : !jit.tensor<[2,3],complex<f32>>
}

// -----

// What only the real part needs is not computed for the other.
// CHECK-LABEL: func.func @real_part
// CHECK-COUNT-2: aten.mul.Tensor
// CHECK-NOT: aten.mul.Tensor
// CHECK: return
func.func @real_part(%a: !jit.tensor<[4],complex<f64>>) -> !jit.tensor<[4],f64> {
  %0 = aten.mul.Tensor %a, %a : (!jit.tensor<[4],complex<f64>>, !jit.tensor<[4],complex<f64>>) -> !jit.tensor<[4],complex<f64>>
  %1 = aten.real %0 : (!jit.tensor<[4],complex<f64>>) -> !jit.tensor<[4],f64>
  return %1 : !jit.tensor<[4],f64>
}

// -----

// What control flow carries stays in memory.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: i64, %a: !jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: scf.for {{.*}} iter_args(%[[Z:.*]] = %{{.*}}) -> (!jit.tensor<[4],complex<f32>>)
  %r = scf.for %i = %zero to %n step %one iter_args(%z = %a) -> (!jit.tensor<[4],complex<f32>>) : i64 {
    // CHECK: aten.view_as_real %[[Z]]
    // CHECK: aten.neg {{.*}} : (!jit.tensor<[4],f32>)
    // CHECK: %[[NEXT:.*]] = aten.view_as_complex
    %0 = aten.conj %z : (!jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>>
    // CHECK: scf.yield %[[NEXT]]
    scf.yield %0 : !jit.tensor<[4],complex<f32>>
  }
  return %r : !jit.tensor<[4],complex<f32>>
}

// -----

// A transform of 400 elements is transforms of 20, with their factors between; half of the frequencies is computed.
// CHECK-LABEL: func.func @transform
func.func @transform(%a: !jit.tensor<[5,400],f32>) -> !jit.tensor<[5,201],f32> {
  %last = arith.constant 1 : i64
  %none = arith.constant 0 : i64
  %half = arith.constant true
  %dims = jit.list %last : (i64) -> !jit.list<i64>
  // CHECK: %[[INNER:.*]] = aten.matmul {{.*}} : (!jit.tensor<[40,20],f32>, !jit.tensor<[5,20,20],f32>) -> !jit.tensor<[5,40,20],f32>
  // CHECK: aten.slice.Tensor %[[INNER]]
  // CHECK-COUNT-4: aten.mul.Tensor
  // CHECK: aten.matmul {{.*}} : (!jit.tensor<[5,20,40],f32>, !jit.tensor<[40,22],f32>) -> !jit.tensor<[5,20,22],f32>
  // CHECK-NOT: aten.matmul
  %0 = aten._fft_r2c %a, %dims, %none, %half : (!jit.tensor<[5,400],f32>, !jit.list<i64>, i64, i1) -> !jit.tensor<[5,201],complex<f32>>
  %1 = aten.real %0 : (!jit.tensor<[5,201],complex<f32>>) -> !jit.tensor<[5,201],f32>
  return %1 : !jit.tensor<[5,201],f32>
}

// -----

// Elements of a list of complex tensors are taken as they are; the places in memory that as_strided names are those of each part.
// CHECK-LABEL: func.func @element
// CHECK-COUNT-2: aten.as_strided {{.*}} {jit.of_memory} : (!jit.tensor<[2,3],f32>
func.func @element(%a: !jit.tensor<[2,3],complex<f32>>) -> !jit.tensor<[2],complex<f32>> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %list = jit.list %a : (!jit.tensor<[2,3],complex<f32>>) -> !jit.list<!jit.tensor>
  %first = aten.__getitem__.t %list, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[2,3],complex<f32>>
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %stride = jit.list %three : (i64) -> !jit.list<i64>
  %0 = aten.as_strided %first, %size, %stride, %zero {jit.of_memory} : (!jit.tensor<[2,3],complex<f32>>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2],complex<f32>>
  return %0 : !jit.tensor<[2],complex<f32>>
}

// RUN: jit-opt %s --split-input-file --jit-expand-gradients | FileCheck %s

// What the region does not cast is not refused: doubles, whatever products their gradient is built of, ...

// CHECK-LABEL: func.func @doubles
//       CHECK: aten.matmul %{{.*}},f64>
//   CHECK-NOT: bf16
//       CHECK: return
func.func @doubles(%x: !jit.tensor<[3,3],f64>, %weight: !jit.tensor<[3,3],f64>) -> !jit.tensor<[3,3],f64> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f64>) -> !jit.tensor<[3,3],f64>
  %y = aten.linalg_cholesky %l, %false : (!jit.tensor<[3,3],f64>, i1) -> !jit.tensor<[3,3],f64>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f64>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f64>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f64>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f64>
  return %g : !jit.tensor<[3,3],f64>
}

// -----

// ... a product by rows that is in the region's element type already, ...

// CHECK-LABEL: func.func @rows
//       CHECK: aten.mul.Tensor %{{.*}} -> !jit.tensor<[3,3],bf16>
//       CHECK: return
func.func @rows(%x: !jit.tensor<[3,3],bf16>, %w: !jit.tensor<[3,3],bf16>, %weight: !jit.tensor<[3],bf16>) -> !jit.tensor<[3,3],bf16> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],bf16>) -> !jit.tensor<[3,3],bf16>
  %minus = arith.constant -1 : i64
  %y = aten.linalg_vecdot %l, %w, %minus : (!jit.tensor<[3,3],bf16>, !jit.tensor<[3,3],bf16>, i64) -> !jit.tensor<[3],bf16>
  %outputs = jit.list %y : (!jit.tensor<[3],bf16>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],bf16>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3],bf16>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],bf16>
  return %g : !jit.tensor<[3,3],bf16>
}

// -----

// ... complex numbers, ...

// CHECK-LABEL: func.func @complex
//   CHECK-NOT: bf16
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[3,3],complex<f32>>
//   CHECK-NOT: bf16
//       CHECK: return
func.func @complex(%x: !jit.tensor<[3,3],complex<f32>>, %w: !jit.tensor<[3,3],complex<f32>>, %weight: !jit.tensor<[3,3],complex<f32>>) -> !jit.tensor<[3,3],complex<f32>> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],complex<f32>>) -> !jit.tensor<[3,3],complex<f32>>
  %y = aten.mm %l, %w : (!jit.tensor<[3,3],complex<f32>>, !jit.tensor<[3,3],complex<f32>>) -> !jit.tensor<[3,3],complex<f32>>
  %outputs = jit.list %y : (!jit.tensor<[3,3],complex<f32>>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],complex<f32>>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],complex<f32>>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],complex<f32>>
  return %g : !jit.tensor<[3,3],complex<f32>>
}

// -----

// ... and the products of the forward pass, which no gradient is asked of.

// CHECK-LABEL: func.func @forward_products
//       CHECK: %[[P:.*]] = aten.mm
//   CHECK-NOT: bf16
//       CHECK: aten.mul.Tensor %{{.*}}, %[[P]]
//       CHECK: return
func.func @forward_products(%x: !jit.tensor<[3,3],f32>, %w: !jit.tensor<[3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %p = aten.mm %w, %w : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %y = aten.mul.Tensor %l, %p : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g : !jit.tensor<[3,3],f32>
}

// -----

// Of a branch the backward pass begins with what it builds.

// CHECK-LABEL: func.func @branch
//       CHECK: scf.if
//       CHECK: aten.cos
//       CHECK: return
func.func @branch(%x: !jit.tensor<[3,3],f32>, %c: i1, %weight: !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %y = scf.if %c -> !jit.tensor<[3,3],f32> {
    %s = aten.sin %l : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
    scf.yield %s : !jit.tensor<[3,3],f32>
  } else {
    scf.yield %l : !jit.tensor<[3,3],f32>
  }
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g : !jit.tensor<[3,3],f32>
}

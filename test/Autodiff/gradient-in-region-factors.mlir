// RUN: jit-opt %s --split-input-file --jit-expand-gradients | FileCheck %s

// The factors of a product are cast for its gradients, its bias is not; that of a product by a vector is taken as it is.

// CHECK-LABEL: func.func @bias
//       CHECK: %[[B:.*]] = aten._grad_sum_to_size %arg3
//       CHECK: %[[W:.*]] = aten.to.dtype %arg2{{.*}} -> !jit.tensor<[3,2],bf16>
//       CHECK: %[[P:.*]] = aten.matmul %{{.*}} -> !jit.tensor<[2,3],bf16>
//   CHECK-NOT: aten.matmul
//       CHECK: %[[X:.*]] = aten.to.dtype %[[P]]{{.*}} -> !jit.tensor<[2,3],f32>
//   CHECK-DAG: %[[CUT:.*]] = aten.detach %[[B]]
//   CHECK-DAG: %[[OTHER:.*]] = aten.detach %[[X]]
//       CHECK: return %[[CUT]], %[[OTHER]]
func.func @bias(%b: !jit.tensor<[2],f32>, %x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[3,2],f32>, %weight: !jit.tensor<[2,2],f32>) -> (!jit.tensor<[2],f32>, !jit.tensor<[2,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %k = aten._leaf %b : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %l = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %y = aten.addmm %k, %l, %w, %1, %1 : (!jit.tensor<[2],f32>, !jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>, i64, i64) -> !jit.tensor<[2,2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %k, %l : (!jit.tensor<[2],f32>, !jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2],f32>
  %g1 = aten._gradient %outputs, %inputs, %weights, %1, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g0, %g1 : !jit.tensor<[2],f32>, !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @bias_alone
//   CHECK-NOT: aten.matmul
//   CHECK-NOT: aten.addmm
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @bias_alone(%b: !jit.tensor<[2],f32>, %x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[3,2],f32>, %weight: !jit.tensor<[2,2],f32>) -> (!jit.tensor<[2],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %k = aten._leaf %b : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %y = aten.addmm %k, %x, %w, %1, %1 : (!jit.tensor<[2],f32>, !jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>, i64, i64) -> !jit.tensor<[2,2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %k : (!jit.tensor<[2],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2],f32>
  return %g0 : !jit.tensor<[2],f32>
}

// -----

// CHECK-LABEL: func.func @both
// CHECK-COUNT-3: aten.to.dtype %{{.*}},bf16>
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[2,3],bf16>
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[3,2],bf16>
// CHECK-COUNT-2: aten.to.dtype %{{.*}},f32>
//   CHECK-NOT: aten.mm
//       CHECK: return
func.func @both(%x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[3,2],f32>, %weight: !jit.tensor<[2,2],f32>) -> (!jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %m = aten._leaf %w : (!jit.tensor<[3,2],f32>) -> !jit.tensor<[3,2],f32>
  %y = aten.mm %l, %m : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>) -> !jit.tensor<[2,2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l, %m : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  %g1 = aten._gradient %outputs, %inputs, %weights, %1, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,2],f32>
  return %g0, %g1 : !jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>
}

// -----

// CHECK-LABEL: func.func @vector
//   CHECK-NOT: aten.to.dtype
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[3,1],f32>
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @vector(%x: !jit.tensor<[2,3],f32>, %v: !jit.tensor<[3],f32>, %weight: !jit.tensor<[2],f32>) -> (!jit.tensor<[3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %v : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %y = aten.mv %x, %l : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g0 : !jit.tensor<[3],f32>
}

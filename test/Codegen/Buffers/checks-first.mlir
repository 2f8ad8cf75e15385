// RUN: jit-opt %s --jit-checks-first --split-input-file | FileCheck %s

// The check of a place stands before what is put there.
// CHECK-LABEL: func.func @place
//       CHECK: %[[OK:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
//  CHECK-NEXT: jit.guard %[[OK]]
//       CHECK: linalg.exp
//       CHECK: tensor.insert_slice
func.func @place(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %i: index) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %c4 = arith.constant 4 : index
  %ok = arith.cmpi ult, %i, %c4 : index
  jit.guard %ok, "builtins.IndexError", "out of range"
  %r = tensor.insert_slice %e into %y[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// What a check needs comes with it; checks keep their order, and stay behind what has effects.
// CHECK-LABEL: func.func @order
//       CHECK: memref.store
//       CHECK: linalg.log
//       CHECK: tensor.extract
//       CHECK: jit.guard %{{.*}}, "builtins.ValueError"
//       CHECK: jit.guard %{{.*}}, "builtins.IndexError"
//       CHECK: linalg.exp
//       CHECK: tensor.insert_slice
func.func @order(%x: tensor<4xf32>, %y: tensor<4x4xf32>, %i: index, %m: memref<f32>, %v: f32) -> tensor<4x4xf32> {
  memref.store %v, %m[] : memref<f32>
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.log ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %first = tensor.extract %l[%c0] : tensor<4xf32>
  %big = arith.cmpf ogt, %first, %v : f32
  jit.guard %big, "builtins.ValueError", "too small"
  %ok = arith.cmpi ult, %i, %c4 : index
  jit.guard %ok, "builtins.IndexError", "out of range"
  %r = tensor.insert_slice %e into %y[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// Where nothing is put into a part of something, everything stays.
// CHECK-LABEL: func.func @nothing_put
//       CHECK: linalg.exp
//       CHECK: jit.guard
func.func @nothing_put(%x: tensor<4xf32>, %ok: i1) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  jit.guard %ok, "builtins.IndexError", "out of range"
  return %e : tensor<4xf32>
}

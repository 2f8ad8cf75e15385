// RUN: jit-opt %s --jit-fuse-loops --canonicalize | FileCheck %s

// Two elementwise ops become one loop.
// CHECK-LABEL: func.func @chain(
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           math.exp
// CHECK:           linalg.yield
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A product reads each element many times: what makes it is not computed inside.
// CHECK-LABEL: func.func @product(
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.matmul
func.func @product(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %s = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%s, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// The same holds for what lays an operand of it out.
// CHECK-LABEL: func.func @packed(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[T]] : tensor<4x4xf32>, tensor<2x4x2xf32>)
func.func @packed(%x: tensor<4x4xf32>, %y: tensor<4x2x2xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.empty() : tensor<2x4x2xf32>
  %t = linalg.transpose ins(%y : tensor<4x2x2xf32>) outs(%p : tensor<2x4x2xf32>) permutation = [1, 0, 2]
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 2, d2, d1 mod 2)>,
                       affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %t : tensor<4x4xf32>, tensor<2x4x2xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// What is updated in place is not updated within a reduction.
// CHECK-LABEL: func @updated
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[U]] : tensor<6xf32>)
func.func @updated(%x: tensor<6xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<6xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%u : tensor<6xf32>) outs(%h : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

#window = affine_map<(d0, d1, d2) -> (d0, d1 * 3 + d2)>
#first = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#own = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// There is one window of two elements in three: what repeats it does not go along all three.
// CHECK-LABEL: func.func @one_window(
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<4x1x2xf32>)
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<4x3x2xf32>)
func.func @one_window(%x: tensor<4x3xf32>) -> tensor<4x3x2xf32> {
  %small = tensor.empty() : tensor<4x1x2xf32>
  %windows = linalg.generic {indexing_maps = [#window, #own], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%small : tensor<4x1x2xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  } -> tensor<4x1x2xf32>
  %large = tensor.empty() : tensor<4x3x2xf32>
  %repeated = linalg.generic {indexing_maps = [#first, #own], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%windows : tensor<4x1x2xf32>) outs(%large : tensor<4x3x2xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<4x3x2xf32>
  return %repeated : tensor<4x3x2xf32>
}

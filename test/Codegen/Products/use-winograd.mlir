// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-use-winograd{lanes=16 registers=32 l2-bytes=1048576},canonicalize))' | FileCheck %s

#image = affine_map<(n, h, w, o, c, y, x) -> (n, h + y, w + x, c)>
#weight = affine_map<(n, h, w, o, c, y, x) -> (o, c, y, x)>
#out = affine_map<(n, h, w, o, c, y, x) -> (n, h, w, o)>

// Tiles of 4x4: 36 points. The weights' part depends on the weights alone.
// CHECK-LABEL: func.func @chosen
// CHECK-DAG: %[[FORMS:.+]] = arith.constant dense<{{.*}}> : tensor<36x3x3xf32>
// CHECK: %[[BLOCKS:.+]] = tensor.expand_shape %arg1 {{.*}} : tensor<64x64x3x3xf32> into tensor<[[P:[0-9]+]]x[[L:[0-9]+]]x64x3x3xf32>
// CHECK: %[[TURNED:.+]] = linalg.transpose ins(%[[BLOCKS]] {{.*}} permutation = [0, 3, 4, 2, 1]
// CHECK: %[[WEIGHTS:.+]] = linalg.generic
// CHECK-SAME: ins(%[[FORMS]], %[[TURNED]] : tensor<36x3x3xf32>, tensor<[[P]]x3x3x64x[[L]]xf32>)
// CHECK: winograd.conv tile 4 taps 3 ins(%arg0, %[[WEIGHTS]] : tensor<1x58x58x64xf32>, tensor<[[P]]x36x64x[[L]]xf32>)
// CHECK-SAME: outs(%arg2 : tensor<1x56x56x64xf32>)
func.func @chosen(%x: tensor<1x58x58x64xf32>, %w: tensor<64x64x3x3xf32> {jit.weight = "w"}, %y: tensor<1x56x56x64xf32>)
    -> tensor<1x56x56x64xf32> {
  %r = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%y : tensor<1x56x56x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}

// 50 features are padded to whole vectors.
// CHECK-LABEL: func.func @padded
// CHECK: tensor.pad %arg1 low[0, 0, 0, 0] high[14, 0, 0, 0]
// CHECK: winograd.conv tile 4
func.func @padded(%x: tensor<1x58x58x64xf32>, %w: tensor<50x64x3x3xf32> {jit.weight = "w"}, %y: tensor<1x56x56x50xf32>)
    -> tensor<1x56x56x50xf32> {
  %r = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<50x64x3x3xf32>) outs(%y : tensor<1x56x56x50xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x56x56x50xf32>
  return %r : tensor<1x56x56x50xf32>
}

// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 | FileCheck %s --check-prefixes=CHECK,BROADCAST
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 --gpu-nc-loads=all | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 --gpu-nc-loads=none | FileCheck %s --check-prefixes=CHECK,NONE

// 128-bit accesses; the bias, which all rows read, through the read-only cache.
// CHECK:      .target sm_90
// CHECK:      .visible .entry forward_pointwise_0(
// CHECK-NOT:  call
// BROADCAST:  ld.global.v4.b32
// BROADCAST:  ld.global.nc.v4.b32
// ALL:        ld.global.nc.v4.b32
// ALL:        ld.global.nc.v4.b32
// NONE:       ld.global.v4.b32
// NONE:       ld.global.v4.b32
// CHECK-NOT:  ld.global
// CHECK:      st.global.v4.b32
// CHECK-NOT:  st.global
func.func @forward(%x: tensor<64x1024xf32>, %bias: tensor<1024xf32>, %scale: f64) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %s = arith.truncf %scale : f64 to f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %bias : tensor<64x1024xf32>, tensor<1024xf32>)
      outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %s : f32
    %2 = arith.addf %1, %b : f32
    %3 = math.tanh %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

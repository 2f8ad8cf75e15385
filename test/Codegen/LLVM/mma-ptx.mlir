// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS

// Both kernels keep everything in registers.
// PTXAS-COUNT-2: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

// CHECK-LABEL: .entry forward_mma_0(
// CHECK:         cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK:         cp.async.commit_group;
// CHECK:         ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:         ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK:         mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK:         cp.async.wait_group {{.*}}1;
// CHECK:         bar.sync
// CHECK-LABEL: .entry forward_mma_1(
// CHECK:         mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#bt = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @forward(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %x: tensor<100x200xbf16>, %y: tensor<120x200xbf16>)
    -> (tensor<4096x4096xf32>, tensor<100x120xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4096x4096xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %p0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%f0 : tensor<4096x4096xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4096x4096xf32>
  %e1 = tensor.empty() : tensor<100x120xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<100x120xf32>) -> tensor<100x120xf32>
  %p1 = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<100x200xbf16>, tensor<120x200xbf16>) outs(%f1 : tensor<100x120xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %0 = arith.extf %l : bf16 to f32
    %1 = arith.extf %r : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<100x120xf32>
  return %p0, %p1 : tensor<4096x4096xf32>, tensor<100x120xf32>
}

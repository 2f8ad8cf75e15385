// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_80 --gpu-tf32 -o %t.80.ptx
// RUN: FileCheck %s < %t.80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90a --gpu-tf32 -o %t.90.ptx
// RUN: FileCheck %s --check-prefix=GROUPS < %t.90.ptx
// RUN: %ptxas -arch=sm_90a -v %t.90.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS

// The factors of a convolution are rounded where their channels are stored side by side, and no more where they are multiplied.
// PTXAS-NOT:     serialized
// PTXAS-COUNT-3: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

// CHECK-LABEL: .entry forward_channels_0(
// CHECK-COUNT-4: cvt.rna.tf32.f32
// CHECK-LABEL: .entry forward_channels_1(
// CHECK-COUNT-4: cvt.rna.tf32.f32
// CHECK-LABEL: .entry forward_mma_2(
// CHECK-NOT:     cvt.rna
// CHECK:         ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT:     cvt.rna
// CHECK:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// GROUPS-LABEL: .entry forward_channels_0(
// GROUPS-COUNT-4: cvt.rna.tf32.f32
// GROUPS-LABEL: .entry forward_channels_1(
// GROUPS-COUNT-4: cvt.rna.tf32.f32
// GROUPS-LABEL: .entry forward_wgmma_2(
// GROUPS-NOT:     cvt.rna
// GROUPS:         wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k8.f32.tf32.tf32 {{.*}}, p, 1,  1;
#x = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#f = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
func.func @forward(%x: tensor<8x64x58x58xf32>, %f: tensor<128x64x3x3xf32>) -> tensor<8x128x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x128x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x128x56x56xf32>) -> tensor<8x128x56x56xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<8x64x58x58xf32>, tensor<128x64x3x3xf32>) outs(%z : tensor<8x128x56x56xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.mulf %l, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x128x56x56xf32>
  return %y : tensor<8x128x56x56xf32>
}

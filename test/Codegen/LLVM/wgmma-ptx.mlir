// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90a -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 | FileCheck %s --check-prefix=PLAIN

// All kernels keep everything in registers, and nothing makes the assembler wait for each product.
// PTXAS-NOT:     serialized
// PTXAS-NOT:     ignored
// PTXAS-COUNT-3: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PLAIN-NOT:     wgmma

// CHECK:       .extern .shared .align 16 .b8 __dynamic_shmem__0[];
// CHECK-LABEL: .entry forward_wgmma_0(
// CHECK-NEXT:    .param .align 64 .b8 forward_wgmma_0_param_0[128]
// CHECK:         .minnctapersm 1
// CHECK:         cvta.param.u64
// CHECK:         mbarrier.init.shared.b64
// CHECK:         fence.mbarrier_init.release.cluster
// CHECK:         setmaxnreg.inc.sync.aligned.u32{{.*}}232
// CHECK:         mbarrier.try_wait.parity.shared.b64
// CHECK:         wgmma.fence.sync.aligned
// CHECK:         wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{.*}}, p, 1,  1, 0,  1;
// CHECK:         wgmma.commit_group.sync.aligned
// CHECK:         wgmma.wait_group.sync.aligned{{.*}}1
// CHECK:         setmaxnreg.dec.sync.aligned.u32{{.*}}40
// CHECK:         mbarrier.arrive.expect_tx.shared.b64
// CHECK:         cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-LABEL: .entry forward_wgmma_1(
// CHECK-NOT:     setmaxnreg
// CHECK:         wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}, p, 1,  1, 0,  0;
// CHECK-LABEL: .entry forward_wgmma_2(
// CHECK:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{.*}}, p, 1,  1, 1,  0;
#a = affine_map<(i, j, k) -> (i, k)>
#at = affine_map<(i, j, k) -> (k, i)>
#b = affine_map<(i, j, k) -> (k, j)>
#bt = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @forward(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %x: tensor<100x200xbf16>, %y: tensor<120x200xbf16>,
    %z: tensor<512x1200xf16>, %w: tensor<1000x512xf16>) -> (tensor<4096x4096xf32>, tensor<100x120xf32>, tensor<1200x1000xf32>) {
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
  %e2 = tensor.empty() : tensor<1200x1000xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1200x1000xf32>) -> tensor<1200x1000xf32>
  %p2 = linalg.generic {indexing_maps = [#at, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%z, %w : tensor<512x1200xf16>, tensor<1000x512xf16>) outs(%f2 : tensor<1200x1000xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1200x1000xf32>
  return %p0, %p1, %p2 : tensor<4096x4096xf32>, tensor<100x120xf32>, tensor<1200x1000xf32>
}

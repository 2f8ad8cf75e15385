// REQUIRES: ptxas
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90a -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 | FileCheck %s --check-prefix=PLAIN

// Everything is in registers, and nothing makes the assembler wait between the products of a piece.
// PTXAS-NOT: serialized
// PTXAS-NOT: ignored
// PTXAS:     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PLAIN-NOT: wgmma

// CHECK-LABEL: .entry forward_attention_0(
// CHECK:         .minnctapersm 1
// CHECK-DAG:     cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-DAG:     wgmma.fence.sync.aligned
// CHECK-DAG:     setp.ne.b32 p, 0, 0;
// CHECK-DAG:     wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, p, 1, 1, 0, 0;
// CHECK-DAG:     wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}}, %rd{{[0-9]+}}, p, 1, 1, 1;
// CHECK-DAG:     wgmma.wait_group.sync.aligned 0;
// CHECK-DAG:     max.NaN.f32
// CHECK-DAG:     ex2.approx.ftz.f32
// CHECK-NOT:     .entry
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#kt = affine_map<(b, i, j, k) -> (b, j, k)>
#v = affine_map<(b, i, j, k) -> (b, k, j)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
func.func @forward(%q: tensor<8x1024x64xf16>, %k: tensor<8x1000x64xf16>, %v: tensor<8x1000x64xf16>) -> tensor<8x1024x64xf16> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x1024x1000xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x1024x1000xf32>) -> tensor<8x1024x1000xf32>
  %p0 = linalg.generic {indexing_maps = [#q, #kt, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x1024x64xf16>, tensor<8x1000x64xf16>) outs(%f0 : tensor<8x1024x1000xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x1024x1000xf32>
  %er = tensor.empty() : tensor<8x1024xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %m = linalg.reduce { arith.maximumf } ins(%p0 : tensor<8x1024x1000xf32>) outs(%fm : tensor<8x1024xf32>) dimensions = [2]
  %x = linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p0, %m : tensor<8x1024x1000xf32>, tensor<8x1024xf32>) outs(%e0 : tensor<8x1024x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x1024x1000xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%er : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x1024x1000xf32>) outs(%fs : tensor<8x1024xf32>) dimensions = [2]
  %ew = tensor.empty() : tensor<8x1024x1000xf16>
  %w = linalg.generic {indexing_maps = [#bij, #bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<8x1024x1000xf32>, tensor<8x1024xf32>) outs(%ew : tensor<8x1024x1000xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %0 = arith.divf %a, %b : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<8x1024x1000xf16>
  %e1 = tensor.empty() : tensor<8x1024x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32>
  %p1 = linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<8x1024x1000xf16>, tensor<8x1000x64xf16>) outs(%f1 : tensor<8x1024x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x1024x64xf32>
  %ey = tensor.empty() : tensor<8x1024x64xf16>
  %y = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p1 : tensor<8x1024x64xf32>) outs(%ey : tensor<8x1024x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<8x1024x64xf16>
  return %y : tensor<8x1024x64xf16>
}

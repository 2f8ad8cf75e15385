// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS %}

// A softmax of any sizes is one kernel, whose rows are read and stored by 128 bits where their length allows it.
// CHECK:      .visible .entry forward_rows_0(
// CHECK-DAG:  ld.global.v4.b32
// CHECK-DAG:  st.global.v4.b32
// CHECK-DAG:  ld.global.b32
// CHECK-DAG:  st.global.b32
// CHECK-DAG:  shfl.sync.bfly.b32
// CHECK-DAG:  bar.sync
// CHECK-NOT:  .entry
// SPILLS:     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILLS-NOT: bytes stack frame
#ij = affine_map<(i, j) -> (i, j)>
#i0 = affine_map<(i, j) -> (i, 0)>
#i = affine_map<(i, j) -> (i)>
func.func @forward(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %row = tensor.empty(%n) : tensor<?xf32>
  %all = tensor.empty(%n, %m) : tensor<?x?xf32>
  %a = linalg.fill ins(%least : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%a : tensor<?xf32>) dimensions = [1]
  %wide = tensor.expand_shape %max [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %wide : tensor<?x?xf32>, tensor<?x1xf32>) outs(%all : tensor<?x?xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %0 = arith.subf %v, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%all : tensor<?x?xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %0 = arith.divf %v, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// RUN: jit-translate --mlir-to-ptx=%s --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS %}

// Any number of rows and columns: 128-bit accesses where rows are whole vectors, else one by one; the bias, which all rows
// read, through the read-only cache either way. The pointers of three buffers and their sizes are parameters.
// CHECK:      .visible .entry forward_pointwise_0(
// CHECK-DAG:  .param .u64
// CHECK:      ld.global.v4.b32
// CHECK:      ld.global.nc.v4.b32
// CHECK:      st.global.v4.b32
// CHECK:      ld.global.b32
// CHECK:      ld.global.nc.b32
// CHECK:      st.global.b32
// SPILLS:     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILLS-NOT: bytes stack frame
func.func @forward(%x: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %bias : tensor<?x?xf32>, tensor<?xf32>)
      outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    %2 = math.tanh %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

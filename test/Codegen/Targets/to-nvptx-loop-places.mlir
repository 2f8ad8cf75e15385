// RUN: jit-opt %s --jit-to-nvptx=chip=sm_90 | FileCheck %s

// A place that is a remainder of the loop's variable is within the tensor by the loop's bounds: no check is left that the host would
// make in each trip, so the loop is one kernel.
// CHECK-LABEL: func.func @remainder(
// CHECK-NOT:     jit.guard
// CHECK-NOT:     scf.for
// CHECK:         gpu.launch_func @kernels::@remainder_loop
// CHECK-NOT:     jit.guard
// CHECK:         return
func.func @remainder(%x: tensor<4x64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c12 = arith.constant 12 : i64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.for %k = %c0 to %c12 step %c1 iter_args(%sum = %f) -> (tensor<64xf32>) : i64 {
    %place = arith.remsi %k, %c4 : i64
    %inside = arith.cmpi slt, %place, %c4 : i64
    jit.guard %inside, "builtins.IndexError", "index {} is out of range"(%place : i64)
    %at = arith.index_cast %place : i64 to index
    %row = tensor.extract_slice %x[%at, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
    %more = linalg.map { arith.addf } ins(%sum, %row : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
    scf.yield %more : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// Beyond the tensor in some trips: the check stays, and the loop the host's.
// CHECK-LABEL: func.func @beyond(
// CHECK:         scf.for
// CHECK:           jit.guard
func.func @beyond(%x: tensor<4x64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c12 = arith.constant 12 : i64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.for %k = %c0 to %c12 step %c1 iter_args(%sum = %f) -> (tensor<64xf32>) : i64 {
    %inside = arith.cmpi slt, %k, %c4 : i64
    jit.guard %inside, "builtins.IndexError", "index {} is out of range"(%k : i64)
    %at = arith.index_cast %k : i64 to index
    %row = tensor.extract_slice %x[%at, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
    %more = linalg.map { arith.addf } ins(%sum, %row : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
    scf.yield %more : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

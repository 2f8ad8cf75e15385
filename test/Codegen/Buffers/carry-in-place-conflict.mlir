// RUN: jit-opt %s --jit-carry-in-place | FileCheck %s
// RUN: jit-opt %s --jit-carry-in-place --one-shot-bufferize

// A loop that exchanges two parts of a tensor and writes one of them: sharing buffers leaves no order of its writes and reads, so nothing is shared.
// CHECK-LABEL: func.func @exchanged(
// CHECK:         %[[P:.*]] = tensor.extract_slice
// CHECK:         %[[Q:.*]] = tensor.extract_slice
// CHECK:         linalg.copy ins(%[[P]]
// CHECK:         linalg.copy ins(%[[Q]]
// CHECK:         scf.for
// CHECK-COUNT-3:   bufferization.materialize_in_destination
// CHECK-NEXT:      scf.yield
func.func @exchanged(%to: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %x = bufferization.to_tensor %to restrict : memref<8xf32> to tensor<8xf32>
  %p = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %q = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q, %isQ = %true, %isP = %false, %m = %x) -> (tensor<4xf32>, tensor<4xf32>, i1, i1, tensor<8xf32>) {
    %part = tensor.extract_slice %m[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %s = linalg.exp ins(%b : tensor<4xf32>) outs(%part : tensor<4xf32>) -> tensor<4xf32>
    %t:2 = scf.if %isQ -> (tensor<8xf32>, tensor<4xf32>) {
      %w = tensor.insert_slice %s into %m[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
      %first = tensor.extract_slice %w[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      scf.yield %w, %first : tensor<8xf32>, tensor<4xf32>
    } else {
      scf.yield %m, %a : tensor<8xf32>, tensor<4xf32>
    }
    %u = scf.if %isP -> (tensor<4xf32>) {
      %second = tensor.extract_slice %t#0[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      scf.yield %second : tensor<4xf32>
    } else {
      scf.yield %t#1 : tensor<4xf32>
    }
    %e = tensor.empty() : tensor<4xf32>
    %v = linalg.mul ins(%s, %u : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s, %v, %false, %isQ, %t#0 : tensor<4xf32>, tensor<4xf32>, i1, i1, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#4 in writable %to : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Indices into an open size are compared with it, and counted from its end, when the function runs.
// CHECK-LABEL: func.func @picked
//       CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %c0
//       CHECK: %[[ALL:.*]] = tensor.extract
//       CHECK: %[[COUNT:.*]] = arith.index_cast %[[N]] : index to i64
//       CHECK: jit.guard %[[ALL]], "builtins.IndexError", "an index is out of range for a dimension of size {}"(%[[COUNT]]
//       CHECK: linalg.generic
//       CHECK: %[[SIZE:.*]] = arith.index_cast %[[N]] : index to i64
//       CHECK: arith.addi %{{.*}}, %[[SIZE]]
func.func @picked(%x: !jit.tensor<[?,4],f32>, %at: !jit.tensor<[3],i64>) -> !jit.tensor<[3,4],f32> attributes {jit.symbolic} {
  %list = jit.list %at : (!jit.tensor<[3],i64>) -> !jit.list<!jit.tensor<[3],i64>>
  %y = aten.index.Tensor %x, %list : (!jit.tensor<[?,4],f32>, !jit.list<!jit.tensor<[3],i64>>) -> !jit.tensor<[3,4],f32>
  return %y : !jit.tensor<[3,4],f32>
}

// RUN: jit-opt %s --jit-lower | FileCheck %s

// What is written into may have open sizes that the result has not: the result is used under its own type.
// CHECK-LABEL: func.func @known(
// CHECK:         %[[R:.*]] = tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1xi64> into tensor<?x1xi64>
// CHECK:         tensor.cast %[[R]] : tensor<?x1xi64> to tensor<1x1xi64>
// CHECK-NOT:     unrealized_conversion_cast
func.func @known(%x: !jit.tensor<[?,1],i64> {jit.size_names = ["n", ""]}, %s: !jit.tensor<[1,1],i64>) -> !jit.tensor<[1,1],i64> attributes {jit.symbolic} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = aten.slice_scatter %x, %s, %c0, %c0, %c1, %c1 : (!jit.tensor<[?,1],i64>, !jit.tensor<[1,1],i64>, i64, i64, i64, i64) -> !jit.tensor<[1,1],i64>
  return %r : !jit.tensor<[1,1],i64>
}

// RUN: jit-opt %s --jit-stages="from=lower to=lower" | FileCheck %s

// Of a slice that drops the last of three dimensions the first is kept, though both have size 1.
// CHECK-LABEL: func.func @last
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x?xi64>, %[[Y:.*]]: tensor<1x?xi64>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %[[ONE]] :
// CHECK: tensor.extract_slice %[[X]][0, 0, 3] [1, %[[N]], 1] [1, 1, 1] : tensor<1x?x?xi64> to tensor<1x?xi64>
// CHECK: tensor.insert_slice %{{.*}} into %[[X]][0, 0, 3] [1, %[[N]], 1] [1, 1, 1] : tensor<1x?xi64> into tensor<1x?x?xi64>
func.func @last(%x: !jit.tensor<[1,?,?],i64>, %y: !jit.tensor<[1,?],i64>) -> !jit.tensor<[1,?,?],i64> attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %last = arith.constant -1 : i64
  %s = aten.select.int %x, %last, %three : (!jit.tensor<[1,?,?],i64>, i64, i64) -> !jit.tensor<[1,?],i64>
  %t = aten.add.Tensor %s, %y, %one : (!jit.tensor<[1,?],i64>, !jit.tensor<[1,?],i64>, i64) -> !jit.tensor<[1,?],i64>
  %r = aten.select_scatter %x, %t, %last, %three : (!jit.tensor<[1,?,?],i64>, !jit.tensor<[1,?],i64>, i64, i64) -> !jit.tensor<[1,?,?],i64>
  return %r : !jit.tensor<[1,?,?],i64>
}

// RUN: jit-opt %s --jit-carry-in-place | FileCheck %s

// What a loop yields lands in the buffer that it carries; an exchange needs a copy.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[CB:.*]] = linalg.copy ins(%[[B]]
// CHECK:           %[[CA:.*]] = linalg.copy ins(%[[A]]
// CHECK:           %[[NA:.*]] = bufferization.materialize_in_destination %[[CB]] in %[[A]]
// CHECK:           %[[NB:.*]] = bufferization.materialize_in_destination %[[CA]] in %[[B]]
// CHECK:           scf.yield %[[NA]], %[[NB]]
func.func @loop(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}

// A forwarded tensor that is no carried value gets a buffer to be carried in.
// CHECK-LABEL: func.func @forwards(
// CHECK:         scf.while (%[[K:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[S:.*]] = linalg.exp
// CHECK:           %[[M:.*]] = bufferization.materialize_in_destination %[[S]] in %[[B]]
// CHECK:           scf.condition(%{{.*}}) %[[K]], %[[A]], %[[M]]
func.func @forwards(%x: tensor<2xf32>, %n: i64, %c: i1) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %r = scf.while (%k = %n, %a = %x) : (i64, tensor<2xf32>) -> tensor<2xf32> {
    %s = linalg.exp ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    scf.condition(%c) %s : tensor<2xf32>
  } do {
  ^bb0(%s: tensor<2xf32>):
    scf.yield %n, %s : i64, tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// What a loop inside has made of the carried tensor is in its place already.
// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK:           %[[R:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK:             %[[I:.*]] = tensor.insert %{{.*}} into %[[B]]
// CHECK:             %[[M:.*]] = bufferization.materialize_in_destination %[[I]] in %[[B]]
// CHECK:             scf.yield %[[M]]
// CHECK:           scf.yield %[[R]]
func.func @nested(%x: tensor<4xf32>, %n: index, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<4xf32>) {
      %t = tensor.insert %f into %b[%j] : tensor<4xf32>
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

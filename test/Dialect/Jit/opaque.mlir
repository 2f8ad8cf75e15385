// RUN: jit-opt %s | jit-opt | FileCheck %s
// RUN: jit-opt %s --canonicalize --cse | FileCheck %s

// What is not known may do anything: it stays, as often as it is there.
// CHECK: %[[A:.*]] = jit.opaque "mine::a"["dim=0"](%arg0) because "why" {types = ["Float(2)"]} : (!jit.tensor) -> !jit.tensor
// CHECK: jit.opaque "mine::a"["dim=0"](%arg0) because "why"
// CHECK: jit.opaque "mine::b"() because "why" {isolated, types = []} : () -> () {
// CHECK:   jit.opaque_yield %arg0 : !jit.tensor
// CHECK: }, {
// CHECK: ^bb0(%[[X:.*]]: i64):
// CHECK:   jit.opaque_yield
// CHECK: }
// CHECK: return %[[A]]
func.func @f(%x: !jit.tensor) -> !jit.tensor {
  %0 = jit.opaque "mine::a"["dim=0"](%x) because "why" {types = ["Float(2)"]} : (!jit.tensor) -> !jit.tensor
  %1 = jit.opaque "mine::a"["dim=0"](%x) because "why" {types = ["Float(2)"]} : (!jit.tensor) -> !jit.tensor
  jit.opaque "mine::b"() because "why" {isolated, types = []} : () -> () {
    jit.opaque_yield %x : !jit.tensor
  }, {
  ^bb0(%i: i64):
    jit.opaque_yield
  }
  return %0 : !jit.tensor
}

// RUN: jit-opt %s --jit-seed-random | FileCheck %s

// CHECK: jit.slot @random.draws : f64 = 0.000000e+00 : f64

// CHECK-LABEL: func.func @noise(
//       CHECK: %[[SIZES:.*]] = aten.size %arg0
//       CHECK: %[[DRAW:.*]] = jit.slot_get @random.draws : f64
//       CHECK: %[[NEXT:.*]] = arith.addf %[[DRAW]]
//       CHECK: jit.slot_set @random.draws = %[[NEXT]] : f64
//       CHECK: %[[U:.*]] = aten.rand.generator %[[SIZES]], %[[DRAW]]
//       CHECK: return %[[U]]
func.func @noise(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %r = aten.rand_like %x, %none, %none, %none, %none, %none : (!jit.tensor, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  return %r : !jit.tensor
}

// Where only the call says whether it trains.
// CHECK-LABEL: func.func @dropout(
//       CHECK: scf.if %arg1 -> (!jit.tensor) {
//       CHECK:   aten.rand.generator
//       CHECK: } else {
//  CHECK-NEXT:   scf.yield %arg0
func.func @dropout(%x: !jit.tensor, %train: i1) -> !jit.tensor {
  %p = arith.constant 2.500000e-01 : f64
  %r = aten.dropout %x, %p, %train : (!jit.tensor, f64, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// CHECK-LABEL: func.func @evaluation(
//   CHECK-NOT: aten.rand
//       CHECK: return %arg0
func.func @evaluation(%x: !jit.tensor) -> !jit.tensor {
  %off = arith.constant false
  %p = arith.constant 2.500000e-01 : f64
  %r = aten.dropout %x, %p, %off : (!jit.tensor, f64, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// Attention that drops out is made of attention that says what each query takes of each key, and of attention with a mask.
// CHECK-LABEL: func.func @attention(
//       CHECK: %[[P:.*]] = arith.constant 2.500000e-01
//       CHECK: %[[ZERO:.*]] = arith.constant 0.0
//       CHECK: %{{.*}}, %[[S:.*]] = aten._scaled_dot_product_attention_math %arg0, %arg0, %arg0, %{{.*}}, %[[ZERO]],
//       CHECK: %[[U:.*]] = aten.rand.generator
//       CHECK: %[[M:.*]] = aten.ge.Scalar %[[U]], %[[P]]
//       CHECK: %[[R:.*]], %{{.*}} = aten._scaled_dot_product_attention_math %arg0, %arg0, %arg0, %{{.*}}, %[[P]], %{{.*}}, %[[M]],
//       CHECK: return %[[R]]
func.func @attention(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %off = arith.constant false
  %p = arith.constant 2.500000e-01 : f64
  %r = aten.scaled_dot_product_attention %x, %x, %x, %none, %p, %off, %none, %off
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.none, f64, i1, !jit.none, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// Where only the call says whether it drops anything out.
// CHECK-LABEL: func.func @attentionOrDropout(
//       CHECK: %[[DROPS:.*]] = arith.cmpf une, %arg1, %[[ZERO:.*]] : f64
//       CHECK: scf.if %[[DROPS]] -> (!jit.tensor) {
//       CHECK:   jit.guard %{{.*}}, "builtins.ValueError", "expected a probability from 0 to 1, got {}"(%arg1 : f64)
//       CHECK:   aten.rand.generator
//       CHECK: } else {
//       CHECK:   aten.scaled_dot_product_attention %arg0, %arg0, %arg0, %{{.*}}, %[[ZERO]],
func.func @attentionOrDropout(%x: !jit.tensor, %p: f64) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %off = arith.constant false
  %r = aten.scaled_dot_product_attention %x, %x, %x, %none, %p, %off, %none, %off
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.none, f64, i1, !jit.none, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// A network that drops out between its layers becomes one of each.
// CHECK-LABEL: func.func @layers(
//       CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
//       CHECK: %[[FIRST:.*]], %[[H1:.*]] = aten.gru.input %arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]],
//       CHECK: aten.rand.generator
//       CHECK: %[[KEPT:.*]] = aten.mul.Tensor %[[FIRST]],
//       CHECK: %[[SECOND:.*]], %[[H2:.*]] = aten.gru.input %[[KEPT]],
//       CHECK: %[[H:.*]] = jit.list %[[H1]], %[[H2]]
//       CHECK: %[[LAST:.*]] = aten.cat %[[H]]
//       CHECK: return %[[SECOND]], %[[LAST]]
func.func @layers(%x: !jit.tensor, %h: !jit.tensor, %a: !jit.tensor, %b: !jit.tensor, %c: !jit.tensor, %d: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %on = arith.constant true
  %off = arith.constant false
  %two = arith.constant 2 : i64
  %p = arith.constant 2.500000e-01 : f64
  %params = jit.list %a, %b, %c, %d : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %r:2 = aten.gru.input %x, %h, %params, %off, %two, %p, %on, %off, %off
      : (!jit.tensor, !jit.tensor, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1, i1) -> (!jit.tensor, !jit.tensor)
  return %r#0, %r#1 : !jit.tensor, !jit.tensor
}

// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// Numbers and bools that a loop carries, and its way back asks for, are kept for each trip, as elements of a tensor each. From 2 on every second number is that of
// a trip: three of them, the last of which comes first on the way back.

// CHECK-LABEL: func.func @forward
// CHECK-DAG: %[[BOOLS:.*]] = jit.poison : !jit.tensor<[3],i1>
// CHECK-DAG: %[[INTS:.*]] = jit.poison : !jit.tensor<[3],i64>
// CHECK-DAG: %[[FLOATS:.*]] = jit.poison : !jit.tensor<[3],f64>
// CHECK: %[[KEPT:.*]]:7 = scf.for %[[I:.*]] = %c2_i64 to %c8_i64 step %c2_i64 iter_args(%{{.*}} = %arg0, %[[G:.*]] = %arg1, %[[M:.*]] = %arg2, %[[Q:.*]] = %arg3, %[[B0:.*]] = %[[BOOLS]], %[[I0:.*]] = %[[INTS]], %[[F0:.*]] = %[[FLOATS]])
// CHECK: %[[FROM:.*]] = arith.subi %[[I]], %c2_i64
// CHECK: %[[AT:.*]] = arith.divsi %[[FROM]], %c2_i64
// CHECK-DAG: %[[B:.*]] = aten.NumToTensor.bool %[[Q]]
// CHECK-DAG: %[[N:.*]] = aten.NumToTensor.Scalar %[[M]]
// CHECK-DAG: %[[F:.*]] = aten.NumToTensor.Scalar %[[G]]
// CHECK-DAG: %[[B1:.*]] = aten.select_scatter %[[B0]], %[[B]], %c0_i64, %[[AT]]
// CHECK-DAG: %[[I1:.*]] = aten.select_scatter %[[I0]], %[[N]], %c0_i64, %[[AT]]
// CHECK-DAG: %[[F1:.*]] = aten.select_scatter %[[F0]], %[[F]], %c0_i64, %[[AT]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[B1]], %[[I1]], %[[F1]]
// CHECK: scf.for %[[K:.*]] = %c0_i64 to %c3_i64 step %c1_i64 iter_args(%[[OF:.*]] = %{{.*}})
// CHECK: %[[TRIP:.*]] = arith.subi %c2_i64, %[[K]]
// CHECK: %[[B:.*]] = aten.select.int %[[KEPT]]#4, %c0_i64, %[[TRIP]]
// CHECK: %[[WAS:.*]] = aten.Bool.Tensor %[[B]]
// CHECK: %[[N:.*]] = aten.select.int %[[KEPT]]#5, %c0_i64, %[[TRIP]]
// CHECK: %[[TIMES:.*]] = aten.Int.Tensor %[[N]]
// CHECK: %[[F:.*]] = aten.select.int %[[KEPT]]#6, %c0_i64, %[[TRIP]]
// CHECK: %[[SCALE:.*]] = aten.Float.Tensor %[[F]]
// CHECK: %[[WAY:.*]] = scf.if %[[WAS]]
// CHECK: aten.neg %[[OF]]
// CHECK: } else {
// CHECK: scf.yield %[[OF]]
// CHECK: %[[ONE:.*]] = aten.mul.Scalar %[[WAY]], %[[TIMES]]
// CHECK: %[[BOTH:.*]] = aten.mul.Scalar %[[ONE]], %[[SCALE]]
// CHECK: scf.yield %[[BOTH]]
!t = !jit.tensor<[4],f32>
func.func @forward(%h: !t {jit.requires_grad}, %f: f64, %k: i64, %p: i1) -> !t {
  %two = arith.constant 2 : i64
  %eight = arith.constant 8 : i64
  %half = arith.constant 0.5 : f64
  %true = arith.constant true
  %r:4 = scf.for %i = %two to %eight step %two iter_args(%c = %h, %g = %f, %m = %k, %q = %p) -> (!t, f64, i64, i1) : i64 {
    %0 = aten.mul.Scalar %c, %g : (!t, f64) -> !t
    %1 = aten.mul.Scalar %0, %m : (!t, i64) -> !t
    %2 = scf.if %q -> !t {
      %s = aten.neg %1 : (!t) -> !t
      scf.yield %s : !t
    } else {
      scf.yield %1 : !t
    }
    %g2 = arith.mulf %g, %half : f64
    %m2 = arith.addi %m, %i : i64
    %q2 = arith.xori %q, %true : i1
    scf.yield %2, %g2, %m2, %q2 : !t, f64, i64, i1
  }
  return %r#0 : !t
}

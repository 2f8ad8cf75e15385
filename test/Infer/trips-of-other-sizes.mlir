// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// A trip with the sizes of the first one has no row -3. Data keep it from being run, so what holds for all trips is all that
// is known of them.
// CHECK-LABEL: func.func @forward
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i1, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
// CHECK: aten.select.int {{.*}} : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
func.func @forward(%x: !jit.tensor<[2,3],f32>, %c: i1) -> !jit.tensor<[?,?],f32> {
  %zero = arith.constant 0 : i64
  %back = arith.constant -3 : i64
  %none = jit.constant !jit.none = unit
  %start = jit.derefine %x : !jit.tensor<[2,3],f32> to !jit.tensor<[?,?],f32>
  %r = scf.while (%go = %c, %q = %start) : (i1, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32> {
    scf.condition(%go) %q : !jit.tensor<[?,?],f32>
  } do {
  ^bb0(%q: !jit.tensor<[?,?],f32>):
    %row = aten.select.int %q, %zero, %back : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
    %sum = aten.sum %row, %none : (!jit.tensor<[?],f32>, !jit.none) -> !jit.tensor<[],f32>
    %go = aten.Bool.Tensor %sum : (!jit.tensor<[],f32>) -> i1
    %t = aten.t %q : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
    scf.yield %go, %t : i1, !jit.tensor<[?,?],f32>
  }
  return %r : !jit.tensor<[?,?],f32>
}

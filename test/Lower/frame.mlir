// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-NOT: jit.slot
jit.slot @"fc.weight" : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>

// A frozen slot is one argument, however often it is read.
// CHECK-LABEL: func.func @weight(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32> {jit.weight = "fc.weight"}) -> tensor<4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
func.func @weight(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %w = jit.slot_get @"fc.weight" : !jit.tensor<[4],f32>
  %v = jit.slot_get @"fc.weight" : !jit.tensor<[4],f32>
  %a = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %b = aten.mul.Tensor %a, %v : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %b : !jit.tensor<[4],f32>
}

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<4xf32>)
// CHECK: scf.if {{.*}} -> (tensor<4xf32>)
// CHECK: tensor.empty
// CHECK: arith.select {{.*}} : tensor<4xf32>
func.func @loop(%x: !jit.tensor<[4],f32>, %n: i64, %c: i1) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %next = scf.if %c -> !jit.tensor<[4],f32> {
      %t = aten.tanh %y : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
      scf.yield %t : !jit.tensor<[4],f32>
    } else {
      %u = jit.poison : !jit.tensor<[4],f32>
      scf.yield %u : !jit.tensor<[4],f32>
    }
    scf.yield %next : !jit.tensor<[4],f32>
  }
  %s = arith.select %c, %r, %x : !jit.tensor<[4],f32>
  return %s : !jit.tensor<[4],f32>
}

// Only numbers remain arguments of a check.
// CHECK-LABEL: func.func @guard(
// CHECK: jit.guard %{{.*}}, "builtins.ValueError", "bad mode {{[{][{]}}x}}: [{}, 2] of None"(%{{.*}} : i64)
func.func @guard(%ok: i1, %n: i64) {
  %two = jit.constant !jit.str = "2"
  %mode = jit.constant !jit.str = "{x}"
  %none = jit.constant !jit.none = unit
  %d = arith.constant 2 : i64
  %l = jit.list %n, %two : (i64, !jit.str) -> !jit.list<!jit.any>
  jit.guard %ok, "builtins.ValueError", "bad mode {}: {} of {}"(%mode, %l, %none : !jit.str, !jit.list<!jit.any>, !jit.none)
  return
}

// RUN: jit-opt %s --jit-expose-saved-memory | FileCheck %s

// as_strided shows what was saved beside a part, also where nothing writes it.
// CHECK: jit.slot @s {{.*}} {jit.part_of = "s/memory", jit.record = 9 : i64}
jit.slot @s : !jit.tensor<[2,2],f32> = #jit.storage<"data/0", 4, [3, 1]> {jit.record = 9 : i64}
// CHECK: jit.slot @"s/memory" : !jit.tensor<[9],f32> = #jit.storage<"data/0", 0, [1]>

func.func @show() -> !jit.tensor {
  %two = arith.constant 2 : i64
  %s = jit.slot_get @s : !jit.tensor
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %stride = jit.list %two : (i64) -> !jit.list<i64>
  %r = aten.as_strided %s, %size, %stride, %two : (!jit.tensor, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  return %r : !jit.tensor
}

// RUN: jit-opt %s --jit-expose-saved-memory | FileCheck %s

// One slot has all of what was saved in one record.
// CHECK: jit.slot @s {{.*}} {jit.part_of = "s"}
jit.slot @s : !jit.tensor<[2,4],f32> = #jit.storage<"data/0", 0, [4, 1]>
// CHECK: jit.slot @k {{.*}} {jit.part_of = "s", jit.record = 8 : i64}
jit.slot @k : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]> {jit.record = 8 : i64}

// Where none has, there is a new one.
// CHECK: jit.slot @a {{.*}} {jit.part_of = "a/memory", jit.record = 6 : i64}
jit.slot @a : !jit.tensor<[3],i64> = #jit.storage<"data/1", 0, [1]> {jit.record = 6 : i64}
// CHECK: jit.slot @b {{.*}} {jit.part_of = "a/memory", jit.record = 6 : i64}
jit.slot @b : !jit.tensor<[2],i64> = #jit.storage<"data/1", 1, [3]> {jit.record = 6 : i64}
// CHECK: jit.slot @"a/memory" : !jit.tensor<[6],i64> = #jit.storage<"data/1", 0, [1]> {jit.part_of = "a/memory"}

func.func @write(%x: !jit.tensor) {
  %k = jit.slot_get @k : !jit.tensor
  %0 = jit.overwrite %k, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %b = jit.slot_get @b : !jit.tensor
  %1 = jit.overwrite %b, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return
}

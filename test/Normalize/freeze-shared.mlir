// RUN: jit-opt %s --jit-freeze | FileCheck %s

// What calls may leave in one memory counts as written if any of it is, and says so.
// CHECK: jit.slot @t {{.*}} {jit.mutable, jit.shares = "t"}
jit.slot @t : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
// CHECK: jit.slot @s {{.*}} {jit.assigned, jit.mutable, jit.shares = "t", jit.written_in_place}
jit.slot @s : !jit.tensor<[4],f32> = #jit.storage<"data/1", 0, [1]>
// Where no method could tell nothing is asked for.
// CHECK: jit.slot @a {{.*}} {jit.unobserved}
jit.slot @a : !jit.tensor<[4],f32> = #jit.storage<"data/2", 0, [1]>
// CHECK: jit.slot @b {{.*}} {jit.assigned, jit.mutable, jit.unobserved}
jit.slot @b : !jit.tensor<[4],f32> = #jit.storage<"data/3", 0, [1]>

func.func @set(%x: !jit.tensor) {
  %t = jit.slot_get @t : !jit.tensor
  %view = aten.t %t : (!jit.tensor) -> !jit.tensor
  jit.slot_set @s = %view : !jit.tensor
  %a = jit.slot_get @a : !jit.tensor
  jit.slot_set @b = %a : !jit.tensor
  return
}

func.func @write(%x: !jit.tensor) {
  %s = jit.slot_get @s : !jit.tensor
  %r = jit.overwrite %s, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return
}

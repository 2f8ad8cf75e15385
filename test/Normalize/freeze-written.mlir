// RUN: jit-opt %s --jit-freeze | FileCheck %s

// State that a method writes in place, through a view too, is known from what is set alone.
// CHECK: jit.slot @set {{.*}} {jit.assigned, jit.mutable}
jit.slot @set : !jit.tensor<[2],f32> = #jit.storage<"data/0", 1, [1]>
// CHECK: jit.slot @viewed {{.*}} {jit.mutable, jit.written_in_place}
jit.slot @viewed : !jit.tensor<[2],f32> = #jit.storage<"data/1", 0, [1]>
// CHECK: jit.slot @both {{.*}} {jit.assigned, jit.mutable, jit.written_in_place}
jit.slot @both : !jit.tensor<[2],f32> = #jit.storage<"data/2", 1, [1]>

func.func @forward(%x: !jit.tensor, %y: !jit.tensor) {
  %zero = arith.constant 0 : i64
  jit.slot_set @set = %x : !jit.tensor
  %viewed = jit.slot_get @viewed : !jit.tensor
  %part = aten.select.int %viewed, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %0 = jit.overwrite %part, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %both = jit.slot_get @both : !jit.tensor
  %1 = jit.overwrite %both, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  jit.slot_set @both = %y : !jit.tensor
  return
}

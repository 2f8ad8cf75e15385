// `self.s += 1` sets the slot to the tensor that it has: the slot is written and not assigned.
// RUN: jit-opt %s --jit-freeze | FileCheck %s

// CHECK: @s : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]> {jit.mutable, jit.written_in_place}
jit.slot @s : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>
// CHECK: @t : !jit.tensor<[2],f32> = #jit.storage<"data/1", 0, [1]> {jit.assigned, jit.mutable, jit.written_in_place}
jit.slot @t : !jit.tensor<[2],f32> = #jit.storage<"data/1", 0, [1]>

// CHECK-LABEL: func.func @written(
// CHECK-NOT: jit.slot_set
func.func @written(%x: !jit.tensor) {
  %s = jit.slot_get @s : !jit.tensor
  %r = jit.overwrite %s, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  jit.slot_set @s = %r : !jit.tensor
  return
}

// CHECK-LABEL: func.func @assignedBetween(
// CHECK-COUNT-2: jit.slot_set @t
func.func @assignedBetween(%x: !jit.tensor, %b: i1) {
  %t = jit.slot_get @t : !jit.tensor
  scf.if %b {
    jit.slot_set @t = %x : !jit.tensor
  }
  %r = jit.overwrite %t, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  jit.slot_set @t = %r : !jit.tensor
  return
}

// The value of another iteration.
// CHECK-LABEL: func.func @inALoop(
// CHECK: jit.slot_set @t
func.func @inALoop(%x: !jit.tensor, %b: i1) {
  %t = jit.slot_get @t : !jit.tensor
  scf.if %b {
    jit.slot_set @t = %t : !jit.tensor
  }
  return
}

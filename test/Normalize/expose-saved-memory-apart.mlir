// RUN: jit-opt %s --jit-expose-saved-memory | FileCheck %s

// What calls cannot see to be in one memory, or cannot be parts of one tensor, stays as it is.
// CHECK-NOT: jit.part_of

// A part that is written, alone in its memory.
jit.slot @alone : !jit.tensor<[4],f32> = #jit.storage<"data/0", 4, [1]> {jit.record = 8 : i64}
// Parts that nothing writes.
jit.slot @read : !jit.tensor<[4],f32> = #jit.storage<"data/1", 0, [1]> {jit.record = 8 : i64}
jit.slot @also_read : !jit.tensor<[4],f32> = #jit.storage<"data/1", 4, [1]> {jit.record = 8 : i64}
// Two element types.
jit.slot @f : !jit.tensor<[4],f32> = #jit.storage<"data/2", 0, [1]>
jit.slot @i : !jit.tensor<[4],i32> = #jit.storage<"data/2", 0, [1]>
// A parameter.
jit.slot parameter @p : !jit.tensor<[4],f32> = #jit.storage<"data/3", 0, [1]>
jit.slot @q : !jit.tensor<[2],f32> = #jit.storage<"data/3", 0, [1]> {jit.record = 4 : i64}
// An element of a list.
jit.slot @list : !jit.list<!jit.tensor> = [@list.0]
jit.slot @list.0 : !jit.tensor<[4],f32> = #jit.storage<"data/4", 0, [1]>
jit.slot @l : !jit.tensor<[2],f32> = #jit.storage<"data/4", 0, [1]> {jit.record = 4 : i64}
// Complex numbers.
jit.slot @c : !jit.tensor<[4],complex<f32>> = #jit.storage<"data/5", 0, [1]>
jit.slot @d : !jit.tensor<[2],complex<f32>> = #jit.storage<"data/5", 0, [1]> {jit.record = 4 : i64}
// No elements.
jit.slot @e : !jit.tensor<[0],f32> = #jit.storage<"data/6", 0, [1]>
jit.slot @g : !jit.tensor<[0],f32> = #jit.storage<"data/6", 0, [1]>
// What does not fit into what the others say.
jit.slot @m : !jit.tensor<[4],f32> = #jit.storage<"data/7", 0, [1]>
jit.slot @n : !jit.tensor<[4],f32> = #jit.storage<"data/7", 1, [1]>
jit.slot @o : !jit.tensor<[4],f32> = #jit.storage<"data/8", 0, [1]> {jit.record = -8 : i64}

func.func @write(%x: !jit.tensor) {
  %alone = jit.slot_get @alone : !jit.tensor
  %0 = jit.overwrite %alone, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %f = jit.slot_get @f : !jit.tensor
  %1 = jit.overwrite %f, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %q = jit.slot_get @q : !jit.tensor
  %2 = jit.overwrite %q, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %l = jit.slot_get @l : !jit.tensor
  %3 = jit.overwrite %l, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %d = jit.slot_get @d : !jit.tensor
  %4 = jit.overwrite %d, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %e = jit.slot_get @e : !jit.tensor
  %5 = jit.overwrite %e, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %m = jit.slot_get @m : !jit.tensor
  %6 = jit.overwrite %m, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %read = jit.slot_get @read : !jit.tensor
  return
}

// RUN: jit-opt %s --jit-freeze | FileCheck %s

// State that was saved as the first of its memory, and is set to new memory alone, begins there in each call.
// CHECK: jit.slot @made {{.*}} {jit.assigned, jit.begins, jit.mutable
jit.slot @made : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>
// CHECK: jit.slot @part {{.*}} {jit.assigned, jit.mutable{{[,}]}}
jit.slot @part : !jit.tensor<[2],f32> = #jit.storage<"data/1", 0, [1]>
// A call may give a part of a memory.
// CHECK: jit.slot @given {{.*}} {jit.assigned, jit.mutable{{[,}]}}
jit.slot @given : !jit.tensor<[2],f32> = #jit.storage<"data/2", 0, [1]>
// CHECK: jit.slot @behind {{.*}} {jit.assigned, jit.mutable{{[,}]}}
jit.slot @behind : !jit.tensor<[2],f32> = #jit.storage<"data/3", 1, [1]>
// Whether this copies hangs on how the argument lies.
// CHECK: jit.slot @perhaps {{.*}} {jit.assigned, jit.mutable{{[,}]}}
jit.slot @perhaps : !jit.tensor<[2],f32> = #jit.storage<"data/4", 0, [1]>

func.func @forward(%x: !jit.tensor, %b: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %was = jit.slot_get @made : !jit.tensor
  %made = scf.if %b -> !jit.tensor {
    %exp = aten.exp %x : (!jit.tensor) -> !jit.tensor
    scf.yield %exp : !jit.tensor
  } else {
    scf.yield %was : !jit.tensor
  }
  jit.slot_set @made = %made : !jit.tensor
  %row = aten.select.int %made, %zero, %one : (!jit.tensor, i64, i64) -> !jit.tensor
  jit.slot_set @part = %row : !jit.tensor
  jit.slot_set @given = %x : !jit.tensor
  %exp = aten.exp %x : (!jit.tensor) -> !jit.tensor
  jit.slot_set @behind = %exp : !jit.tensor
  %t = aten.t %x : (!jit.tensor) -> !jit.tensor
  %c = aten.contiguous %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  jit.slot_set @perhaps = %c : !jit.tensor
  return
}

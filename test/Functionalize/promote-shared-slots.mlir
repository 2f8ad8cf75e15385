// RUN: jit-opt %s --jit-promote-slots | FileCheck %s

jit.slot @t : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]> {jit.mutable, jit.shares = "t"}
jit.slot @s : !jit.tensor<[4],f32> = #jit.storage<"data/1", 0, [1]> {jit.assigned, jit.mutable, jit.shares = "t"}

// Who writes one of several slots that may be in one memory takes and gives all of them.
// CHECK-LABEL: func.func @write(
// CHECK-SAME: %{{.*}}: !jit.tensor {jit.slot = "s"}, %{{.*}}: !jit.tensor {jit.slot = "t"}) -> (!jit.tensor {jit.slot = "s"}, !jit.tensor {jit.slot = "t"})
func.func @write(%x: !jit.tensor) {
  %s = jit.slot_get @s : !jit.tensor
  %r = jit.overwrite %s, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return
}

// Who reads one has no need of the others.
// CHECK-LABEL: func.func @read(
// CHECK-SAME: %{{.*}}: !jit.tensor {jit.slot = "s"}) -> !jit.tensor
func.func @read() -> !jit.tensor {
  %s = jit.slot_get @s : !jit.tensor
  return %s : !jit.tensor
}

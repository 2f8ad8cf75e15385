// RUN: jit-opt %s --jit-freeze --jit-specialize="args=f32[3]" --jit-functionalize --verify-diagnostics

// State that was saved in one memory: one may be set to the other.
jit.slot @s : !jit.tensor<[3],f32> = #jit.storage<"data/0", 2, [1]>
jit.slot @t : !jit.tensor<[3],f32> = #jit.storage<"data/0", 0, [1]>

func.func @forward(%x: !jit.tensor) -> i1 {
  %s = jit.slot_get @s : !jit.tensor
  %t = jit.slot_get @t : !jit.tensor
  // expected-error @below {{expected strides that are known where a program asks for them}}
  %other = aten.is_set_to %s, %t : (!jit.tensor, !jit.tensor) -> i1
  return %other : i1
}

// RUN: jit-opt %s --verify-diagnostics --split-input-file

!packed = !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
func.func @element_type(%x: !jit.tensor<[2,3],f64>, %p: !packed) {
  // expected-error @+2 {{expected an input of element type f32, got f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.linear_dynamic_fp16 %x, %p : (!jit.tensor<[2,3],f64>, !packed) -> !jit.tensor
  return
}

// -----

!packed = !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>>
func.func @columns(%x: !jit.tensor<[2,5],f32>, %w: !jit.tensor<[4,3],i8>) {
  %none = jit.constant !jit.none = unit
  %p = jit.tuple %w, %none, %none, %none : (!jit.tensor<[4,3],i8>, !jit.none, !jit.none, !jit.none) -> !packed
  // expected-error @+2 {{expected 3 columns, got 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.linear_dynamic_fp16 %x, %p : (!jit.tensor<[2,5],f32>, !packed) -> !jit.tensor
  return
}

// -----

func.func @bytes(%a: !jit.tensor<[2,3],i8>, %b: !jit.tensor<[3,4],i32>) {
  // expected-error @+2 {{expected integers of 8 bits, got i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten._int_mm %a, %b : (!jit.tensor<[2,3],i8>, !jit.tensor<[3,4],i32>) -> !jit.tensor
  return
}

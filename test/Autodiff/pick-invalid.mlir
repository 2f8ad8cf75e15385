// RUN: jit-opt %s --jit-differentiate --split-input-file --verify-diagnostics

// Zeros for an element that is not picked would have the sizes of the one that is.
func.func @forward(%i: i64, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[5],f32> {jit.requires_grad}) -> !jit.tensor<[?],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[5],f32>) -> !jit.list<!jit.tensor<[?],f32>>
  // expected-error @below {{expected an operator that can be differentiated, got 'aten.__getitem__.t'}}
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor<[?],f32>>, i64) -> !jit.tensor<[?],f32>
  return %r : !jit.tensor<[?],f32>
}

// -----

// So would those for elements of one open size.
func.func @forward(%i: i64, %x: !jit.tensor<[?],f32> {jit.requires_grad}, %y: !jit.tensor<[?],f32> {jit.requires_grad}) -> !jit.tensor<[?],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.list<!jit.tensor<[?],f32>>
  // expected-error @below {{expected an operator that can be differentiated, got 'aten.__getitem__.t'}}
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor<[?],f32>>, i64) -> !jit.tensor<[?],f32>
  return %r : !jit.tensor<[?],f32>
}

// -----

// And those for an element of which less is known than of the others.
func.func @forward(%i: i64, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[?],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[?],f32>) -> !jit.list<!jit.tensor>
  // expected-error @below {{expected an operator that can be differentiated, got 'aten.__getitem__.t'}}
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

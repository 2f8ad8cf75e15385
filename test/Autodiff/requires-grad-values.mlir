// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// A list does where one of its tensors does; a buffer does not; state that is an argument does where it is a parameter.

!t = !jit.tensor<[2],f32>
jit.slot parameter @weight : !t = #jit.storage<"data/0", 0, [1]>
jit.slot @buffer : !t = #jit.storage<"data/1", 0, [1]>

// CHECK-LABEL: func.func @lists
// CHECK: return %{{true.*}}, %{{true.*}}, %{{false.*}}, %{{false.*}}, %{{true.*}}, %{{false.*}}
func.func @lists(%x: !t, %y: !t {jit.requires_grad}, %w: !t {jit.slot = "weight"}, %b: !t {jit.slot = "buffer"}) -> (i1, i1, i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %first = jit.list %y, %x : (!t, !t) -> !jit.list<!jit.tensor>
  %last = jit.list %x, %y : (!t, !t) -> !jit.list<!jit.tensor>
  %none = jit.list %x, %x : (!t, !t) -> !jit.list<!jit.tensor>
  %c0 = aten.cat %first, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4],f32>
  %c1 = aten.cat %last, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4],f32>
  %c2 = aten.cat %none, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4],f32>
  %buffer = jit.slot_get @buffer : !t
  %0 = aten.requires_grad %c0 : (!jit.tensor<[4],f32>) -> i1
  %1 = aten.requires_grad %c1 : (!jit.tensor<[4],f32>) -> i1
  %2 = aten.requires_grad %c2 : (!jit.tensor<[4],f32>) -> i1
  %3 = aten.requires_grad %buffer : (!t) -> i1
  %4 = aten.requires_grad %w : (!t) -> i1
  %5 = aten.requires_grad %b : (!t) -> i1
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// -----

// So does a view of what does, one whose type is known better or less, and what is made of parts (a bilinear form), of which only some
// take it on.

!t = !jit.tensor<[2],f32>

// CHECK-LABEL: func.func @made_of
// CHECK: return %{{true.*}}, %{{false.*}}, %{{true.*}}, %{{true.*}}, %{{false.*}}
func.func @made_of(%x: !t, %y: !t {jit.requires_grad}, %m: !jit.tensor<[2,2],f32>) -> (i1, i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %v = aten.unsqueeze %y, %zero : (!t, i64) -> !jit.tensor<[1,2],f32>
  %u = aten.unsqueeze %x, %zero : (!t, i64) -> !jit.tensor<[1,2],f32>
  %less = jit.unchecked_cast %y : !t to !jit.tensor<*,f32>
  %a = aten.addcmul %x, %x, %y, %one : (!t, !t, !t, i64) -> !t
  %sign = aten.sign %x : (!t) -> !t
  %0 = aten.requires_grad %v : (!jit.tensor<[1,2],f32>) -> i1
  %1 = aten.requires_grad %u : (!jit.tensor<[1,2],f32>) -> i1
  %2 = aten.requires_grad %less : (!jit.tensor<*,f32>) -> i1
  %3 = aten.requires_grad %a : (!t) -> i1
  %4 = aten.requires_grad %sign : (!t) -> i1
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[n,m]" | FileCheck %s

// A list of as many parts as the call tells is never made: what is unpacked and taken out of it are views of what is
// split, and its length is a number.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[FITS:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
//       CHECK: jit.guard %[[FITS]], "builtins.RuntimeError", "expected 2 values to unpack, got {}"
//       CHECK: %[[A:.*]] = aten.select.int %arg0{{.*}} -> !jit.tensor<[?],f32>
//       CHECK: %[[B:.*]] = aten.select.int %arg0{{.*}} -> !jit.tensor<[?],f32>
//       CHECK: aten.sub.Tensor %[[A]], %[[B]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %rows = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %rows : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  %d = aten.sub.Tensor %a, %b, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %d : !jit.tensor
}

// -----

// The last of the chunks is counted from the back, and has to be there.
// CHECK-LABEL: func.func @forward
//       CHECK: jit.guard %{{.*}}, "builtins.IndexError", "expected an index of a list of {}, got {}"
//       CHECK: aten.slice.Tensor %arg0
//   CHECK-NOT: aten.chunk
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %last = arith.constant -1 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %parts = aten.chunk %x, %three, %one : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %part = aten.__getitem__.t %parts, %last : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %part : !jit.tensor
}

// -----

// CHECK-LABEL: func.func @forward
//       CHECK: %[[SIZE:.*]] = aten.size.int %arg0
//       CHECK: %[[ALL:.*]] = arith.ceildivsi %[[SIZE]], %{{.*}}
//       CHECK: %[[COUNT:.*]] = arith.maxsi %[[ALL]], %{{.*}}
//       CHECK: return %[[COUNT]]
func.func @forward(%x: !jit.tensor) -> i64 {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %parts = aten.split.Tensor %x, %two, %zero : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %n = aten.len.t %parts : (!jit.list<!jit.tensor>) -> i64
  return %n : i64
}

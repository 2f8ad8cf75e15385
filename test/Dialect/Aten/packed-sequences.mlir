// RUN: jit-opt %s --jit-specialize="args=f32[5,3,2],i64[3],f32[1,3,4],f32[4,2],f32[4,4]" | FileCheck %s

// A network of sequences that the program packs is one of the padded ones with a mask; the lengths are guarded, and the rows, which
// nobody sees, are not made.
// CHECK-LABEL: func.func @forward
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected lengths in decreasing order, as enforce_sorted is True"
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected lengths of more than 0, got {}"
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected lengths of at most {}, got {}"
//       CHECK:   %[[MASK:.*]] = aten.lt.Tensor %{{.*}}, %arg1 : {{.*}} -> !jit.tensor<[5,3],i1>
//       CHECK:   %[[EACH:.*]] = aten.unsqueeze %[[MASK]]
//       CHECK:   %[[ALL:.*]], %[[H:.*]] = aten._rnn_tanh_masked %arg0, %[[EACH]]
//       CHECK:   %[[PADDED:.*]] = aten.where.self %{{.*}}, %[[ALL]]
//       CHECK:   %[[LONGEST:.*]] = aten.item
//       CHECK:   %[[RESULT:.*]] = aten.slice.Tensor %[[PADDED]], %{{.*}}, %{{.*}}, %[[LONGEST]]
//       CHECK:   return %[[RESULT]], %[[H]], %arg1
func.func @forward(%x: !jit.tensor, %lengths: !jit.tensor, %h: !jit.tensor, %w: !jit.tensor, %u: !jit.tensor)
    -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %no = arith.constant false
  %one = arith.constant 1 : i64
  %all = arith.constant -1 : i64
  %zero = arith.constant 0.0 : f64
  %data, %sizes = aten._pack_padded_sequence %x, %lengths, %no : (!jit.tensor, !jit.tensor, i1) -> (!jit.tensor, !jit.tensor)
  %weights = jit.list %w, %u : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %y, %last = aten.rnn_tanh.data %data, %sizes, %h, %weights, %no, %one, %zero, %no, %no
      : (!jit.tensor, !jit.tensor, !jit.tensor, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1) -> (!jit.tensor, !jit.tensor)
  %p, %n = aten._pad_packed_sequence %y, %sizes, %no, %zero, %all
      : (!jit.tensor, !jit.tensor, i1, f64, i64) -> (!jit.tensor, !jit.tensor)
  return %p, %last, %n : !jit.tensor, !jit.tensor, !jit.tensor
}

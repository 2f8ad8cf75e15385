// RUN: jit-opt %s --jit-emit-entry --jit-lower-foreign-calls --mlir-print-local-scope | FileCheck %s

// The arguments lie on the stack, as jit-c/Values.h has them; a guard behind the call ends this one where it has failed.
// CHECK-DAG:   func.func private @jit_rt_operator(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG:   llvm.func @my_scale(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}("my::scale(Tensor x, float by) -> Tensor\00")
// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}("model.py:34\00")
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[CALL:[^:]*]]: !llvm.ptr
// CHECK:         %[[FUNCTION:.*]] = llvm.mlir.addressof @my_scale
// CHECK:         %[[STATUS:.*]] = call @jit_rt_operator(%[[CALL]], %[[FUNCTION]],
// CHECK:         %[[DONE:.*]] = arith.cmpi eq, %[[STATUS]], %{{.*}}
// CHECK:         jit.guard %[[DONE]], "builtins.RuntimeError"
func.func @forward(%x: memref<2x3xf32>, %by: f64, %y: memref<2x3xf32> {jit.result = 0 : i64}) {
  foreign.call "my_scale" "my::scale(Tensor x, float by) -> Tensor" [f32, f64]
      ins(%x, %by : memref<2x3xf32>, f64) outs(%y : memref<2x3xf32>) [f32] loc("model.py":34:0)
  return
}

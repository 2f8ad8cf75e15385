// RUN: jit-opt %s --jit-emit-entry --convert-scf-to-cf --jit-lower-guards --mlir-print-local-scope | FileCheck %s

// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}("builtins.ValueError\00")
// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}("got {}\00")
// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}("model.py:34\00")
// CHECK-DAG:   func.func private @jit_rt_fail(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
// CHECK-LABEL: func.func @forward(
// CHECK:         cf.cond_br %{{.*}}, ^[[REST:.*]], ^[[EXIT:.*]]
// CHECK:       ^[[EXIT]]:
// CHECK:         call @jit_rt_fail
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    return %[[ONE]] : i32
func.func @forward(%n: i64, %c: i1) {
  scf.if %c {
    %zero = arith.constant 0 : i64
    %ok = arith.cmpi sge, %n, %zero : i64
    jit.guard %ok, "builtins.ValueError", "got {}"(%n : i64) loc("model.py":34:0)
  }
  return
}

// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

!m = !jit.tensor<[2,3],f32>
!f = !jit.tensor<[6],f32>

// Whether reshape of an argument shares memory, which a write reaches, follows from strides of the argument: of a row-major one it does.
// CHECK-LABEL: func.func @written
// CHECK-SAME: jit.depends_on_strides
func.func @written(%x: !m, %v: !f) -> !m {
  %six = arith.constant 6 : i64
  %size = jit.list %six : (i64) -> !jit.list<i64>
  %f = aten.reshape %x, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %f, %v : (!f, !f) -> !f
  return %x : !m
}

// Where the argument is written behind it, it is the same question.
// CHECK-LABEL: func.func @written_later
// CHECK-SAME: jit.depends_on_strides
func.func @written_later(%x: !m, %v: !m) -> !f {
  %six = arith.constant 6 : i64
  %size = jit.list %six : (i64) -> !jit.list<i64>
  %f = aten.reshape %x, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %x, %v : (!m, !m) -> !m
  return %f : !f
}

// What nobody writes may be a copy or not.
// CHECK-LABEL: func.func @others
// CHECK-NOT: jit.depends_on_strides
// CHECK: return
func.func @others(%x: !m, %v: !m) -> (!f, !m) {
  %six = arith.constant 6 : i64
  %size = jit.list %six : (i64) -> !jit.list<i64>
  %e = aten.reshape %x, %size : (!m, !jit.list<i64>) -> !f
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %e, %y : !f, !m
}

// Strides that the call says are known: of a transposed matrix reshape copies.
// CHECK-LABEL: func.func @said
// CHECK-NOT: jit.depends_on_strides
// CHECK: return %arg0
func.func @said(%x: !m {jit.strides = array<i64: 1, 2>}, %v: !f) -> !m {
  %six = arith.constant 6 : i64
  %size = jit.list %six : (i64) -> !jit.list<i64>
  %f = aten.reshape %x, %size : (!m, !jit.list<i64>) -> !f
  %w = jit.overwrite %f, %v : (!f, !f) -> !f
  return %x : !m
}

// The strides of an argument that becomes state are those of the state.
// CHECK-LABEL: func.func @state
// CHECK-SAME: jit.depends_on_strides
func.func @state(%x: !m, %v: !m) -> !m attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
  %w = jit.overwrite %x, %v : (!m, !m) -> !m
  %p = aten.alias %x : (!m) -> !m
  return %p : !m
}

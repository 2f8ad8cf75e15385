// RUN: jit-opt %s --jit-promote-slots | FileCheck %s

// What a slot holds in the next call may have other sizes and another element type, wherever it stands in the slot's type.

!m = !jit.tensor<[2],f32>
jit.slot @optional : !jit.optional<!m> = unit {jit.mutable}
jit.slot @list : !jit.list<!m> = [] {jit.mutable}
jit.slot @pair : !jit.tuple<!m, i64> = [] {jit.mutable}
jit.slot @dict : !jit.dict<!jit.str, !m> = [] {jit.mutable}
jit.slot @nested : !jit.list<!jit.optional<!m>> = [] {jit.mutable}
jit.slot @fixed : !jit.list<!m> = []

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[O:[a-z0-9]+]]: !jit.optional<!jit.tensor> {jit.slot = "optional"}
// CHECK-SAME: %[[L:[a-z0-9]+]]: !jit.list<!jit.tensor> {jit.slot = "list"}
// CHECK-SAME: %[[P:[a-z0-9]+]]: !jit.tuple<!jit.tensor, i64> {jit.slot = "pair"}
// CHECK-SAME: %[[D:[a-z0-9]+]]: !jit.dict<!jit.str, !jit.tensor> {jit.slot = "dict"}
// CHECK-SAME: %[[N:[a-z0-9]+]]: !jit.list<!jit.optional<!jit.tensor>> {jit.slot = "nested"})
// CHECK: %[[F:.*]] = jit.slot_get @fixed
// CHECK: return {{.*}}, %[[F]]
func.func @forward() -> (!jit.optional<!m>, !jit.list<!m>, !jit.tuple<!m, i64>, !jit.dict<!jit.str, !m>, !jit.list<!jit.optional<!m>>, !jit.list<!m>) {
  %o = jit.slot_get @optional : !jit.optional<!m>
  %l = jit.slot_get @list : !jit.list<!m>
  %p = jit.slot_get @pair : !jit.tuple<!m, i64>
  %d = jit.slot_get @dict : !jit.dict<!jit.str, !m>
  %n = jit.slot_get @nested : !jit.list<!jit.optional<!m>>
  %f = jit.slot_get @fixed : !jit.list<!m>
  return %o, %l, %p, %d, %n, %f : !jit.optional<!m>, !jit.list<!m>, !jit.tuple<!m, i64>, !jit.dict<!jit.str, !m>, !jit.list<!jit.optional<!m>>, !jit.list<!m>
}

// A slot that is set and not read is given back.
// CHECK-LABEL: func.func @set(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.optional<!jit.tensor<[2],f32>>, %{{.*}}: !jit.optional<!jit.tensor> {jit.slot = "optional"}) -> (!jit.optional<!jit.tensor> {jit.slot = "optional"})
// CHECK: %[[NEW:.*]] = jit.derefine %[[X]]
// CHECK: return %[[NEW]]
func.func @set(%x: !jit.optional<!m>) {
  jit.slot_set @optional = %x : !jit.optional<!m>
  return
}

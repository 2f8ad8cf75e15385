// RUN: jit-opt %s --jit-freeze | FileCheck %s

// CHECK: jit.slot @w : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>{{$}}
jit.slot @w : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot @bias : !jit.optional<!jit.tensor> = unit
jit.slot @rates : !jit.list<i64> = [8000, 16000]
jit.slot @name : !jit.str = "net"
jit.slot @pair : !jit.tuple<i64, f64> = [1, 2.0]
jit.slot @scaled : !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>> = [@w, dense<0.5> : tensor<f64>]
// CHECK: @state : !jit.tensor<[0],f32> = #jit.storage<"data/1", 0, [1]> {jit.assigned, jit.mutable}
jit.slot @state : !jit.tensor<[0],f32> = #jit.storage<"data/1", 0, [1]>
// CHECK: @table : !jit.tensor<[2,2],f32> = #jit.storage<"data/2", 0, [2, 1]> {jit.mutable, jit.written_in_place}
jit.slot @table : !jit.tensor<[2,2],f32> = #jit.storage<"data/2", 0, [2, 1]>

// CHECK-LABEL: func.func @forward
func.func @forward() -> (!jit.tensor, !jit.optional<!jit.tensor>, !jit.list<i64>, !jit.str, !jit.tuple<i64, f64>) {
  // CHECK: %[[W:.*]] = jit.slot_get @w : !jit.tensor<[2],f32>
  // CHECK: jit.derefine %[[W]] : !jit.tensor<[2],f32> to !jit.tensor
  %w = jit.slot_get @w : !jit.tensor
  // CHECK: %[[NONE:.*]] = jit.constant !jit.none = unit
  // CHECK: jit.derefine %[[NONE]] : !jit.none to !jit.optional<!jit.tensor>
  %b = jit.slot_get @bias : !jit.optional<!jit.tensor>
  // CHECK: %[[A:.*]] = arith.constant 8000 : i64
  // CHECK: %[[B:.*]] = arith.constant 16000 : i64
  // CHECK: jit.list %[[A]], %[[B]]
  %r = jit.slot_get @rates : !jit.list<i64>
  // CHECK: jit.constant !jit.str = "net"
  %n = jit.slot_get @name : !jit.str
  // CHECK: jit.tuple {{.*}} : (i64, f64) -> !jit.tuple<i64, f64>
  %p = jit.slot_get @pair : !jit.tuple<i64, f64>
  return %w, %b, %r, %n, %p : !jit.tensor, !jit.optional<!jit.tensor>, !jit.list<i64>, !jit.str, !jit.tuple<i64, f64>
}

// A number that stands for a tensor is one of rank 0.
// CHECK-LABEL: func.func @number
func.func @number() -> !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>> {
  // CHECK: %[[HALF:.*]] = jit.constant !jit.tensor<[],f64> = dense<5.000000e-01> : tensor<f64>
  // CHECK: %[[OPTIONAL:.*]] = jit.derefine %{{.*}} to !jit.optional<!jit.tensor>
  // CHECK: jit.tuple %{{.*}}, %[[OPTIONAL]]
  %s = jit.slot_get @scaled : !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>>
  return %s : !jit.tuple<!jit.tensor, !jit.optional<!jit.tensor>>
}

// A slot is mutable if any function assigns it, or writes it in place, be it through a view.
// CHECK-LABEL: func.func @step
func.func @step(%x: !jit.tensor, %c: i1) {
  // CHECK: jit.slot_set @state
  jit.slot_set @state = %x : !jit.tensor
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: jit.slot_get @table : !jit.tensor{{$}}
  %t = jit.slot_get @table : !jit.tensor
  %v = aten.transpose.int %t, %zero, %one : (!jit.tensor, i64, i64) -> !jit.tensor
  scf.if %c {
    %y = jit.overwrite %v, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return
}

// RUN: jit-opt %s --jit-stages="from=simplify to=fuse differentiate=true" | FileCheck %s

// A scripted LSTM with all its gradients, through the stages that a compilation runs. Forward: the input's share of
// all steps is one product before the loop, which has one product a step. Backward: one group and one product a
// step; the gradients of both weights are one product each, that of the bias one reduction, after the loop.

//  CHECK-LABEL: func.func @forward(
//   CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[10,4,3],f32>
//    CHECK-DAG: %[[W_IH:.*]] = jit.slot_get @w_ih
//    CHECK-DAG: %[[W_HH:.*]] = jit.slot_get @w_hh
//    CHECK-DAG: %[[ROWS:.*]] = aten.view %[[X]], {{.*}} -> !jit.tensor<[40,3],f32>
//    CHECK-DAG: %[[W_IH_T:.*]] = aten.permute %[[W_IH]],
//    CHECK-DAG: %[[W_HH_T:.*]] = aten.permute %[[W_HH]],
//        CHECK: %[[ALL:.*]] = aten.mm %[[ROWS]], %[[W_IH_T]] : {{.*}} -> !jit.tensor<[40,32],f32>
//        CHECK: %[[SHARES:.*]] = aten.view %[[ALL]], {{.*}} -> !jit.tensor<[10,4,32],f32>

//        CHECK: %[[FORWARD:[0-9]+]]:{{[0-9]+}} = scf.for %[[T:[a-z0-9]+]] = {{.*}} iter_args(%[[H:[a-z0-9]+]] = %{{.*}}, %[[C:[a-z0-9]+]] =
//        CHECK:   %[[SHARE:.*]] = aten.select.int %[[SHARES]], %{{.*}}, %[[T]]
//        CHECK:   %[[STATE:.*]] = aten.mm %[[H]], %[[W_HH_T]]
//    CHECK-NOT:   aten.mm
//        CHECK:   %[[GATES:.*]] = jit.group
//        CHECK:   %[[NEXT:.*]]:2 = jit.group
//        CHECK:   aten.select_scatter %{{.*}}, %[[GATES]],
//        CHECK:   aten.select_scatter %{{.*}}, %[[H]],
//        CHECK:   scf.yield

//        CHECK: %[[BACKWARD:[0-9]+]]:3 = scf.for %[[U:[a-z0-9]+]] =
//        CHECK:   %[[AT:.*]] = arith.subi %{{.*}}, %[[U]]
//        CHECK:   aten.select.int %[[FORWARD]]#{{[0-9]}}, %{{.*}}, %[[AT]] {{.*}} -> !jit.tensor<[4,32],f32>
//    CHECK-NOT:   aten.add.Tensor
//        CHECK:   %[[G:.*]]:5 = jit.group
// The group's own operators, then what it gave for the gates side by side.
//        CHECK:   jit.yield
//    CHECK-NOT:   jit.group
//    CHECK-NOT:   aten.full
//        CHECK:   %[[NOTHING:.*]] = jit.poison : !jit.tensor<[4,32],f32>
//        CHECK:   aten.slice_scatter %[[NOTHING]]
// CHECK-COUNT-2:  aten.slice_scatter
//        CHECK:   %[[GRADS:.*]] = aten.slice_scatter
//    CHECK-NOT:   jit.group
//    CHECK-NOT:   aten.add.Tensor
//        CHECK:   aten.matmul %[[GRADS]], %[[W_HH]] {{.*}} -> !jit.tensor<[4,8],f32>
//        CHECK:   aten.select_scatter %{{.*}}, %[[GRADS]], %{{.*}}, %[[AT]]
//    CHECK-NOT:   aten.mm
//    CHECK-NOT:   aten.sum
//        CHECK:   scf.yield

//    CHECK-DAG: %[[HS:.*]] = aten.view %[[FORWARD]]#{{[0-9]}}, {{.*}} -> !jit.tensor<[40,8],f32>
//    CHECK-DAG: %[[GS:.*]] = aten.view %[[BACKWARD]]#2, {{.*}} -> !jit.tensor<[40,32],f32>
//    CHECK-DAG: %[[G_BIAS:.*]] = aten.sum.dim_IntList %[[BACKWARD]]#2, {{.*}} -> !jit.tensor<[32],f32>
//    CHECK-DAG: %[[GS_T:.*]] = aten.permute %[[GS]],
//    CHECK-DAG: %[[G_HH:.*]] = aten.mm %[[GS_T]], %[[HS]] {{.*}} -> !jit.tensor<[32,8],f32>
//    CHECK-DAG: %[[G_IH:.*]] = aten.mm %[[GS_T]], %[[ROWS]] {{.*}} -> !jit.tensor<[32,3],f32>
//        CHECK: return %{{.*}}, %[[FORWARD]]#0, %[[FORWARD]]#1, %[[G_IH]], %[[G_HH]], %[[G_BIAS]]

jit.slot parameter @w_ih : !jit.tensor<[32,3],f32> = #jit.storage<"data/0", 0, [3, 1]>
jit.slot parameter @w_hh : !jit.tensor<[32,8],f32> = #jit.storage<"data/1", 0, [8, 1]>
jit.slot parameter @bias : !jit.tensor<[32],f32> = #jit.storage<"data/2", 0, [1]>
func.func @forward(%arg0: !jit.tensor<[10,4,3],f32>)
    -> (!jit.tensor<[10,4,8],f32>, !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) {
  %c32 = arith.constant 32 : i64
  %c24 = arith.constant 24 : i64
  %c16 = arith.constant 16 : i64
  %c6 = arith.constant 6 : i64
  %c10 = arith.constant 10 : i64
  %0 = jit.constant !jit.none = unit
  %c8 = arith.constant 8 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %1 = jit.list %c4, %c8 : (i64, i64) -> !jit.list<i64>
  %2 = aten.zeros %1, %0, %0, %0, %0 : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4,8],f32>
  %3 = jit.list %c10, %c4, %c8 : (i64, i64, i64) -> !jit.list<i64>
  %4 = aten.empty.memory_format %3, %c6, %0, %0, %0, %0 : (!jit.list<i64>, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,4,8],f32>
  %5:3 = scf.for %arg1 = %c0 to %c10 step %c1 iter_args(%arg2 = %2, %arg3 = %2, %arg4 = %4)
      -> (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>, !jit.tensor<[10,4,8],f32>)  : i64 {
    %8 = aten.select.int %arg0, %c0, %arg1 : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %9 = jit.slot_get @w_ih : !jit.tensor<[32,3],f32>
    %10 = aten.t %9 : (!jit.tensor<[32,3],f32>) -> !jit.tensor<[3,32],f32>
    %11 = aten.mm %8, %10 : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[4,32],f32>
    %12 = jit.slot_get @w_hh : !jit.tensor<[32,8],f32>
    %13 = aten.t %12 : (!jit.tensor<[32,8],f32>) -> !jit.tensor<[8,32],f32>
    %14 = aten.mm %arg2, %13 : (!jit.tensor<[4,8],f32>, !jit.tensor<[8,32],f32>) -> !jit.tensor<[4,32],f32>
    %15 = aten.add.Tensor %11, %14, %c1 : (!jit.tensor<[4,32],f32>, !jit.tensor<[4,32],f32>, i64) -> !jit.tensor<[4,32],f32>
    %16 = jit.slot_get @bias : !jit.tensor<[32],f32>
    %17 = aten.add.Tensor %15, %16, %c1 : (!jit.tensor<[4,32],f32>, !jit.tensor<[32],f32>, i64) -> !jit.tensor<[4,32],f32>
    %18 = aten.slice.Tensor %17, %c1, %c0, %c8, %c1 : (!jit.tensor<[4,32],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,8],f32>
    %19 = aten.slice.Tensor %17, %c1, %c8, %c16, %c1 : (!jit.tensor<[4,32],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,8],f32>
    %20 = aten.slice.Tensor %17, %c1, %c16, %c24, %c1 : (!jit.tensor<[4,32],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,8],f32>
    %21 = aten.slice.Tensor %17, %c1, %c24, %c32, %c1 : (!jit.tensor<[4,32],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,8],f32>
    %22 = aten.sigmoid %19 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %23 = aten.mul.Tensor %22, %arg3 : (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %24 = aten.sigmoid %18 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %25 = aten.tanh %20 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %26 = aten.mul.Tensor %24, %25 : (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %27 = aten.add.Tensor %23, %26, %c1 : (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>, i64) -> !jit.tensor<[4,8],f32>
    %28 = aten.sigmoid %21 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %29 = aten.tanh %27 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %30 = aten.mul.Tensor %28, %29 : (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    %31 = aten.select_scatter %arg4, %30, %c0, %arg1 : (!jit.tensor<[10,4,8],f32>, !jit.tensor<[4,8],f32>, i64, i64) -> !jit.tensor<[10,4,8],f32>
    scf.yield %30, %27, %31 : !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>, !jit.tensor<[10,4,8],f32>
  }
  %6 = jit.list_from_tensor %5#2 : (!jit.tensor<[10,4,8],f32>) -> !jit.list<!jit.tensor>
  %7 = aten.stack %6, %c0 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[10,4,8],f32>
  return %7, %5#0, %5#1 : !jit.tensor<[10,4,8],f32>, !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>
}

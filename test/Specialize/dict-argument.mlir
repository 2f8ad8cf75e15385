// A dict is given as its pairs; where any type is taken, it says that it is one.
// RUN: jit-opt %s --jit-specialize="args=[(\"a\",f32[2])],dict[(\"b\",f32[3])]" | FileCheck %s

// CHECK: func.func @forward(%[[A:.*]]: !jit.tensor<[2],f32> {jit.arg = array<i64: 0, 0, 1>}, %{{.*}}: !jit.tensor<[3],f32> {jit.arg = array<i64: 1, 0, 1>})
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[A]], %[[TRUE]]
func.func @forward(%d: !jit.dict<!jit.str, !jit.tensor>, %x: !jit.any) -> (!jit.tensor, i1) {
  %a = jit.constant !jit.str = "a"
  %name = jit.constant !jit.str = "Dict[str, Tensor]"
  %names = jit.list %name : (!jit.str) -> !jit.list<!jit.str>
  %0 = aten.__getitem__.Dict_str %d, %a : (!jit.dict<!jit.str, !jit.tensor>, !jit.str) -> !jit.tensor
  %1 = aten._isinstance %x, %names : (!jit.any, !jit.list<!jit.str>) -> i1
  return %0, %1 : !jit.tensor, i1
}

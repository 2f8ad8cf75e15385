// RUN: jit-diff %s --input='f32[3,4]' | FileCheck %s --check-prefix=EQUAL
// RUN: not jit-diff %s --input='f32[3,4]' --seed-fault="after=simplify kind=scale op=aten.add.Scalar" | FileCheck %s --check-prefix=LOOP
// RUN: not jit-diff %s --input='f32[3,4]' --seed-fault="after=simplify kind=drop op=aten.relu" | FileCheck %s --check-prefix=BRANCH

// An operator in a branch or a loop is named with the way that was taken to it.

// EQUAL: equal: 5 operators

// LOOP: model.py:3: aten.add.Scalar is wrong, in trip 0 of the loop at model.py:2
// LOOP: result 0, f32[4] at [{{[0-3]}}]: expected {{.*}}, got {{.*}} apart; 4 of 4 are off by more

// BRANCH: model.py:6: aten.relu is wrong, in the second way of the branch at model.py:5
// BRANCH: expected 0, got -
func.func @forward(%x: !jit.tensor<[3,4],f32>) -> !jit.tensor<[3,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %half = arith.constant 5.0e-01 : f64
  %none = jit.constant !jit.none = unit
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> (!jit.tensor<[3,4],f32>) : i64 {
    %row = aten.select.int %y, %c0, %i : (!jit.tensor<[3,4],f32>, i64, i64) -> !jit.tensor<[4],f32> loc("model.py":3:5)
    %more = aten.add.Scalar %row, %half, %c1 : (!jit.tensor<[4],f32>, f64, i64) -> !jit.tensor<[4],f32> loc("model.py":3:5)
    %next = aten.select_scatter %y, %more, %c0, %i : (!jit.tensor<[3,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[3,4],f32> loc("model.py":3:5)
    scf.yield %next : !jit.tensor<[3,4],f32>
  } loc("model.py":2:5)
  %all = aten.sum %sum, %none : (!jit.tensor<[3,4],f32>, !jit.none) -> !jit.tensor<[],f32> loc("model.py":5:8)
  %large = aten.lt.Scalar %all, %c0 : (!jit.tensor<[],f32>, i64) -> !jit.tensor<[],i1> loc("model.py":5:8)
  %is = aten.item %large : (!jit.tensor<[],i1>) -> i1 loc("model.py":5:8)
  %result = scf.if %is -> (!jit.tensor<[3,4],f32>) {
    %small = aten.mul.Scalar %sum, %half : (!jit.tensor<[3,4],f32>, f64) -> !jit.tensor<[3,4],f32> loc("model.py":8:9)
    scf.yield %small : !jit.tensor<[3,4],f32>
  } else {
    %positive = aten.relu %sum : (!jit.tensor<[3,4],f32>) -> !jit.tensor<[3,4],f32> loc("model.py":6:9)
    scf.yield %positive : !jit.tensor<[3,4],f32>
  } loc("model.py":5:5)
  return %result : !jit.tensor<[3,4],f32>
}

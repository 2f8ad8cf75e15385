// RUN: jit-opt %s --jit-verify-stage=stage=fuse --split-input-file --verify-diagnostics

func.func @composed(%x: !jit.tensor<[2,3],f32>) {
  %dim = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected no operator that is made of simpler ones after Fuse}}
  %0 = aten.softmax.int %x, %dim, %none : (!jit.tensor<[2,3],f32>, i64, !jit.none) -> !jit.tensor<[2,3],f32>
  return
}

// -----

// Where too little is known for that, the error is Lower's to give.
func.func @not_yet(%x: !jit.tensor<[2,?],f32>, %k: i64) {
  %n = jit.list %k : (i64) -> !jit.list<i64>
  %0 = aten.flip %x, %n : (!jit.tensor<[2,?],f32>, !jit.list<i64>) -> !jit.tensor<[2,?],f32>
  return
}

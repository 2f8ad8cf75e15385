// RUN: jit-opt %s | jit-opt | FileCheck %s

// What is known of a tensor is part of its type, each part on its own.
// CHECK-LABEL: func.func @types
// CHECK-SAME: !jit.tensor, %{{.*}}: !jit.tensor<*,f32>, %{{.*}}: !jit.tensor<[2,?],f32>, %{{.*}}: !jit.tensor<[],?>
func.func @types(%a: !jit.tensor, %b: !jit.tensor<*,f32>, %c: !jit.tensor<[2,?],f32>, %d: !jit.tensor<[],?>,
    // CHECK-SAME: !jit.optional<!jit.tuple<!jit.tensor, i64>>, %{{.*}}: !jit.list<i64>, %{{.*}}: !jit.dict<!jit.str, f64>
    %e: !jit.optional<!jit.tuple<!jit.tensor, i64>>, %f: !jit.list<i64>, %g: !jit.dict<!jit.str, f64>,
    // CHECK-SAME: !jit.object<"__torch__.M">, %{{.*}}: !jit.none, %{{.*}}: !jit.number, %{{.*}}: !jit.tuple<>
    %h: !jit.object<"__torch__.M">, %i: !jit.none, %j: !jit.number, %k: !jit.tuple<>) {
  return
}

// CHECK: jit.slot parameter @encoder.0.weight : !jit.tensor<[8,4],f32> = #jit.storage<"data/3", 0, [4, 1]>
jit.slot parameter @"encoder.0.weight" : !jit.tensor<[8,4],f32> = #jit.storage<"data/3", 0, [4, 1]>
// CHECK: jit.slot @training : i1 = false
jit.slot @training : i1 = false
// CHECK: jit.alias @decoder = "encoder"
jit.alias @decoder = "encoder"

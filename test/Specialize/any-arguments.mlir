// RUN: jit-opt %s --jit-specialize='args=[1,2],[1,2.5],(1,2.5),dict[("a",1)],"text",[]' | FileCheck %s
// RUN: jit-opt %s --jit-specialize='args=[f32[2],f32[3]],none,f32[2],dict[("a",1),("b",2.5)],?int,true' | FileCheck %s --check-prefix=OTHER

// Of an argument of any type the call says what it is. A list whose elements have one type is a list of that type, and so are the keys and the values of a dict.

// CHECK: jit.outputs = [{value = ["list", 0, 1]}, {value = ["list", 2, 3]}, {value = ["tuple", 4, 5]}, {value = ["dict", "a", 6]}, {value = "text"}, {value = ["list"]}]
// CHECK: jit.list %{{.*}} : (i64, i64) -> !jit.list<i64>
// CHECK: jit.list %{{.*}} : (i64, f64) -> !jit.list<!jit.any>
// CHECK: jit.tuple %{{.*}} : (i64, f64) -> !jit.tuple<i64, f64>
// CHECK: jit.dict {{.*}} : !jit.dict<!jit.str, i64>
// CHECK: jit.constant !jit.str = "text"
// CHECK: jit.list : () -> !jit.list<!jit.any>

// OTHER: jit.outputs = [{value = ["list", 0, 1]}, {value}, {value = 2 : i64}, {value = ["dict", "a", 3, "b", 4]}, {value = 5 : i64}, {value = 6 : i64}]
// OTHER: jit.list %{{.*}} : (!jit.tensor<[2],f32>, !jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
// OTHER: jit.dict {{.*}} : !jit.dict<!jit.str, !jit.any>
func.func @forward(%a: !jit.any, %b: !jit.any, %c: !jit.any, %d: !jit.any, %e: !jit.any, %f: !jit.any)
    -> (!jit.any, !jit.any, !jit.any, !jit.any, !jit.any, !jit.any) {
  return %a, %b, %c, %d, %e, %f : !jit.any, !jit.any, !jit.any, !jit.any, !jit.any, !jit.any
}

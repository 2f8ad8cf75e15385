// RUN: not jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{tiles=%S/Inputs/no-table.json}))' 2>&1 | FileCheck %s
// CHECK: no-table.json: expected a table of tiles: expected two numbers at table.products["f32 p64"].points
// RUN: not jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{tiles=%S/Inputs/missing.json}))' 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: missing.json: No such file or directory
func.func @any() { return }

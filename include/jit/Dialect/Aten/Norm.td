//===- Norm.td -----------------------------------------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===- Scalar.h - words for the rules of Scalar.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
#define JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
#endif

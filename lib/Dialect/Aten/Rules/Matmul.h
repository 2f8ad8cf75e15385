//===- Matmul.h - words for the rules of Matmul.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_MATMUL_H
#define JIT_LIB_DIALECT_ATEN_RULES_MATMUL_H
#endif

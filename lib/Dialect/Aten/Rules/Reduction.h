//===- Reduction.h - words for the rules of Reduction.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_REDUCTION_H
#define JIT_LIB_DIALECT_ATEN_RULES_REDUCTION_H
#endif

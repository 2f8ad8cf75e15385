//===- Norm.h - words for the rules of Norm.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_NORM_H
#define JIT_LIB_DIALECT_ATEN_RULES_NORM_H
#endif

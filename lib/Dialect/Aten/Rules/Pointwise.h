//===- Pointwise.h - words for the rules of Pointwise.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POINTWISE_H
#define JIT_LIB_DIALECT_ATEN_RULES_POINTWISE_H
#endif

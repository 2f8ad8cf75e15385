//===- Pool.h - words for the rules of Pool.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POOL_H
#define JIT_LIB_DIALECT_ATEN_RULES_POOL_H
#endif

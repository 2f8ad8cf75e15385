//===- Creation.h - words for the rules of Creation.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CREATION_H
#define JIT_LIB_DIALECT_ATEN_RULES_CREATION_H
#endif

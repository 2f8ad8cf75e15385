//===- Index.h - words for the rules of Index.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_INDEX_H
#define JIT_LIB_DIALECT_ATEN_RULES_INDEX_H
#endif

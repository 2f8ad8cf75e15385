//===- Recurrent.h - words for the rules of Recurrent.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_RECURRENT_H
#define JIT_LIB_DIALECT_ATEN_RULES_RECURRENT_H
#endif

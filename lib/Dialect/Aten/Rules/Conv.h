//===- Conv.h - words for the rules of Conv.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CONV_H
#define JIT_LIB_DIALECT_ATEN_RULES_CONV_H
#endif

//===- Container.h - words for the rules of Container.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CONTAINER_H
#define JIT_LIB_DIALECT_ATEN_RULES_CONTAINER_H
#endif

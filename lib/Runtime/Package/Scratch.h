/*===- Scratch.h - memory of calls ---------------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_SCRATCH_H
#define JIT_LIB_RUNTIME_PACKAGE_SCRATCH_H

#include "Module.h"

/* An idle one or a new one; NULL where memory is exhausted. */
jit_scratch *jit_take_scratch(jit_module *module);
void jit_return_scratch(jit_module *module, jit_scratch *scratch);
void jit_free_scratch(jit_module *module);

#endif /* JIT_LIB_RUNTIME_PACKAGE_SCRATCH_H */

//===- Tools.h - the tools, each a function of libjit ----------*- C++ -*-===//
//
// They are for tools/Main.c alone, and no part of the C interface.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_TOOLS_TOOLS_H
#define JIT_TOOLS_TOOLS_H

extern "C" {
int jit_cache_main(int argc, char **argv);
int jit_compile_main(int argc, char **argv);
int jit_diff_main(int argc, char **argv);
int jit_opt_main(int argc, char **argv);
int jit_reduce_main(int argc, char **argv);
int jit_run_main(int argc, char **argv);
int jit_translate_main(int argc, char **argv);
}

#endif // JIT_TOOLS_TOOLS_H

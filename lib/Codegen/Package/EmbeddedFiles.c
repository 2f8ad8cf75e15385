/*===- EmbeddedFiles.c - files that jit-compile writes out again ------------===*/

/* NAME to NAME_end: the bytes of a file. */
#define EMBED(NAME, PATH)                                                                          \
  __asm__(".section .rodata\n.balign 16\n.globl " #NAME "\n" #NAME ":\n.incbin \"" PATH            \
          "\"\n.globl " #NAME "_end\n" #NAME "_end:\n.byte 0\n.text\n")

EMBED(jit_package_runtime, PACKAGE_RUNTIME);
EMBED(jit_values_header, VALUES_HEADER);
EMBED(jit_artifact_header, ARTIFACT_HEADER);

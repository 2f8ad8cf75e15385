/* How AddressSanitizer runs in a program that links MLIR and LLVM, which are not instrumented
   themselves. Their bump allocators are inline code of headers: ours would poison memory that
   theirs then hands out without unpoisoning it. */
const char *__asan_default_options(void) { return "allow_user_poisoning=0"; }

/* How AddressSanitizer runs in a program that links MLIR and LLVM, which are not instrumented
 * themselves. Their bump allocators are inline code of headers: ours would poison memory that
 * theirs then hands out without unpoisoning it. The rest makes it behave as a plain build does: a
 * null pointer where memory is short, and a signal, not exit code 1, for a bug. */
const char *__asan_default_options(void) {
  return "allow_user_poisoning=0:allocator_may_return_null=1:abort_on_error=1";
}

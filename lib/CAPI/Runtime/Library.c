/*===- Library.c - artifacts by their paths ---------------------------------===*/
#include "jit-c/Runtime.h"
#include "jit/OpenLibrary.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jit_library {
  void *handle;
  const jit_artifact_table *table;
};

static jit_status fail(jit_error *error, jit_status status, const char *path, const char *what) {
  if (!error)
    return status;
  memset(error, 0, sizeof *error);
  error->status = (int32_t)status;
  snprintf(error->message, sizeof error->message, "%s: %s", path, what);
  return status;
}

/* A spelling that no library was opened by before. */
static void *openFile(const char *path) {
  static atomic_uint spellings;
  return jit_open_library(path, atomic_fetch_add(&spellings, 1));
}

jit_status jit_library_open(const char *path, jit_library **library, jit_error *error) {
  if (!path || !library)
    return fail(error, JIT_INVALID_ARGUMENT, path ? path : "path", "expected no null pointer");
  *library = NULL;
  void *handle = openFile(path);
  if (!handle) {
    const char *reason = dlerror();
    return fail(error, JIT_IO, path, reason ? reason : "cannot be loaded");
  }
  jit_artifact_fn entry;
  /* POSIX's way to make a function of a symbol, which ISO C has none for. */
  *(void **)&entry = dlsym(handle, "jit_artifact");
  const jit_artifact_table *table = entry ? entry() : NULL;
  jit_library *made = calloc(1, sizeof *made);
  if (!table || table->size < offsetof(jit_artifact_table, cpu) || !made) {
    free(made);
    dlclose(handle);
    return table && !made ? fail(error, JIT_LIMIT_EXCEEDED, path, "out of memory")
                          : fail(error, JIT_MALFORMED, path, "expected an artifact of jit-compile");
  }
  made->handle = handle;
  made->table = table;
  *library = made;
  return JIT_OK;
}

const jit_artifact_table *jit_library_table(const jit_library *library) {
  return library ? library->table : NULL;
}

void jit_library_close(jit_library *library) {
  if (!library)
    return;
  dlclose(library->handle);
  free(library);
}

/*===- OpenLibrary.h - shared objects by their paths ---------------*- C -*-===*\
|*
|* Plain C, for the one function that opens packages and files of operators alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_OPENLIBRARY_H
#define JIT_OPENLIBRARY_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* `path`, whose file is called `base`, under spelling number `number`: "folder/.//./file", by its
 * bits. Null where memory is short. */
static inline char *jit_respelled(const char *path, const char *base, unsigned number) {
  size_t folder = (size_t)(base - path), bits = 8 * sizeof number;
  char *name = (char *)malloc(strlen(path) + 2 * bits + 1);
  if (!name)
    return name;
  memcpy(name, path, folder);
  char *end = name + folder;
  for (size_t bit = 0; bit < bits; ++bit) {
    if (number >> bit & 1)
      *end++ = '.';
    *end++ = '/';
  }
  strcpy(end, base);
  return name;
}

/* The dynamic linker takes a path that it knows for the file that it found there, though another
 * one may have taken its place; under a spelling that it does not know, by a number that nobody
 * gave before, it looks at the file. Null: dlerror() says why. */
static inline void *jit_open_library(const char *path, unsigned number) {
  const int flags = RTLD_NOW | RTLD_LOCAL;
  const char *slash = strrchr(path, '/');
  if (!slash)
    return dlopen(path, flags);
  void *known = dlopen(path, flags | RTLD_NOLOAD);
  if (!known)
    return dlopen(path, flags);
  dlclose(known);
  char *name = jit_respelled(path, slash + 1, number);
  if (!name)
    return name;
  void *handle = dlopen(name, flags);
  free(name);
  return handle;
}

#endif /* JIT_OPENLIBRARY_H */

/*===- Weights.c - constant bytes, inside or in a file beside ---------------===*/
#include "Module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of weights begins with this and the package's number; blobs lie behind them. */
static const char magic[8] = "JITWGHT";

static jit_status check_file(const jit_package *package, const char *path, const void *bytes,
                             jit_error *error) {
  uint64_t id;
  if (memcmp(bytes, magic, sizeof magic) != 0)
    return jit_fail(error, JIT_MALFORMED, "%s: expected a file of weights that jit-compile wrote",
                    path);
  memcpy(&id, (const char *)bytes + sizeof magic, sizeof id);
  if (id != package->weights_id)
    return jit_fail(error, JIT_MALFORMED,
                    "%s: expected the weights that '%s' was compiled with, got those of another",
                    path, package->name);
  return JIT_OK;
}

static int open_file(const char *path) {
  int file;
  do
    file = open(path, O_RDONLY | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  return file;
}

/* Whether others than the superuser and who runs this may change the file while it is mapped. One
   that is cut short ends the process. */
static int is_strangers(const struct stat *status) {
  return (status->st_mode & S_IWOTH) || (status->st_uid != 0 && status->st_uid != geteuid());
}

static jit_status read_all(jit_module *module, int file, const char *path, jit_error *error) {
  int64_t size = module->package->weights_bytes;
  char *bytes = jit_allocate_lasting(size);
  if (!bytes)
    return jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for weights of %lld bytes",
                    (long long)size);
  module->weights = bytes;
  for (int64_t done = 0; done < size;) {
    ssize_t got = read(file, bytes + done, (size_t)(size - done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return jit_fail(error, JIT_IO, "cannot read the weights %s: %s", path, strerror(errno));
    if (got == 0)
      return jit_fail(error, JIT_MALFORMED, "%s: expected weights of %lld bytes", path,
                      (long long)size);
    done += got;
  }
  return JIT_OK;
}

static jit_status map_all(jit_module *module, int file, const char *path, jit_error *error) {
  void *bytes = mmap(NULL, (size_t)module->package->weights_bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return jit_fail(error, JIT_IO, "cannot map the weights %s: %s", path, strerror(errno));
  module->weights = bytes;
  module->maps_weights = 1;
  return JIT_OK;
}

jit_status jit_map_weights(jit_module *module, const char *path, jit_error *error) {
  const jit_package *package = module->package;
  if (!package->weights_path)
    return JIT_OK;
  if (!path)
    path = package->weights_path;
  int file = open_file(path);
  if (file < 0)
    return jit_fail(error, JIT_IO, "cannot open the weights %s: %s", path, strerror(errno));
  struct stat status;
  jit_status result;
  if (fstat(file, &status) != 0 || status.st_size != package->weights_bytes)
    result = jit_fail(error, JIT_MALFORMED, "%s: expected weights of %lld bytes", path,
                      (long long)package->weights_bytes);
  else if (is_strangers(&status))
    result = read_all(module, file, path, error);
  else
    result = map_all(module, file, path, error);
  close(file);
  return result == JIT_OK ? check_file(package, path, module->weights, error) : result;
}

void jit_unmap_weights(jit_module *module) {
  if (module->weights && module->maps_weights)
    munmap(module->weights, (size_t)module->package->weights_bytes);
  else
    free(module->weights);
}

const void *jit_blob_data(const jit_module *module, int32_t blob) {
  const jit_blob *entry = &module->package->blobs[blob];
  return entry->data ? entry->data : (const char *)module->weights + entry->offset;
}

/*===- Weights.c - constant bytes, inside or in a file beside ---------------===*/
#include "Module.h"

#include <errno.h>
#include <fcntl.h>
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

jit_status jit_map_weights(jit_module *module, const char *path, jit_error *error) {
  const jit_package *package = module->package;
  if (!package->weights_path)
    return JIT_OK;
  if (!path)
    path = package->weights_path;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return jit_fail(error, JIT_IO, "cannot open the weights %s: %s", path, strerror(errno));
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size != package->weights_bytes) {
    close(file);
    return jit_fail(error, JIT_MALFORMED, "%s: expected weights of %lld bytes", path,
                    (long long)package->weights_bytes);
  }
  void *bytes = mmap(NULL, (size_t)package->weights_bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    return jit_fail(error, JIT_IO, "cannot map the weights %s: %s", path, strerror(errno));
  module->weights = bytes;
  return check_file(package, path, bytes, error);
}

void jit_unmap_weights(jit_module *module) {
  if (module->weights)
    munmap(module->weights, (size_t)module->package->weights_bytes);
}

const void *jit_blob_data(const jit_module *module, int32_t blob) {
  const jit_blob *entry = &module->package->blobs[blob];
  return entry->data ? entry->data : (const char *)module->weights + entry->offset;
}

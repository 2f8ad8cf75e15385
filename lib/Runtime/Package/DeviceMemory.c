/*===- DeviceMemory.c - what a module has on a GPU --------------------------===*/
#include "Device.h"

#include <stdlib.h>

jit_status jit_refuse_device_memory(jit_device *device) {
  return jit_fail(device->error, JIT_LIMIT_EXCEEDED, "out of memory for a module on the device");
}

/*===----------------------------------------------------------------------===*\
|* Memory
\*===----------------------------------------------------------------------===*/

/* At least one byte; freed with the module. */
jit_status jit_take(jit_device *device, int64_t bytes, uint64_t *address) {
  uint64_t *grown = realloc(device->memory, (device->memory_count + 1) * sizeof *device->memory);
  if (!grown)
    return jit_refuse_device_memory(device);
  device->memory = grown;
  jit_status status = jit_cuda_allocate(&device->on, bytes, address, device->error);
  if (status == JIT_OK)
    device->memory[device->memory_count++] = *address;
  return status;
}

static jit_status copy_in(jit_device *device, uint64_t to, const void *from, int64_t bytes) {
  return jit_cuda_copy_in(&device->on, to, from, bytes, device->current, device->error);
}

jit_status jit_finish(jit_device *device) {
  return jit_cuda_finish(&device->on, device->current, device->error);
}

/* Constant bytes, brought there once. */
jit_status jit_take_blob(jit_module *module, int32_t number, uint64_t *address) {
  jit_device *device = module->device;
  uint64_t *known = &device->blobs[number];
  jit_status status = JIT_OK;
  if (!*known) {
    int64_t bytes = module->package->blobs[number].bytes;
    uint64_t made = 0;
    status = jit_take(device, bytes, &made);
    if (status == JIT_OK)
      status = copy_in(device, made, jit_blob_data(module, number), bytes);
    if (status == JIT_OK)
      *known = made;
  }
  *address = *known;
  return status;
}

/*===----------------------------------------------------------------------===*\
|* State: each side of a cell is in the host's memory, the device's or both
\*===----------------------------------------------------------------------===*/

static int64_t cell_bytes(const jit_module *module, int32_t side) {
  return module->package->cells[side / 2].bytes;
}

jit_status jit_take_cell(jit_module *module, int32_t side, uint64_t *address) {
  jit_device *device = module->device;
  jit_status status = JIT_OK;
  if (!device->cells[side])
    status = jit_take(device, cell_bytes(module, side), &device->cells[side]);
  *address = device->cells[side];
  return status;
}

jit_status jit_bring_cell(jit_module *module, int32_t side, uint64_t *address) {
  jit_status status = jit_take_cell(module, side, address);
  if (status == JIT_OK && !(module->places[side] & JIT_IS_THERE)) {
    status = copy_in(module->device, *address, module->cells[side], cell_bytes(module, side));
    if (status == JIT_OK)
      module->places[side] |= JIT_IS_THERE;
  }
  return status;
}

jit_status jit_set_cell(jit_module *module, int32_t side, uint64_t from, int64_t bytes) {
  jit_device *device = module->device;
  uint64_t address = 0;
  jit_status status = jit_take_cell(module, side, &address);
  if (status == JIT_OK && address != from)
    status = jit_cuda_copy(&device->on, address, from, bytes, device->current, device->error);
  if (status == JIT_OK)
    module->places[side] = JIT_IS_THERE;
  return status;
}

static jit_status fetch(jit_module *module, int32_t side) {
  jit_device *device = module->device;
  jit_status status = jit_choose_stream(device, NULL);
  if (status == JIT_OK)
    status = jit_cuda_copy_out(&device->on, module->cells[side], device->cells[side],
                               cell_bytes(module, side), device->current, device->error);
  if (status == JIT_OK)
    status = jit_finish(device);
  if (status == JIT_OK)
    module->places[side] |= JIT_ON_HOST;
  return status;
}

jit_status jit_fetch_cell(jit_module *module, int32_t cell, jit_error *error) {
  int32_t side = jit_present_side(module, cell);
  jit_status status = JIT_OK;
  pthread_mutex_lock(&module->device_lock);
  if (!(module->places[side] & JIT_ON_HOST)) {
    status = jit_enter_device(module, error);
    if (status == JIT_OK) {
      status = fetch(module, side);
      jit_cuda_leave(&module->device->on);
    }
  }
  pthread_mutex_unlock(&module->device_lock);
  return status;
}

/*===----------------------------------------------------------------------===*\
|* Streams
\*===----------------------------------------------------------------------===*/

static jit_status own_stream(jit_device *device, jit_cuda_stream *stream) {
  jit_status status = JIT_OK;
  if (!device->stream)
    status = jit_cuda_create_stream(&device->on, &device->stream, device->error);
  *stream = device->stream;
  return status;
}

jit_status jit_choose_stream(jit_device *device, const jit_call_options *options) {
  jit_cuda_stream stream = options ? options->stream : NULL;
  jit_status status = options ? jit_cuda_check_stream(&device->on, stream, device->error)
                              : own_stream(device, &stream);
  /* Calls share the module's memory; the stream before may be gone by now. */
  if (status == JIT_OK && device->is_busy && stream != device->current)
    status = jit_check_cuda(&device->cuda, device->cuda.cuCtxSynchronize(), "kernels that end well",
                            JIT_INTERNAL, device->error);
  if (status != JIT_OK)
    return status;
  device->current = stream;
  device->is_busy = options != NULL;
  return JIT_OK;
}

/*===----------------------------------------------------------------------===*\
|* Modules
\*===----------------------------------------------------------------------===*/

static void free_loaded(jit_device *device, jit_loaded *loaded) {
  if (loaded->kernels)
    device->cuda.cuModuleUnload(loaded->kernels);
  free(loaded->found);
  free(loaded->words);
  free(loaded->values);
  free(loaded->arguments);
  free(loaded->results);
  free(loaded->outputs);
  free(loaded->packed);
  *loaded = (jit_loaded){0};
}

void jit_undo_load(jit_module *module, jit_loaded *loaded, size_t taken) {
  jit_device *device = module->device;
  device->cuda.cuStreamSynchronize(device->current);
  free_loaded(device, loaded);
  while (device->memory_count > taken) {
    uint64_t address = device->memory[--device->memory_count];
    for (int32_t i = 0; i < module->package->blob_count; ++i)
      if (device->blobs[i] == address)
        device->blobs[i] = 0;
    device->cuda.cuMemFree(address);
  }
}

static void free_all(jit_module *module) {
  jit_device *device = module->device;
  /* What a call has started may still use it. */
  device->cuda.cuCtxSynchronize();
  for (int32_t i = 0; device->loaded && i < module->package->variant_count; ++i)
    free_loaded(device, &device->loaded[i]);
  for (size_t i = 0; i < device->memory_count; ++i)
    device->cuda.cuMemFree(device->memory[i]);
  if (device->stream)
    device->cuda.cuStreamDestroy(device->stream);
}

void jit_close_device(jit_module *module) {
  jit_device *device = module->device;
  if (!device)
    return;
  if (device->on.context) {
    if (jit_cuda_enter(&device->on, NULL) == JIT_OK) {
      free_all(module);
      jit_cuda_leave(&device->on);
    }
    jit_cuda_close(&device->on);
  }
  free(device->loaded);
  free(device->blobs);
  free(device->cells);
  free(device->memory);
  free(device);
  module->device = NULL;
}

static jit_status open_device(jit_module *module, jit_error *error) {
  jit_device *device = calloc(1, sizeof *device);
  if (!device)
    return jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for a device");
  module->device = device;
  device->error = error;
  device->blobs = calloc((size_t)module->package->blob_count + 1, sizeof *device->blobs);
  device->cells = calloc(2 * (size_t)module->package->cell_count + 1, sizeof *device->cells);
  device->loaded = calloc((size_t)module->package->variant_count + 1, sizeof *device->loaded);
  jit_status status =
      device->blobs && device->cells && device->loaded ? JIT_OK : jit_refuse_device_memory(device);
  if (status == JIT_OK)
    status = jit_find_cuda(&device->cuda, error);
  return status == JIT_OK ? jit_cuda_open(&device->on, &device->cuda, module->device_number, error)
                          : status;
}

jit_status jit_enter_device(jit_module *module, jit_error *error) {
  if (!module->device) {
    jit_status status = open_device(module, error);
    if (status != JIT_OK) {
      jit_close_device(module);
      return status;
    }
  }
  module->device->error = error;
  return jit_cuda_enter(&module->device->on, error);
}

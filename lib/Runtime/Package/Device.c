/*===- Device.c - variants that run on a GPU --------------------------------===*/
#include "Device.h"

#include <stdlib.h>
#include <string.h>

static jit_status refuse_memory(jit_device *device) {
  return jit_fail(device->error, JIT_LIMIT_EXCEEDED, "out of memory for a module on the device");
}

/*===----------------------------------------------------------------------===*\
|* Memory
\*===----------------------------------------------------------------------===*/

/* At least one byte; freed with the module. */
static jit_status take(jit_device *device, int64_t bytes, uint64_t *address) {
  uint64_t *grown = realloc(device->memory, (device->memory_count + 1) * sizeof *device->memory);
  if (!grown)
    return refuse_memory(device);
  device->memory = grown;
  jit_status status = jit_cuda_allocate(&device->on, bytes, address, device->error);
  if (status == JIT_OK)
    device->memory[device->memory_count++] = *address;
  return status;
}

static jit_status copy_in(jit_device *device, uint64_t to, const void *from, int64_t bytes) {
  return jit_cuda_copy_in(&device->on, to, from, bytes, device->stream, device->error);
}

static jit_status finish(jit_device *device) {
  return jit_cuda_finish(&device->on, device->stream, device->error);
}

/* Constant bytes, brought there once. */
static jit_status take_blob(jit_module *module, int32_t number, uint64_t *address) {
  jit_device *device = module->device;
  uint64_t *known = &device->blobs[number];
  jit_status status = JIT_OK;
  if (!*known) {
    int64_t bytes = module->package->blobs[number].bytes;
    uint64_t made = 0;
    status = take(device, bytes, &made);
    if (status == JIT_OK)
      status = copy_in(device, made, jit_blob_data(module, number), bytes);
    if (status == JIT_OK)
      *known = made;
  }
  *address = *known;
  return status;
}

/*===----------------------------------------------------------------------===*\
|* Variants
\*===----------------------------------------------------------------------===*/

/* The first of a variant's that this device runs. */
static jit_status choose_code(jit_device *device, const jit_variant *variant, jit_loaded *loaded) {
  int capability = 0;
  jit_status status = jit_cuda_capability(&device->on, &capability, device->error);
  if (status != JIT_OK)
    return status;
  for (int32_t i = 0; !loaded->code && i < variant->device_count; ++i) {
    const jit_device_code *code = &variant->device[i];
    if (code->is_of_it_alone ? capability == code->capability : capability >= code->capability)
      loaded->code = code;
  }
  if (loaded->code)
    return JIT_OK;
  const jit_device_code *last = &variant->device[variant->device_count - 1];
  return jit_fail(device->error, JIT_UNSUPPORTED,
                  "expected a GPU of compute capability %d.%d%s, got one of %d.%d",
                  last->capability / 10, last->capability % 10,
                  last->is_of_it_alone ? "" : " or later", capability / 10, capability % 10);
}

static jit_status load_kernels(jit_device *device, jit_loaded *loaded) {
  const jit_device_code *code = loaded->code;
  if (code->kernel_count == 0)
    return JIT_OK;
  jit_status status =
      jit_cuda_load(&device->on, code->cubin, code->ptx, &loaded->kernels, device->error);
  for (int32_t i = 0; status == JIT_OK && i < code->kernel_count; ++i)
    status = jit_cuda_find_kernel(&device->on, loaded->kernels, &code->kernels[i],
                                  &loaded->found[i], device->error);
  return status;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static jit_status allocate(jit_device *device, const jit_variant *variant, jit_loaded *loaded) {
  const jit_device_code *code = loaded->code;
  size_t words =
      (size_t)larger(larger(code->run.words, code->init.words),
                     variant->operand_count + variant->output_count + code->packed_count + 1);
  loaded->found = calloc((size_t)code->kernel_count + 1, sizeof *loaded->found);
  loaded->words = calloc(words, sizeof *loaded->words);
  loaded->values = calloc(words, sizeof *loaded->values);
  loaded->arguments = calloc((size_t)variant->operand_count + 1, sizeof *loaded->arguments);
  loaded->results = calloc((size_t)variant->output_count + 1, sizeof *loaded->results);
  loaded->packed = calloc((size_t)code->packed_count + 1, sizeof *loaded->packed);
  int is_done = loaded->found && loaded->words && loaded->values && loaded->arguments &&
                loaded->results && loaded->packed;
  return is_done ? JIT_OK : refuse_memory(device);
}

static void free_loaded(jit_device *device, jit_loaded *loaded) {
  if (loaded->kernels)
    device->cuda.cuModuleUnload(loaded->kernels);
  free(loaded->found);
  free(loaded->words);
  free(loaded->values);
  free(loaded->arguments);
  free(loaded->results);
  free(loaded->packed);
  *loaded = (jit_loaded){0};
}

/*===----------------------------------------------------------------------===*\
|* Plans
\*===----------------------------------------------------------------------===*/

/* A variant whose plan is run. */
typedef struct started {
  jit_device *device;
  const jit_loaded *loaded;
} started;

static jit_status launch(void *of, int64_t kernel, const uint64_t *arguments, int64_t count,
                         const jit_tensor_map *maps, int64_t map_count) {
  const started *s = of;
  return jit_cuda_launch(&s->device->on, &s->loaded->found[kernel],
                         &s->loaded->code->kernels[kernel], arguments, count, maps, map_count,
                         s->device->stream, s->device->error);
}

static jit_status copy(void *of, uint64_t to, uint64_t from, int64_t bytes) {
  jit_device *device = ((const started *)of)->device;
  return jit_cuda_copy(&device->on, to, from, bytes, device->stream, device->error);
}

static jit_status read_number(void *of, void *to, uint64_t from, int64_t bytes) {
  jit_device *device = ((const started *)of)->device;
  jit_status status =
      jit_cuda_copy_out(&device->on, to, from, bytes, device->stream, device->error);
  return status == JIT_OK ? finish(device) : status;
}

static jit_status raise(void *of, const jit_call *call) {
  return jit_fail_raised(((const started *)of)->device->error, call);
}

/* With the words of a variant. A guard that fails is JIT_RAISED. */
static jit_status run_plan(jit_device *device, jit_loaded *loaded, const jit_plan *plan) {
  /* Plans of packages have no sizes that a call tells, and no library's work. */
  static const jit_plan_actions actions = {
      .launch = launch, .copy = copy, .read = read_number, .raise = raise};
  started on = {device, loaded};
  jit_plan_call call = {&actions,       &on,          loaded->code->texts, loaded->words,
                        loaded->values, device->error};
  return jit_run_plan(plan, &call);
}

/*===----------------------------------------------------------------------===*\
|* Loading
\*===----------------------------------------------------------------------===*/

/* Fills the packed buffers: words are the weights, these and an arena. */
static jit_status initialize(jit_device *device, const jit_variant *variant, jit_loaded *loaded) {
  const jit_device_code *code = loaded->code;
  if (code->init.length == 0)
    return JIT_OK;
  uint64_t *word = loaded->words;
  for (int32_t i = 0; i < variant->operand_count; ++i)
    if (variant->operands[i].from.place == JIT_PLACE_BLOB)
      *word++ = loaded->arguments[i];
  for (int32_t i = 0; i < code->packed_count; ++i)
    *word++ = loaded->packed[i];
  jit_status status = take(device, code->init_arena_bytes, word);
  if (status == JIT_OK)
    status = run_plan(device, loaded, &code->init);
  return status == JIT_OK ? finish(device) : status;
}

static jit_status take_buffers(jit_module *module, const jit_variant *variant, jit_loaded *loaded) {
  jit_device *device = module->device;
  const jit_device_code *code = loaded->code;
  jit_status status = take(device, code->arena_bytes, &loaded->arena);
  for (int32_t i = 0; status == JIT_OK && i < variant->operand_count; ++i) {
    const jit_operand *operand = &variant->operands[i];
    if (operand->from.place == JIT_PLACE_BLOB)
      status = take_blob(module, operand->from.index, &loaded->arguments[i]);
    else if (operand->number == JIT_KIND_NONE)
      status = take(device, operand->bytes, &loaded->arguments[i]);
  }
  for (int32_t i = 0; status == JIT_OK && i < variant->output_count; ++i)
    status = take(device, variant->outputs[i].bytes, &loaded->results[i]);
  for (int32_t i = 0; status == JIT_OK && i < code->packed_count; ++i)
    status = take(device, code->packed_bytes[i], &loaded->packed[i]);
  return status;
}

static jit_status load(jit_module *module, const jit_variant *variant, jit_loaded *loaded) {
  if (loaded->is_ready)
    return JIT_OK;
  jit_device *device = module->device;
  jit_status status = choose_code(device, variant, loaded);
  if (status == JIT_OK)
    status = allocate(device, variant, loaded);
  if (status == JIT_OK)
    status = load_kernels(device, loaded);
  if (status == JIT_OK)
    status = take_buffers(module, variant, loaded);
  if (status == JIT_OK)
    status = initialize(device, variant, loaded);
  loaded->is_ready = status == JIT_OK;
  return status;
}

/*===----------------------------------------------------------------------===*\
|* Modules
\*===----------------------------------------------------------------------===*/

static void free_all(jit_module *module) {
  jit_device *device = module->device;
  /* What a call has started may still use it. */
  if (device->stream)
    device->cuda.cuStreamSynchronize(device->stream);
  for (int32_t i = 0; device->loaded && i < module->package->variant_count; ++i)
    free_loaded(device, &device->loaded[i]);
  for (size_t i = 0; i < device->memory_count; ++i)
    device->cuda.cuMemFree(device->memory[i]);
  if (device->stream)
    device->cuda.cuStreamDestroy(device->stream);
}

static void close_device(jit_module *module) {
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
  device->loaded = calloc((size_t)module->package->variant_count + 1, sizeof *device->loaded);
  jit_status status = device->blobs && device->loaded ? JIT_OK : refuse_memory(device);
  if (status == JIT_OK)
    status = jit_find_cuda(&device->cuda, error);
  return status == JIT_OK ? jit_cuda_open(&device->on, &device->cuda, module->device_number, error)
                          : status;
}

static jit_status open_stream(jit_device *device) {
  if (device->stream)
    return JIT_OK;
  return jit_cuda_create_stream(&device->on, &device->stream, device->error);
}

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

static uint64_t word_of(const jit_operand *operand, const void *number) {
  uint64_t word;
  if (operand->number == JIT_KIND_BOOL)
    return *(const uint8_t *)number;
  memcpy(&word, number, sizeof word);
  return word;
}

static jit_status bring_arguments(run *r, jit_loaded *loaded) {
  const jit_variant *variant = r->variant;
  uint64_t *word = loaded->words;
  jit_status status = JIT_OK;
  for (int32_t i = 0; status == JIT_OK && i < variant->operand_count; ++i, ++word) {
    const jit_operand *operand = &variant->operands[i];
    const void *given = r->scratch->pointers[i];
    *word = loaded->arguments[i];
    if (operand->number != JIT_KIND_NONE)
      *word = word_of(operand, given);
    else if (operand->from.place == JIT_PLACE_ARGUMENT || operand->from.place == JIT_PLACE_CELL)
      status = copy_in(r->module->device, *word, given, operand->bytes);
  }
  for (int32_t i = 0; i < variant->output_count; ++i)
    *word++ = loaded->results[i];
  for (int32_t i = 0; i < loaded->code->packed_count; ++i)
    *word++ = loaded->packed[i];
  *word = loaded->arena;
  return status;
}

static jit_status fetch_results(run *r, const jit_loaded *loaded) {
  jit_device *device = r->module->device;
  jit_status status = JIT_OK;
  for (int32_t i = 0; status == JIT_OK && i < r->variant->output_count; ++i) {
    const jit_made *made = &r->scratch->made[i];
    status = jit_cuda_copy_out(&device->on, made->data, loaded->results[i], made->bytes,
                               device->stream, device->error);
  }
  return status;
}

/* In the module's context. */
static jit_status call_inside(run *r) {
  jit_device *device = r->module->device;
  jit_loaded *loaded = &device->loaded[r->variant - r->module->package->variants];
  jit_status status = open_stream(device);
  if (status == JIT_OK)
    status = load(r->module, r->variant, loaded);
  if (status != JIT_OK)
    return status;
  status = bring_arguments(r, loaded);
  if (status == JIT_OK)
    status = run_plan(device, loaded, &loaded->code->run);
  if (status == JIT_OK)
    status = fetch_results(r, loaded);
  /* After an error kernels may still be at work on the call's memory. */
  if (status != JIT_OK)
    device->cuda.cuStreamSynchronize(device->stream);
  return status == JIT_OK ? finish(device) : status;
}

static jit_status call_device(run *r) {
  jit_status status = r->module->device ? JIT_OK : open_device(r->module, r->error);
  jit_device *device = r->module->device;
  if (status == JIT_OK) {
    device->error = r->error;
    status = jit_cuda_enter(&device->on, device->error);
  }
  int is_ready = 0;
  if (status == JIT_OK) {
    status = call_inside(r);
    is_ready = device->loaded[r->variant - r->module->package->variants].is_ready;
    jit_cuda_leave(&device->on);
  }
  /* Where it did not come to the call, the next one starts anew. */
  if (!is_ready)
    close_device(r->module);
  return status;
}

static jit_status run_on_device(run *r) {
  pthread_mutex_lock(&r->module->device_lock);
  jit_status status = call_device(r);
  pthread_mutex_unlock(&r->module->device_lock);
  return status;
}

/* What packages for a GPU refer to, so that those for a CPU hold none of it. */
const jit_device_functions jit_cuda_functions = {run_on_device, close_device};

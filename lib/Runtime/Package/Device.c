/*===- Device.c - variants that run on a GPU --------------------------------===*/
#include "Device.h"

#include <stdlib.h>
#include <string.h>

/*===----------------------------------------------------------------------===*\
|* Variants
\*===----------------------------------------------------------------------===*/

/* The first of a variant's that this device runs. */
static jit_status choose_code(jit_device *device, const jit_variant *variant, jit_loaded *loaded) {
  int capability = 0;
  jit_status status =
      jit_cuda_capability(&device->cuda, device->on.number, &capability, device->error);
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
  loaded->outputs = calloc((size_t)variant->output_count + 1, sizeof *loaded->outputs);
  loaded->packed = calloc((size_t)code->packed_count + 1, sizeof *loaded->packed);
  int is_done = loaded->found && loaded->words && loaded->values && loaded->arguments &&
                loaded->results && loaded->outputs && loaded->packed;
  return is_done ? JIT_OK : jit_refuse_device_memory(device);
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
                         s->device->current, s->device->error);
}

static jit_status copy(void *of, uint64_t to, uint64_t from, int64_t bytes) {
  jit_device *device = ((const started *)of)->device;
  return jit_cuda_copy(&device->on, to, from, bytes, device->current, device->error);
}

static jit_status read_number(void *of, void *to, uint64_t from, int64_t bytes) {
  jit_device *device = ((const started *)of)->device;
  jit_status status =
      jit_cuda_copy_out(&device->on, to, from, bytes, device->current, device->error);
  return status == JIT_OK ? jit_finish(device) : status;
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
  jit_status status = jit_take(device, code->init_arena_bytes, word);
  if (status == JIT_OK)
    status = run_plan(device, loaded, &code->init);
  return status == JIT_OK ? jit_finish(device) : status;
}

static jit_status take_buffers(jit_module *module, const jit_variant *variant, jit_loaded *loaded) {
  jit_device *device = module->device;
  const jit_device_code *code = loaded->code;
  jit_status status = jit_take(device, code->arena_bytes, &loaded->arena);
  for (int32_t i = 0; status == JIT_OK && i < variant->operand_count; ++i) {
    const jit_operand *operand = &variant->operands[i];
    if (operand->from.place == JIT_PLACE_BLOB)
      status = jit_take_blob(module, operand->from.index, &loaded->arguments[i]);
    else if (operand->number == JIT_KIND_NONE)
      status = jit_take(device, operand->bytes, &loaded->arguments[i]);
  }
  for (int32_t i = 0; status == JIT_OK && i < variant->output_count; ++i)
    status = jit_take(device, variant->outputs[i].bytes, &loaded->results[i]);
  for (int32_t i = 0; status == JIT_OK && i < code->packed_count; ++i)
    status = jit_take(device, code->packed_bytes[i], &loaded->packed[i]);
  return status;
}

static jit_status load(jit_module *module, const jit_variant *variant, jit_loaded *loaded) {
  if (loaded->is_ready)
    return JIT_OK;
  jit_device *device = module->device;
  size_t before = device->memory_count;
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
  /* The next call starts anew. */
  if (status != JIT_OK)
    jit_undo_load(module, loaded, before);
  return status;
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

static uint64_t address_of(const void *data) { return (uint64_t)(uintptr_t)data; }

/* Kernels read and write 16 bytes at once. */
static int is_usable(uint64_t address) { return address % 16 == 0; }

/* The caller's memory where kernels can use it as it is, else a copy. */
static jit_status bring_argument(run *r, const void *given, int64_t bytes, uint64_t *word) {
  jit_device *device = r->module->device;
  int is_there = 0;
  jit_status status = r->options ? jit_cuda_holds(&device->on, given, &is_there, r->error) : JIT_OK;
  if (status != JIT_OK)
    return status;
  if (is_there && is_usable(address_of(given)))
    *word = address_of(given);
  else if (is_there)
    status =
        jit_cuda_copy(&device->on, *word, address_of(given), bytes, device->current, device->error);
  else
    status = jit_cuda_copy_in(&device->on, *word, given, bytes, device->current, device->error);
  return status;
}

static jit_status bring_operand(run *r, const jit_loaded *loaded, int32_t i, uint64_t *word) {
  const jit_operand *operand = &r->variant->operands[i];
  const void *given = r->scratch->pointers[i];
  *word = loaded->arguments[i];
  if (operand->number != JIT_KIND_NONE)
    *word = word_of(operand, given);
  else if (operand->from.place == JIT_PLACE_CELL)
    return jit_bring_cell(r->module, jit_present_side(r->module, operand->from.index), word);
  else if (operand->from.place == JIT_PLACE_ARGUMENT)
    return bring_argument(r, given, operand->bytes, word);
  return JIT_OK;
}

/* Where kernels write it: at once where it is to be, if that is on the device. */
static jit_status place_output(run *r, const jit_loaded *loaded, int32_t i, uint64_t *word) {
  const jit_output *output = &r->variant->outputs[i];
  const void *given = r->scratch->made[i].data;
  *word = loaded->results[i];
  if (output->type.kind != JIT_KIND_TENSOR)
    return JIT_OK;
  if (output->to.place == JIT_PLACE_CELL)
    return jit_take_cell(r->module, jit_spare_side(r->module, output->to.index), word);
  int is_there = 0;
  jit_status status = JIT_OK;
  if (r->options && output->to.place == JIT_PLACE_RESULT)
    status = jit_cuda_holds(&r->module->device->on, given, &is_there, r->error);
  if (is_there && is_usable(address_of(given)))
    *word = address_of(given);
  return status;
}

static jit_status fill_words(run *r, jit_loaded *loaded) {
  const jit_variant *variant = r->variant;
  uint64_t *word = loaded->words;
  jit_status status = JIT_OK;
  for (int32_t i = 0; status == JIT_OK && i < variant->operand_count; ++i)
    status = bring_operand(r, loaded, i, word++);
  for (int32_t i = 0; status == JIT_OK && i < variant->output_count; ++i) {
    status = place_output(r, loaded, i, &loaded->outputs[i]);
    *word++ = loaded->outputs[i];
  }
  for (int32_t i = 0; status == JIT_OK && i < loaded->code->packed_count; ++i)
    *word++ = loaded->packed[i];
  if (status == JIT_OK)
    *word = loaded->arena;
  return status;
}

/* To memory of the host's or the device's. The host's may be read when the call returns. */
static jit_status send(run *r, void *to, uint64_t from, int64_t bytes) {
  jit_device *device = r->module->device;
  int is_there = 0;
  if (address_of(to) == from)
    return JIT_OK;
  jit_status status = r->options ? jit_cuda_holds(&device->on, to, &is_there, r->error) : JIT_OK;
  if (status != JIT_OK)
    return status;
  if (is_there)
    return jit_cuda_copy(&device->on, address_of(to), from, bytes, device->current, device->error);
  device->is_awaited = 1;
  return jit_cuda_copy_out(&device->on, to, from, bytes, device->current, device->error);
}

/* An argument that the program writes, in a stream; else the host's own code delivers it. */
static jit_status send_argument(run *r, const jit_location *to, uint64_t from, int64_t bytes) {
  const jit_pattern *pattern = jit_follow_pattern(r->variant, to);
  if (pattern->part)
    return jit_fail(r->error, JIT_UNSUPPORTED,
                    "argument %d: expected memory of its own where a call in a stream writes it, "
                    "got a part of one that arguments share",
                    to->path[0]);
  return send(r, jit_follow(r->arguments, to)->as.tensor.data, from, bytes);
}

static jit_status send_output(run *r, const jit_location *to, int32_t output, uint64_t from) {
  const jit_made *made = &r->scratch->made[output];
  int is_tensor = r->variant->outputs[output].type.kind == JIT_KIND_TENSOR;
  if (is_tensor && to->place == JIT_PLACE_CELL)
    return jit_set_cell(r->module, jit_spare_side(r->module, to->index), from, made->bytes);
  if (r->options && to->place == JIT_PLACE_ARGUMENT)
    return send_argument(r, to, from, made->bytes);
  /* What is there for copies of it alone. */
  if (r->options && is_tensor && to->place == JIT_PLACE_SCRATCH)
    return JIT_OK;
  return send(r, made->data, from, made->bytes);
}

static jit_status refuse_change(run *r, const jit_copy *copy) {
  return jit_fail(r->error, JIT_UNSUPPORTED,
                  "argument %d: expected a program that leaves it its sizes in a call in a stream, "
                  "got one that changes them in place",
                  copy->to.path[0]);
}

static jit_status send_copy(run *r, const jit_loaded *loaded, const jit_copy *copy) {
  if (copy->to.place == JIT_PLACE_ARGUMENT && !r->options)
    return JIT_OK;
  /* What is tested has been sent to the host. */
  jit_status status = copy->test_count > 0 ? jit_finish(r->module->device) : JIT_OK;
  if (status != JIT_OK || !jit_hold(r, copy->tests, copy->test_count))
    return status;
  if (copy->becomes)
    return refuse_change(r, copy);
  return send_output(r, &copy->to, copy->output, loaded->outputs[copy->output]);
}

static jit_status send_results(run *r, const jit_loaded *loaded) {
  const jit_variant *variant = r->variant;
  jit_status status = JIT_OK;
  for (int32_t i = 0; status == JIT_OK && i < variant->output_count; ++i)
    status = send_output(r, &variant->outputs[i].to, i, loaded->outputs[i]);
  for (int32_t i = 0; status == JIT_OK && i < variant->copy_count; ++i)
    status = send_copy(r, loaded, &variant->copies[i]);
  return status;
}

/* Before anything has changed. What data choose is known when the kernels have run. */
static jit_status check_changes(run *r) {
  const jit_variant *variant = r->variant;
  for (int32_t i = 0; r->options && i < variant->copy_count; ++i)
    if (variant->copies[i].becomes && variant->copies[i].test_count == 0)
      return refuse_change(r, &variant->copies[i]);
  return JIT_OK;
}

/* In the module's context. */
static jit_status call_inside(run *r) {
  jit_device *device = r->module->device;
  jit_loaded *loaded = &device->loaded[r->variant - r->module->package->variants];
  jit_status status = check_changes(r);
  if (status == JIT_OK)
    status = jit_choose_stream(device, r->options);
  if (status == JIT_OK)
    status = load(r->module, r->variant, loaded);
  if (status != JIT_OK)
    return status;
  device->is_awaited = !r->options;
  status = fill_words(r, loaded);
  if (status == JIT_OK)
    status = run_plan(device, loaded, &loaded->code->run);
  if (status == JIT_OK)
    status = send_results(r, loaded);
  /* After an error kernels may still be at work on the call's memory. */
  if (status != JIT_OK)
    device->cuda.cuStreamSynchronize(device->current);
  if (status != JIT_OK || !device->is_awaited)
    return status;
  device->is_busy = 0;
  return jit_finish(device);
}

static jit_status run_on_device(run *r) {
  pthread_mutex_lock(&r->module->device_lock);
  jit_status status = jit_enter_device(r->module, r->error);
  if (status == JIT_OK) {
    status = call_inside(r);
    jit_cuda_leave(&r->module->device->on);
  }
  pthread_mutex_unlock(&r->module->device_lock);
  return status;
}

/* What packages for a GPU refer to, so that those for a CPU hold none of it. */
const jit_device_functions jit_cuda_functions = {run_on_device, jit_close_device, jit_fetch_cell};

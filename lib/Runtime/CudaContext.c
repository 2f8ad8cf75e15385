/*===- CudaContext.c - a CUDA device's memory, kernels and work -------------===*/
#include "CudaContext.h"

#include "Failure.h"

#include <stdio.h>
#include <string.h>

/* The most arguments of a kernel, by the bytes that CUDA has for them; of these, maps of tensors.
 */
enum { most_arguments = 512, most_maps = 8 };

/* What should work on a device that is there. */
static jit_status check_work(const jit_cuda_device *device, int result, const char *expected,
                             jit_error *error) {
  return jit_check_cuda(device->cuda, result, expected, JIT_INTERNAL, error);
}

/* What a device may not have. */
static jit_status check_offer(const jit_cuda_device *device, int result, const char *expected,
                              jit_error *error) {
  return jit_check_cuda(device->cuda, result, expected, JIT_UNSUPPORTED, error);
}

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

jit_status jit_cuda_open(jit_cuda_device *device, const jit_cuda *cuda, int number,
                         jit_error *error) {
  *device = (jit_cuda_device){.cuda = cuda};
  char expected[64];
  snprintf(expected, sizeof expected, "a CUDA device of number %d", number);
  jit_status status =
      check_offer(device, cuda->cuDeviceGet(&device->number, number), expected, error);
  if (status != JIT_OK)
    return status;
  return check_offer(device, cuda->cuDevicePrimaryCtxRetain(&device->context, device->number),
                     "a context of the CUDA device", error);
}

jit_status jit_cuda_capability(const jit_cuda *cuda, int number, int *capability,
                               jit_error *error) {
  /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR, by the driver's numbers. */
  int major = 0, minor = 0;
  int result = cuda->cuDeviceGetAttribute(&major, 75, number);
  if (result == 0)
    result = cuda->cuDeviceGetAttribute(&minor, 76, number);
  *capability = 10 * major + minor;
  return jit_check_cuda(cuda, result, "to know what a device is capable of", JIT_INTERNAL, error);
}

void jit_cuda_close(const jit_cuda_device *device) {
  device->cuda->cuDevicePrimaryCtxRelease(device->number);
}

jit_status jit_cuda_enter(const jit_cuda_device *device, jit_error *error) {
  return check_work(device, device->cuda->cuCtxPushCurrent(device->context), "a context to work in",
                    error);
}

void jit_cuda_leave(const jit_cuda_device *device) {
  jit_cuda_context popped = NULL;
  device->cuda->cuCtxPopCurrent(&popped);
}

/*===----------------------------------------------------------------------===*\
|* Memory and streams
\*===----------------------------------------------------------------------===*/

jit_status jit_cuda_allocate(const jit_cuda_device *device, int64_t bytes, uint64_t *address,
                             jit_error *error) {
  int result = device->cuda->cuMemAlloc(address, (size_t)(bytes ? bytes : 1));
  if (result == 0)
    return JIT_OK;
  char expected[64];
  snprintf(expected, sizeof expected, "memory of %lld bytes on the device", (long long)bytes);
  return check_offer(device, result, expected, error);
}

jit_status jit_cuda_holds(const jit_cuda_device *device, const void *data, int *holds,
                          jit_error *error) {
  /* CU_POINTER_ATTRIBUTE_MEMORY_TYPE and _DEVICE_ORDINAL, and CU_MEMORYTYPE_DEVICE, by the driver's
     numbers. Memory that it does not know is the host's. */
  unsigned kind = 0;
  int number = device->number;
  uint64_t address = (uint64_t)(uintptr_t)data;
  *holds = device->cuda->cuPointerGetAttribute(&kind, 2, address) == 0 && kind == 2;
  if (*holds && device->cuda->cuPointerGetAttribute(&number, 9, address) == 0 &&
      number != device->number)
    return jit_fail(error, JIT_INVALID_ARGUMENT,
                    "expected memory of the host or of CUDA device %d, got memory of device %d",
                    device->number, number);
  return JIT_OK;
}

jit_status jit_cuda_check_stream(const jit_cuda_device *device, jit_cuda_stream stream,
                                 jit_error *error) {
  jit_cuda_context context = NULL;
  jit_status status = jit_check_cuda(device->cuda, device->cuda->cuStreamGetCtx(stream, &context),
                                     "a stream of the driver's", JIT_INVALID_ARGUMENT, error);
  if (status == JIT_OK && context != device->context)
    return jit_fail(error, JIT_INVALID_ARGUMENT,
                    "expected a stream of CUDA device %d, got one of another device or context",
                    device->number);
  return status;
}

jit_status jit_cuda_create_stream(const jit_cuda_device *device, jit_cuda_stream *stream,
                                  jit_error *error) {
  /* CU_STREAM_NON_BLOCKING: no waiting for what others do. */
  return check_offer(device, device->cuda->cuStreamCreate(stream, 1), "to make a stream", error);
}

jit_status jit_cuda_copy_in(const jit_cuda_device *device, uint64_t to, const void *from,
                            int64_t bytes, jit_cuda_stream stream, jit_error *error) {
  if (bytes == 0)
    return JIT_OK;
  return check_work(device, device->cuda->cuMemcpyHtoDAsync(to, from, (size_t)bytes, stream),
                    "to copy to the device", error);
}

jit_status jit_cuda_copy_out(const jit_cuda_device *device, void *to, uint64_t from, int64_t bytes,
                             jit_cuda_stream stream, jit_error *error) {
  if (bytes == 0)
    return JIT_OK;
  return check_work(device, device->cuda->cuMemcpyDtoHAsync(to, from, (size_t)bytes, stream),
                    "to copy from the device", error);
}

jit_status jit_cuda_copy(const jit_cuda_device *device, uint64_t to, uint64_t from, int64_t bytes,
                         jit_cuda_stream stream, jit_error *error) {
  if (bytes == 0)
    return JIT_OK;
  return check_work(device, device->cuda->cuMemcpyDtoDAsync(to, from, (size_t)bytes, stream),
                    "to copy on the device", error);
}

jit_status jit_cuda_finish(const jit_cuda_device *device, jit_cuda_stream stream,
                           jit_error *error) {
  return check_work(device, device->cuda->cuStreamSynchronize(stream), "kernels that end well",
                    error);
}

/*===----------------------------------------------------------------------===*\
|* Kernels
\*===----------------------------------------------------------------------===*/

static jit_status load_image(const jit_cuda_device *device, const char *image,
                             jit_cuda_module *module, jit_error *error) {
  char log[1024] = {0};
  /* CU_JIT_ERROR_LOG_BUFFER and its size, by the driver's numbers. */
  int options[] = {5, 6};
  void *values[] = {log, (void *)(sizeof log - 1)};
  jit_status status =
      check_offer(device, device->cuda->cuModuleLoadDataEx(module, image, 2, options, values),
                  "kernels that the driver takes", error);
  if (status != JIT_OK && error && log[0]) {
    jit_text text = {error->message, sizeof error->message, strlen(error->message)};
    jit_append(&text, "\n%s", log);
  }
  return status;
}

jit_status jit_cuda_load(const jit_cuda_device *device, const char *cubin, const char *ptx,
                         jit_cuda_module *module, jit_error *error) {
  int has_cubin = cubin && *cubin, has_ptx = ptx && *ptx;
  jit_status status = JIT_OK;
  *module = NULL;
  if (has_cubin)
    status = load_image(device, cubin, module, error);
  if (has_ptx && (!has_cubin || status != JIT_OK))
    status = load_image(device, ptx, module, error);
  return status;
}

static jit_status count_blocks(const jit_cuda_device *device, const jit_kernel *kernel,
                               jit_cuda_kernel *found, jit_error *error) {
  found->blocks = kernel->grid[0];
  if (!kernel->is_cooperative)
    return JIT_OK;
  /* CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT and _COOPERATIVE_LAUNCH, by the driver's numbers. */
  enum { multiprocessor_count = 16, cooperative_launch = 95 };
  const jit_cuda *cuda = device->cuda;
  int allowed = 0, multiprocessors = 0, each = 0;
  int result = cuda->cuDeviceGetAttribute(&allowed, cooperative_launch, device->number);
  if (result == 0)
    result = cuda->cuDeviceGetAttribute(&multiprocessors, multiprocessor_count, device->number);
  if (result == 0)
    result = cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &each, found->function, (int)kernel->block[0], kernel->shared_bytes);
  jit_status status = check_work(device, result, "to know how many blocks have room", error);
  if (status != JIT_OK)
    return status;
  unsigned most = (unsigned)each * (unsigned)multiprocessors;
  if (!allowed || most == 0)
    return jit_fail(
        error, JIT_UNSUPPORTED, "expected a device that runs blocks of %s side by side, got one %s",
        kernel->name, allowed ? "without room for any" : "without cooperative launches");
  if (most < found->blocks)
    found->blocks = most;
  return JIT_OK;
}

static jit_status share_memory(const jit_cuda_device *device, jit_cuda_function function,
                               const jit_kernel *kernel, jit_error *error) {
  if (kernel->shared_bytes == 0)
    return JIT_OK;
  /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, by the driver's number. */
  int bytes = (int)kernel->shared_bytes;
  char expected[64];
  snprintf(expected, sizeof expected, "%d bytes that a block's threads share", bytes);
  return check_offer(device, device->cuda->cuFuncSetAttribute(function, 8, bytes), expected, error);
}

jit_status jit_cuda_find_kernel(const jit_cuda_device *device, jit_cuda_module module,
                                const jit_kernel *kernel, jit_cuda_kernel *found,
                                jit_error *error) {
  char expected[256];
  snprintf(expected, sizeof expected, "a kernel called %s", kernel->name);
  jit_status status =
      check_work(device, device->cuda->cuModuleGetFunction(&found->function, module, kernel->name),
                 expected, error);
  if (status == JIT_OK)
    status = share_memory(device, found->function, kernel, error);
  return status == JIT_OK ? count_blocks(device, kernel, found, error) : status;
}

static jit_status encode(const jit_cuda_device *device, const jit_tensor_map *map, uint64_t address,
                         jit_cuda_map *encoded, jit_error *error) {
  if (!device->cuda->cuTensorMapEncodeTiled)
    return jit_fail(error, JIT_UNSUPPORTED,
                    "expected a CUDA driver with cuTensorMapEncodeTiled, got an older one");
  uint64_t sizes[3], strides[2];
  uint32_t box[3], steps[3] = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    sizes[i] = (uint64_t)map->sizes[i];
    box[i] = (uint32_t)map->box[i];
  }
  for (int i = 0; i < 2; ++i)
    strides[i] = (uint64_t)map->strides[i];
  /* CU_TENSOR_MAP_DATA_TYPE_FLOAT16 and _BFLOAT16, CU_TENSOR_MAP_INTERLEAVE_NONE,
     CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B and
     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, by the driver's numbers. */
  enum { half = 6, bfloat16 = 9, no_interleaving = 0, swizzle = 3, promotion = 3, zeros = 0 };
  return check_work(
      device,
      device->cuda->cuTensorMapEncodeTiled(encoded, map->dtype == JIT_F16 ? half : bfloat16,
                                           /*rank=*/3, (void *)(uintptr_t)address, sizes, strides,
                                           box, steps, no_interleaving, swizzle, promotion, zeros),
      "a map of a kernel's argument", error);
}

jit_status jit_cuda_launch(const jit_cuda_device *device, const jit_cuda_kernel *found,
                           const jit_kernel *kernel, const uint64_t *arguments, int64_t count,
                           const jit_tensor_map *maps, int64_t map_count, jit_cuda_stream stream,
                           jit_error *error) {
  if (count > most_arguments || map_count > most_maps)
    return jit_fail(error, JIT_UNSUPPORTED,
                    "expected kernels of at most %d arguments and %d maps, got one of %lld and "
                    "%lld",
                    most_arguments, most_maps, (long long)count, (long long)map_count);
  /* The driver reads as many bytes of each word as the parameter has: the lowest ones. */
  void *pointers[most_arguments];
  for (int64_t i = 0; i < count; ++i)
    pointers[i] = (void *)&arguments[i];
  jit_cuda_map encoded[most_maps];
  for (int64_t i = 0; i < map_count; ++i) {
    jit_status status = encode(device, &maps[i], arguments[maps[i].argument], &encoded[i], error);
    if (status != JIT_OK)
      return status;
    pointers[maps[i].argument] = &encoded[i];
  }
  const uint32_t *grid = kernel->grid, *block = kernel->block;
  int result = kernel->is_cooperative
                   ? device->cuda->cuLaunchCooperativeKernel(
                         found->function, found->blocks, grid[1], grid[2], block[0], block[1],
                         block[2], kernel->shared_bytes, stream, pointers)
                   : device->cuda->cuLaunchKernel(found->function, found->blocks, grid[1], grid[2],
                                                  block[0], block[1], block[2],
                                                  kernel->shared_bytes, stream, pointers, NULL);
  return check_work(device, result, "a kernel that starts", error);
}

/*===- Module.h - an instance of a package, and what its files share -*- C -*-===*\
|*
|* This folder is linked into every artifact of jit-compile, which may need libc and libm alone.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_MODULE_H
#define JIT_LIB_RUNTIME_PACKAGE_MODULE_H

#include "../Buffers.h"
#include "../Failure.h"
#include "../Memory.h"
#include "../Pool.h"
#include "../Sizes.h"
#include "../Strides.h"
#include "jit-c/Artifact.h"
#include "jit/Runtime/Package.h"

#include <pthread.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* A flat result of the call at hand. */
typedef struct jit_made {
  void *data;
  const int64_t *sizes;
  int64_t bytes;
  int is_new; /* whose memory is nobody's yet */
} jit_made;

/* What one call needs: the pointers that its entry takes, and an arena. Kept for later calls. */
typedef struct jit_scratch {
  struct jit_scratch *next;
  const jit_variant *prepared; /* whose constant pointers are filled in */
  void **pointers;
  jit_made *made;
  int64_t *open_sizes;
  char *arena;
  jit_pieces pieces;
  jit_pieces rows; /* copies of operands that are not row-major, by their numbers */
} jit_scratch;

/* Where a side of a cell is: in either memory, or in both. */
enum { JIT_ON_HOST = 1, JIT_IS_THERE = 2 };

struct jit_module {
  const jit_package *package;
  jit_pool *pool; /* NULL: serial */
  void *weights;  /* the file, mapped or read; NULL: none */
  int maps_weights;
  int32_t *kinds;        /* of each slot */
  char **cells;          /* two buffers for each, its sides */
  unsigned char *places; /* of each side: whether the host's buffer has it, and the device's */
  unsigned char *current;
  pthread_rwlock_t state_lock;
  pthread_mutex_t scratch_lock;
  jit_scratch *idle;
  size_t pointer_count, output_count, open_count; /* the most that a variant has */
  struct jit_device *device; /* NULL until the first call of a variant on one */
  int device_number;
  pthread_mutex_t device_lock;
};

/* What runs variants on a device. */
struct run;
typedef struct jit_device_functions {
  /* With results placed: arguments there, results back. */
  jit_status (*run)(struct run *call);
  void (*close)(jit_module *module);
  /* So that the host's buffer has what the cell holds. */
  jit_status (*fetch)(jit_module *module, int32_t cell, jit_error *error);
} jit_device_functions;

/* The side of a cell that holds the state, and the one for what a call sets it to. */
int32_t jit_present_side(const jit_module *module, int32_t cell);
int32_t jit_spare_side(const jit_module *module, int32_t cell);

/* "f32[1,512]", "none", "(16000, true)": in the grammar of jit-compile. */
void jit_append_pattern(jit_text *text, const jit_pattern *pattern);
void jit_append_value(jit_text *text, const jit_value *value);

/* The variant that a call is for, under the state's lock, or an error that says why none is. */
jit_status jit_find_variant(const jit_module *module, const jit_method *method,
                            const jit_value *arguments, size_t count, const jit_variant **variant,
                            jit_error *error);
const jit_method *jit_find_method(const jit_package *package, const char *name, jit_error *error);
/* The value at a path into arguments that fit the variant, and what it has to be. */
const jit_value *jit_follow(const jit_value *arguments, const jit_location *location);
const jit_pattern *jit_follow_pattern(const jit_variant *variant, const jit_location *location);

/* Beside this code, of jit-compile's making. */
extern const jit_package jit_packages[];
extern const int32_t jit_package_count;

/* What a CPU has. */
typedef struct jit_cpu {
  void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]);
  /* XCR0: the registers that the system saves. A feature of the CPU alone is of no use. */
  uint32_t saved_state;
} jit_cpu;

jit_cpu jit_this_cpu(void);
/* The first package that a CPU can run; JIT_UNSUPPORTED where it lacks what all of them need. */
jit_status jit_choose_package(const jit_cpu *cpu, const jit_package *packages, int32_t count,
                              const jit_package **package, jit_error *error);

/* Maps the file of the weights, where they are outside; reads it where a stranger may change it. */
jit_status jit_map_weights(jit_module *module, const char *path, jit_error *error);
void jit_unmap_weights(jit_module *module);
const void *jit_blob_data(const jit_module *module, int32_t blob);

/* NOLINTEND(readability-identifier-naming) */

#endif /* JIT_LIB_RUNTIME_PACKAGE_MODULE_H */

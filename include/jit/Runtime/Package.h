/*===- Package.h - what the code of an artifact is told about it ---*- C -*-===*\
|*
|* jit-compile writes a jit_package for each CPU as constants beside the machine code, which
|* lib/Runtime/Package reads: jit_packages, those that ask most of a CPU first. Their methods, slots
|* and blobs are the same, their code and what it packs are not. Both are of one build, so that
nothing here has a version.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_RUNTIME_PACKAGE_H
#define JIT_RUNTIME_PACKAGE_H

#include "jit/Runtime/Call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* Of a size that a call tells. Below it: -2 - k is the variant's size number k, which is at least 2
   and the same wherever it stands. */
enum { JIT_OPEN_SIZE = -1 };
/* The most numbered sizes of a variant, and the most memories that its arguments share. */
#define JIT_MAX_OPEN_SIZES 32
#define JIT_MAX_MEMORIES 32
/* A stride that may be any. */
#define JIT_OPEN_STRIDE INT64_MIN

/* The memory that a tensor and other arguments are parts of. An operand from there is all of it,
   and what is written there goes to all parts. */
typedef struct jit_part {
  int64_t memory; /* below JIT_MAX_MEMORIES */
  int64_t offset; /* the place of the tensor's first element */
  int64_t extent; /* its elements: from the first to the last that a part has */
} jit_part;

/* What a value has to be. Kinds are those of jit_kind; a number that may be any is `open`. */
typedef struct jit_pattern {
  int32_t kind;
  int32_t dtype;                 /* of a tensor */
  int32_t open;                  /* of an int, float or bool */
  int32_t count;                 /* sizes of a tensor, elements of a list or tuple */
  int64_t word;                  /* an int's or bool's value, a float's bits */
  const int64_t *sizes;          /* a tensor's; negative: open */
  const char *const *size_names; /* of its numbered sizes, by dimension; NULL: it has none */
  const int64_t *strides;        /* a tensor's, in elements; NULL: row-major */
  const jit_part *part;          /* NULL: its memory is its own */
  const char *text;
  const struct jit_pattern *items;
} jit_pattern;

/* Bytes that never change: weights in the order of the code that reads them, and initial state. */
typedef struct jit_blob {
  const void *data; /* NULL: in the weights' file, at `offset` */
  int64_t offset;
  int64_t bytes;
} jit_blob;

typedef enum jit_place {
  JIT_PLACE_ARGUMENT, /* the call's: `path` into its arguments */
  JIT_PLACE_BLOB,     /* `index` of a blob */
  JIT_PLACE_CELL,     /* `index` of a cell of state */
  JIT_PLACE_RESULT,   /* `index` of a flat result */
  JIT_PLACE_SCRATCH   /* nothing but the arena */
} jit_place;

/* Where a pointer that an entry takes comes from, or where what it gave goes. */
typedef struct jit_location {
  int32_t place;
  int32_t index;
  int32_t depth;
  const int32_t *path;
} jit_location;

/* An argument of an entry: a tensor of `bytes` bytes (negative: sizes are open), or a number, which
   is copied to `scratch` bytes into the arena. */
typedef struct jit_operand {
  jit_location from;
  int64_t bytes, scratch;
  int32_t number; /* a jit_kind; JIT_KIND_NONE: it is a tensor */
} jit_operand;

/* A flat result of an entry: made at its place, numbers always in the arena. One of open sizes
   (negative `bytes`) is made in memory that the entry asks for once it knows them. */
typedef struct jit_output {
  jit_pattern type;
  int64_t bytes;
  jit_location to;
  int64_t scratch;
  int32_t in_place; /* the operand in whose memory it is computed; -1: it has its own */
} jit_output;

/* Whether a flat result, a bool, is `is`. */
typedef struct jit_test {
  int32_t output;
  int32_t is;
} jit_test;

/* What is done with a result once the call has succeeded, beside its place, if all tests hold. */
typedef struct jit_copy {
  int32_t output;
  int32_t test_count;
  jit_location to;
  const jit_test *tests;
  /* Of an argument to which the program gives other sizes: these, its strides, and as the offset of
     its part where in its memory it begins then. NULL: it keeps them. */
  const jit_pattern *becomes;
} jit_copy;

/* A slot has the kind of this number. */
typedef struct jit_slot_kind {
  int32_t slot;
  int32_t kind;
} jit_slot_kind;

/* A slot is given the kind of this number, if all tests hold. Of those of one slot exactly one
   does. */
typedef struct jit_slot_set {
  int32_t slot;
  int32_t kind;
  int32_t test_count;
  const jit_test *tests;
} jit_slot_set;

typedef struct jit_kernel {
  const char *name;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /* beside what its code declares */
  /* not 0: all blocks run side by side, of `grid` as many as the device has room for */
  int32_t is_cooperative;
} jit_kernel;

/* An argument that describes matrices in memory, as TensorMap of jit/Runtime/DevicePlan.h does. */
typedef struct jit_tensor_map {
  int64_t argument; /* its number */
  int64_t dtype;    /* JIT_F16 or JIT_BF16 */
  int64_t sizes[3], strides[2], box[3];
} jit_tensor_map;

/* What plans do with sizes. Sums and products wrap around, comparisons give 0 or 1. */
typedef enum jit_size_operation {
  JIT_SIZE_ADD,
  JIT_SIZE_SUBTRACT,
  JIT_SIZE_MULTIPLY,
  JIT_SIZE_DIVIDE, /* towards 0 */
  JIT_SIZE_FLOOR_DIVIDE,
  JIT_SIZE_CEIL_DIVIDE,
  JIT_SIZE_REMAINDER, /* of JIT_SIZE_DIVIDE */
  JIT_SIZE_MINIMUM,
  JIT_SIZE_MAXIMUM,
  JIT_SIZE_AND,
  JIT_SIZE_OR,
  JIT_SIZE_XOR,
  JIT_SIZE_EQUAL,
  JIT_SIZE_NOT_EQUAL,
  JIT_SIZE_LESS,
  JIT_SIZE_LESS_EQUAL,
  JIT_SIZE_GREATER,
  JIT_SIZE_GREATER_EQUAL
} jit_size_operation;

/* The words of a plan's code. An operand is two of them: the number of a word of the call, or -1,
   and what is added to it. Behind the counts of words that a step says, its steps follow. */
typedef enum jit_plan_step {
  JIT_PLAN_LAUNCH,  /* kernel, count, operands, count, jit_tensor_maps */
  JIT_PLAN_COPY,    /* to, from, bytes */
  JIT_PLAN_READ,    /* word, from, dtype */
  JIT_PLAN_SET,     /* count, pairs of a word and an operand: all are read before one is set */
  JIT_PLAN_LOOP,    /* word, lower, upper, step, words of the body */
  JIT_PLAN_BRANCH,  /* condition, words of each branch */
  JIT_PLAN_WHILE,   /* condition, words of what comes before it and of the body */
  JIT_PLAN_GUARD,   /* condition, texts of class, message and place, count, pairs of a kind and an
                       operand */
  JIT_PLAN_COMPUTE, /* word, jit_size_operation, left, right */
  JIT_PLAN_CHOOSE,  /* word, condition, then, otherwise */
  /* Of sessions alone. */
  JIT_PLAN_RESULT,  /* word, result, count, open sizes */
  JIT_PLAN_SCRATCH, /* word, piece, bytes, count, sizes that these are multiplied by */
  JIT_PLAN_LIBRARY  /* number of a product or convolution, three operands */
} jit_plan_step;

/* What the host does for a call on a device. */
typedef struct jit_plan {
  const int64_t *code;
  int64_t length; /* words of code; 0: there is nothing to do */
  int64_t words;  /* of a call */
} jit_plan;

/* A variant on GPUs of a compute capability and, unless that has what others lack, on later ones:
   its kernels, as PTX and for that capability alone, and its plans. */
typedef struct jit_device_code {
  int32_t capability; /* 90 for 9.0 */
  int32_t is_of_it_alone;
  const char *ptx;
  const char *cubin; /* NULL: ptx alone */
  const jit_kernel *kernels;
  const char *const *texts; /* of guards */
  const int64_t *packed_bytes;
  jit_plan run, init;
  int64_t arena_bytes, init_arena_bytes;
  int32_t kernel_count, packed_count;
} jit_device_code;

/* A method compiled for one kind of call. */
typedef struct jit_variant {
  jit_entry_fn run;              /* NULL: see `device` */
  const jit_device_code *device; /* for GPUs of several kinds: the first that fits is taken */
  const char *structure;
  int32_t device_count, argument_count, operand_count, output_count, packed_count;
  int32_t copy_count, needs_count, sets_count, result_count;
  int32_t open_count; /* open sizes of tensors among the operands, all counted */
  const jit_pattern *arguments;
  const jit_operand *operands;
  const jit_output *outputs;
  const int32_t *packed; /* blobs */
  const jit_copy *copies;
  const jit_slot_kind *needs;
  const jit_slot_set *sets;
  const char *refusal; /* why there is no code for such a call; NULL: there is */
} jit_variant;

typedef struct jit_method {
  const char *name;
  const char *const *argument_names;
  int32_t argument_count;
  int32_t first_variant, variant_count;
  int32_t reads_state, writes_state, depends_on_strides;
  int32_t shows_gaps; /* it takes views by places, also between the elements of an argument */
} jit_method;

/* A piece of mutable state with the cells of its tensors and numbers. */
typedef struct jit_slot {
  const char *path;
  const char *const *other_paths; /* second names of it */
  int32_t other_path_count, first_cell, kind_count;
  const jit_pattern *kinds; /* the first is the initial one */
} jit_slot;

/* Room for a leaf of a slot in any of its kinds, twice: a call reads one and writes the other. */
typedef struct jit_cell {
  int64_t bytes;
  int32_t initial; /* a blob, or -1: undefined */
} jit_cell;

/* An instruction set that the code uses: a bit of CPUID. */
typedef struct jit_cpu_feature {
  const char *name;
  uint32_t leaf, subleaf, reg, bit; /* reg: 0 = eax ... 3 = edx */
} jit_cpu_feature;

struct jit_device_functions;

typedef struct jit_package {
  const char *name;
  const char *cpu;                           /* LLVM's name of the one that the code is for */
  const struct jit_device_functions *device; /* of variants on a device; NULL: there are none */
  const char *description;
  const jit_blob *blobs;
  const jit_method *methods;
  const jit_variant *variants;
  const jit_slot *slots;
  const jit_cell *cells;
  const jit_cpu_feature *features;
  int32_t blob_count, method_count, variant_count, slot_count, cell_count, feature_count;
  int64_t arena_bytes;
  /* Of the weights outside: the default path (NULL: they are inside), the file's size, and the
     number that it has to begin with. */
  const char *weights_path;
  int64_t weights_bytes;
  uint64_t weights_id;
} jit_package;

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* JIT_RUNTIME_PACKAGE_H */

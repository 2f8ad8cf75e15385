/*===- Values.h - tensors, numbers and errors across the C boundary ---------===*\
|*
|* Plain C99 without a library behind it. All memory stays its owner's: a struct here only points.
|*
\*===------------------------------------------------------------------------===*/
#ifndef JIT_C_VALUES_H
#define JIT_C_VALUES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a function gives back; the numbers never change. */
typedef enum jit_status {
  JIT_OK = 0,
  JIT_IO = 1,               /**< a file cannot be opened, read or written */
  JIT_MALFORMED = 2,        /**< bytes that are not what their format says */
  JIT_UNSUPPORTED = 3,      /**< valid input that this version does not handle */
  JIT_LIMIT_EXCEEDED = 4,   /**< a cap on nesting, counts or memory */
  JIT_NOT_FOUND = 5,        /**< no such method, state or symbol */
  JIT_INVALID_ARGUMENT = 6, /**< an argument that does not fit */
  JIT_RAISED = 7,           /**< the program raised its own Python exception */
  JIT_INTERNAL = 8          /**< a bug of ours */
} jit_status;

/** Filled in by a function that fails; every function takes NULL instead. Texts end in 0 and are
    cut where they do not fit. */
typedef struct jit_error {
  int32_t status;        /**< a jit_status */
  char python_class[60]; /**< of JIT_RAISED: "builtins.ValueError"; else "" */
  char where[192];       /**< the place in a file: "model.py:34"; or "" */
  char message[1792];    /**< one line or several: what was expected and what came */
} jit_error;

/** Element types, numbered as PyTorch numbers them. */
typedef enum jit_dtype {
  JIT_U8 = 0,
  JIT_I8 = 1,
  JIT_I16 = 2,
  JIT_I32 = 3,
  JIT_I64 = 4,
  JIT_F16 = 5,
  JIT_F32 = 6,
  JIT_F64 = 7,
  JIT_C32 = 8,   /**< two f16: the real part, then the imaginary one */
  JIT_C64 = 9,   /**< two f32 */
  JIT_C128 = 10, /**< two f64 */
  JIT_BOOL = 11,
  JIT_BF16 = 15,
  JIT_F8E5M2 = 23, /**< from here on PyTorch has few operators, and so have programs */
  JIT_F8E4M3FN = 24,
  JIT_F8E5M2FNUZ = 25,
  JIT_F8E4M3FNUZ = 26,
  JIT_U16 = 27,
  JIT_U32 = 28,
  JIT_U64 = 29
} jit_dtype;

/** An array in memory. As an argument aligned to its element (a complex number to its real part),
    and row-major unless an artifact was compiled for its strides ("f32[3,2]:strides[1,3]"). As a
    result row-major memory of the caller's with its sizes, which must be the result's; or `data`
    NULL, and the callee allocates, aligned to 64: free() it. `sizes` then live until that.
 */
typedef struct jit_tensor {
  void *data;
  const int64_t *sizes;   /**< `rank` of them; may be NULL where that is 0 */
  const int64_t *strides; /**< in elements, one for each size; NULL: row-major */
  int32_t rank;
  int32_t dtype; /**< a jit_dtype */
} jit_tensor;

typedef enum jit_kind {
  JIT_KIND_NONE = 0,
  JIT_KIND_TENSOR = 1,
  JIT_KIND_INT = 2,
  JIT_KIND_FLOAT = 3,
  JIT_KIND_BOOL = 4,
  JIT_KIND_STRING = 5,
  JIT_KIND_LIST = 6,
  JIT_KIND_TUPLE = 7
} jit_kind;

/** A flag of a tensor argument: gradients with respect to it are wanted. */
#define JIT_REQUIRES_GRAD 1
/** Another: a call that would write it in place is refused. */
#define JIT_READ_ONLY 2
/** Another, for artifacts: where it is not row-major and the method does not depend on strides, the
    call may use a copy, whose elements are brought back where the program writes it. */
#define JIT_MAY_COPY 8
/** A flag of a tensor that is a result of a call in a stream: its data is an address on the CUDA
    device whose number the flags have too. */
#define JIT_ON_DEVICE 4
#define JIT_DEVICE_SHIFT 16
#define JIT_DEVICE_NUMBER(flags) ((flags) >> JIT_DEVICE_SHIFT)

/** Flags of results, for callers whose language has a word for it: a tensor of rank 0 is a complex
    number, a list of pairs (tuples of two) a dict, a string a device. That of a dict is one of
    arguments too, where a program takes values of any type. */
#define JIT_IS_COMPLEX 16
#define JIT_IS_DICT 32
#define JIT_IS_DEVICE 64

/** What a TorchScript method takes and gives. A complex argument is a tensor of rank 0 and type
    JIT_C128, a dict the list of its pairs, a device a string. */
typedef struct jit_value {
  int32_t kind;  /**< a jit_kind: which of `as` holds */
  int32_t flags; /**< of an argument, a sum of the flags above, or 0 */
  union {
    jit_tensor tensor;
    int64_t integer; /**< of a bool: 0 or 1 */
    double real;
    const char *string;
    struct {
      const struct jit_value *items;
      size_t count;
    } list; /**< of a tuple too */
  } as;
} jit_value;

#ifdef __cplusplus
} /* extern "C" */

/* C++ has no compound literals: see jit.hpp. */
#else

/** JIT_ARRAY(data, JIT_F32, 1, 576): the address of a row-major jit_tensor of these sizes, which
    lives as long as the block around it. */
#define JIT_ARRAY(DATA, DTYPE, ...)                                                                \
  (&(jit_tensor){(void *)(DATA), (const int64_t[]){__VA_ARGS__}, NULL,                             \
                 (int32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (DTYPE)})
#endif

#endif /* JIT_C_VALUES_H */

/*===- Artifact.h - a program that jit-compile has compiled -----------------===*\
|*
|* A shared object made by jit-compile exports `jit_artifact` and, by its own name, the functions of
|* the table that it gives: NAME_open, NAME_call, ... Its own header declares them. It needs
|* nothing but libc and libm.
|*
|* Threads: modules are independent of each other. Any number of threads may call one module. Calls
|* of methods that write its state run one at a time, other calls beside each other. close() must
|* be the last call. A child of fork() may call the modules that it inherits, but for those that
|* another thread was calling, and for those on a CUDA device.
|*
\*===------------------------------------------------------------------------===*/
#ifndef JIT_C_ARTIFACT_H
#define JIT_C_ARTIFACT_H

#include "jit-c/Values.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One instance of the program: its state and its scratch memory. The weights are shared. */
typedef struct jit_module jit_module;

/** Zero means the default everywhere. */
typedef struct jit_open_options {
  size_t size;         /**< sizeof(jit_open_options) */
  const char *weights; /**< the weights' file, where they are not inside; NULL: the path that
                            jit-compile was given, beside the working directory */
  uint32_t threads;    /**< that share a call's work, the caller's included; 0: one for each
                            CPU that the process may use */
  size_t device;       /**< the number of the CUDA device that a package for "cuda" runs on */
} jit_open_options;

/** Zero means the default everywhere. */
typedef struct jit_call_options {
  size_t size;  /**< sizeof(jit_call_options) */
  void *stream; /**< a CUstream of the primary context of the module's device; NULL: its default
                     stream */
} jit_call_options;

/** The functions of an artifact. `size` grows when functions are added at the end. */
typedef struct jit_artifact_table {
  size_t size;
  const char *name;
  /** A line for each method and for each kind of call that was compiled. */
  const char *description;

  /** Makes an instance. `options` may be NULL. JIT_UNSUPPORTED where this CPU lacks an instruction
      set that the code was compiled for; JIT_IO, JIT_MALFORMED for the weights' file. */
  jit_status (*open)(const jit_open_options *options, jit_module **module, jit_error *error);
  /** Frees it; takes NULL. */
  void (*close)(jit_module *module);

  /** Which kind of call this is: gives its number in `variant`. JIT_NOT_FOUND for an unknown
      method; JIT_INVALID_ARGUMENT, naming the argument, where nothing was compiled for it. */
  jit_status (*find)(jit_module *module, const char *method, const jit_value *arguments,
                     size_t count, size_t *variant, jit_error *error);
  /** How the results of this kind of call make up what Python returns: "%0" is the first of the
      flat results, "(%0, [%1, None])" a tuple. NULL where there is no such number. Where the
      program gives arguments other sizes in place, as `x.t_()` does, "changed(%0, "1", [1, 3], 0,
      %1)" says so: of each, behind what Python returns, its path, its strides and how many elements
      behind its first it begins now, in its own memory, which has its elements already, and
      what it is, row-major, whose sizes are its; None where data chose that it keeps them. */
  const char *(*structure)(size_t variant, size_t *result_count);

  /** Calls a method. Trailing arguments may be left out where a call without them was compiled.
      `results` are the tensors and numbers of what the method returns, flat, in order. An argument
      that the program writes in place is written in place, in lists too; a list to which it adds,
      or whose elements it replaces, is a copy. Memory given for a result must overlap
      neither arguments nor other results nor the state: JIT_INVALID_ARGUMENT. JIT_UNSUPPORTED
      where the calls before have left the state as no code could be made for. */
  jit_status (*call)(jit_module *module, const char *method, const jit_value *arguments,
                     size_t count, jit_value *results, size_t result_count, jit_error *error);

  /** The module's state by its path in Python ("rnn.hidden"). A tensor is a view that the next call
      may write; containers are JIT_UNSUPPORTED. */
  jit_status (*state)(jit_module *module, const char *path, jit_value *value, jit_error *error);
  /** Back to the state that the program was saved with. */
  void (*reset)(jit_module *module);

  /** The CPU that this module's code is for, by the name that jit-compile knows it by
      ("x86-64-v3"): of several the one that opening has found to fit. */
  const char *(*cpu)(const jit_module *module);

  /** 1 where the method's results may depend on the strides of the tensors that a program has, as
     it writes in place or asks for them: then a row-major copy of a strided tensor is another call.
      0 where they do not, and for an unknown method. */
  int (*depends_on_strides)(const char *method);

  /** As `call`, of a package for "cuda", in a stream of the caller's: returns before the work is
      done. Tensors may be in the device's memory, row-major, and are used there; so may the
      memory of results, which is to be given for each. What goes to the host's memory, and numbers,
      are waited for; arguments in it must not change before the work is done. State stays on the
      device. Calls of a module in several streams wait for each other. `options` may be NULL.
     JIT_INVALID_ARGUMENT for a stream or memory of another device; JIT_UNSUPPORTED for a package
     for CPUs. */
  jit_status (*call_in)(jit_module *module, const char *method, const jit_value *arguments,
                        size_t count, jit_value *results, size_t result_count,
                        const jit_call_options *options, jit_error *error);

  /** What a flat result of this kind of call is: its kind and, of a tensor, its type and sizes, of
      which negative ones are those that a call tells; `data` is NULL. JIT_NOT_FOUND where there is
      no such number. */
  jit_status (*result)(size_t variant, size_t number, jit_value *result, jit_error *error);
  /** What the package is for: "cpu" or "cuda". */
  const char *(*target)(void);
} jit_artifact_table;

/** What a loader looks up in a shared object that it knows nothing of. */
typedef const jit_artifact_table *(*jit_artifact_fn)(void);

#ifdef __cplusplus
}
#endif

#endif /* JIT_C_ARTIFACT_H */

/*===- Jit.h - open a program, compile and call it --------------------------===*\
|*
|* The compiler as a library: libjit exports these functions and no other. All state is in the
handles.
|*
|* Threads: any number of them may use a session at once; calls of one kind are compiled once. A
|* result is read-only, so that threads may share it. Freeing a handle must be the last use of it.
|*
\*===------------------------------------------------------------------------===*/
#ifndef JIT_C_JIT_H
#define JIT_C_JIT_H

#include "jit-c/Artifact.h"

#if defined(__GNUC__)
#define JIT_EXPORT __attribute__((visibility("default")))
#else
#define JIT_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** "0.1.0" */
JIT_EXPORT const char *jit_version(void);

/** The schema of each operator that programs may use, a line for each, as PyTorch writes them:
    "aten::relu(Tensor self) -> Tensor". Free it with jit_free. */
JIT_EXPORT jit_status jit_operators(char **text, jit_error *error);

/** The same of the operators in files of your own (jit-c/Operators.h), or what is wrong with the
    files. */
JIT_EXPORT jit_status jit_operators_in(const char *const *files, size_t count, char **text,
                                       jit_error *error);

/** A program with the state of its modules, and what has been compiled of it. */
typedef struct jit_session jit_session;
/** What a call gave. Owns the memory of its values. */
typedef struct jit_result jit_result;

/** Zero means the default everywhere. */
typedef struct jit_session_options {
  size_t size;           /**< sizeof(jit_session_options) */
  const char *target;    /**< "cpu" (the default), "cuda" or "cuda-emulation"; of several CUDA
                              devices the one whose number follows: "cuda:1" */
  uint32_t threads;      /**< that share a call's work, the caller's included; 0: one for each
                              CPU that the process may use */
  uint32_t max_variants; /**< compiled kinds of calls that are kept; 0: 64 */
  int32_t explain;       /**< not 0: keep a line for each decision, for jit_session_report */
  int32_t any_sizes;     /**< which calls that differ in sizes alone share their code, where the
                              program can be compiled so: 0: those that differ in dimensions that
                              have had several sizes, but for sizes that come often, whose own code
                              a thread makes beside calls; above 0: all, from the first call on;
                              below 0: none */
  /** Told what is compiled at the moment, "forward: fuse", and NULL once a compilation is over; by
      the thread that compiles. It must not use the session. */
  void (*progress)(void *data, const char *what);
  void *progress_data;  /**< given to `progress` */
  const char *numerics; /**< "fast" (the default): convolutions may lose 1e-5 of the largest result;
                             or "strict": each sum as the program writes it */
  /** Where what is compiled is kept for later processes, and looked for: NULL: nowhere; "": the
      user's own cache, which JIT_CACHE in the environment moves or turns off; or a folder. */
  const char *cache;
  int32_t
      isolate; /**< not 0, for target "cpu": child processes import and compile, so that a crash
                    of the compiler's is an error (JIT_INTERNAL) and the session can be used on */
  /** Files of operators (jit-c/Operators.h), whose operators programs may use; for "cpu". */
  const char *const *operators;
  size_t operator_count;
  int32_t gpu_tf32; /**< not 0, for "cuda": products of f32 may round their factors to 10 bits */
  /** For "cuda", whose plain products and convolutions are cublasLt's and cuDNN's: "off" (the
      default), "auto": where they are found; "on": an error where one is missing. */
  const char *gpu_libraries;
  /** For "cpu", of the same values: "optimised"; "baseline": code that is there sooner and may be
      slower; "both" (the default): this one, until a thread of the session's has the other. */
  const char *tier;
} jit_session_options;

/** Imports a program, whatever its format: a TorchScript archive, an exported program or MLIR.
   `options` may be NULL. JIT_UNSUPPORTED names every operator that is missing. */
JIT_EXPORT jit_status jit_session_open(const char *path, const jit_session_options *options,
                                       jit_session **session, jit_error *error);
/** Takes NULL. */
JIT_EXPORT void jit_session_close(jit_session *session);

/** The methods and their arguments, a line for each: "forward(x: !jit.tensor, sr: i64)". Free it
    with jit_free. */
JIT_EXPORT jit_status jit_session_methods(jit_session *session, char **text, jit_error *error);
/** Which arguments and results are objects, NamedTuples and members of Enums, as JSON: for each
    method that has some {"arguments": [...], "result": ...} under its name. docs/call-spec.md says
    what stands there; calls give and get tuples. Free the text with jit_free. */
JIT_EXPORT jit_status jit_session_layouts(jit_session *session, char **text, jit_error *error);

/** Calls a method; compiles at the first call of its kind. Trailing arguments may be left out where
    they have defaults. An argument that the program writes in place is written in place, whatever
    its strides and whoever shares its memory. Tensors that are strided, or not aligned to their
    element type, are copied. */
JIT_EXPORT jit_status jit_session_call(jit_session *session, const char *method,
                                       const jit_value *arguments, size_t count,
                                       jit_result **result, jit_error *error);

/** From here on calls of this thread, of sessions for "cuda", do their work in `stream`, a CUstream
   of their device's primary context, and return before it is done; only numbers are waited for.
    Arguments may be in the device's memory, row-major, and are used there; tensors that are results
    are there (JIT_ON_DEVICE), for work in this stream until their jit_result is freed. Until
    jit_leave_stream. */
JIT_EXPORT void jit_enter_stream(void *stream);
JIT_EXPORT void jit_leave_stream(void);

/** Compiles what such a call runs, and does not run it. What is in the tensors does not matter. */
JIT_EXPORT jit_status jit_session_prepare(jit_session *session, const char *method,
                                          const jit_value *arguments, size_t count,
                                          jit_error *error);

/** As jit_session_call, and the gradients of the sum of its floating outputs by every argument
   marked JIT_REQUIRES_GRAD and every parameter. */
JIT_EXPORT jit_status jit_session_call_with_gradients(jit_session *session, const char *method,
                                                      const jit_value *arguments, size_t count,
                                                      jit_result **result, jit_error *error);

/** Calls a method and keeps what its backward pass needs, for callers that differentiate on. */
JIT_EXPORT jit_status jit_session_forward(jit_session *session, const char *method,
                                          const jit_value *arguments, size_t count,
                                          jit_result **result, jit_error *error);
/** The gradients of the arguments that were marked, as those of a result with no value. `seeds` are
    the gradients of the forward result's tensors and numbers, flat, in order, the keys of dicts
    aside; none where nothing is computed of one. The session has to be open still. */
JIT_EXPORT jit_status jit_result_backward(const jit_result *forward, const jit_value *seeds,
                                          size_t count, jit_result **result, jit_error *error);

/** What the method returned; points into the result. */
JIT_EXPORT const jit_value *jit_result_value(const jit_result *result);
JIT_EXPORT size_t jit_result_gradient_count(const jit_result *result);
/** The gradient of this number and what it is by: an argument's number ("1"; "1.0" is an element of
    it) or a parameter's path. NULL where there is none. */
JIT_EXPORT const jit_value *jit_result_gradient(const jit_result *result, size_t index,
                                                const char **name);
/** How many arguments have other sizes than before: the program changed those in place, as
    `x.t_()` does. */
JIT_EXPORT size_t jit_result_reshaped_count(const jit_result *result);
/** Such an argument as it is now, and its number, as of a gradient. NULL where there is none. It is
    in its own memory; where `out=` has given it more elements than that has room for, in the
    result's. */
JIT_EXPORT const jit_value *jit_result_reshaped(const jit_result *result, size_t index,
                                                const char **name);
/** One more owner; each has to free it once. */
JIT_EXPORT jit_result *jit_result_share(jit_result *result);
/** Takes NULL. */
JIT_EXPORT void jit_result_free(jit_result *result);

/** The graph that such a call runs, as MLIR; with `gradients` that of forward and backward. Free it
    with jit_free. */
JIT_EXPORT jit_status jit_session_graph_for(jit_session *session, const char *method,
                                            const jit_value *arguments, size_t count,
                                            int32_t gradients, char **text, jit_error *error);
/** The same graph as a picture: an SVG image that stands alone, its fused groups in colours. Free
   it with jit_free. */
JIT_EXPORT jit_status jit_session_graph_svg(jit_session *session, const char *method,
                                            const jit_value *arguments, size_t count,
                                            int32_t gradients, char **text, jit_error *error);
/** The picture of what the last call ran, with gradients where it gave some; JIT_NOT_FOUND before
   the first. Free it with jit_free. */
JIT_EXPORT jit_status jit_session_last_graph_svg(jit_session *session, char **text,
                                                 jit_error *error);
/** What compilations so far did to the program and left undone, and why; a line for each. Empty
    without jit_session_options.explain. Free it with jit_free. */
JIT_EXPORT jit_status jit_session_report(jit_session *session, char **text, jit_error *error);

/** The state at a path of Python's state_dict, a copy. */
JIT_EXPORT jit_status jit_session_state(jit_session *session, const char *path, jit_result **result,
                                        jit_error *error);
/** Back to the state that the program was saved with. */
JIT_EXPORT void jit_session_reset(jit_session *session);

/** Zero means the default everywhere. */
typedef struct jit_save_options {
  size_t size;         /**< sizeof(jit_save_options) */
  const char *name;    /**< what functions' names begin with; NULL: from the path */
  const char *weights; /**< a file for the weights; NULL: they are inside */
  const char *cpu;     /**< "x86-64-v3", "x86-64-v3,x86-64-v4"; NULL: this machine's */
  int32_t keep_places; /**< not 0: errors name the line of the Python program */
  const char *target;  /**< "cpu" or "cuda"; NULL: "cpu" */
  const char *chip;    /**< of "cuda", e.g. "sm_90"; several with commas between: the
                            first that fits is taken; NULL: this machine's, or any from sm_80 on */
} jit_save_options;

/** The text of a call with such arguments, which jit_session_save takes: what is in the tensors
   does not matter. Free it with jit_free. */
JIT_EXPORT jit_status jit_call_text(const char *method, const jit_value *arguments, size_t count,
                                    char **text, jit_error *error);

/** Compiles calls ahead of time to a shared object, or by its ending an object (.o) or a static
    library (.a), and writes its C header beside it. A call: "forward(f32[1,512], 16000)". */
JIT_EXPORT jit_status jit_session_save(jit_session *session, const char *path,
                                       const char *const *calls, size_t count,
                                       const jit_save_options *options, jit_error *error);

/** Frees a text of ours; takes NULL. */
JIT_EXPORT void jit_free(char *text);

#ifdef __cplusplus
}
#endif

#endif /* JIT_C_JIT_H */

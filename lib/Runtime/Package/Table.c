/*===- Table.c - what a loader finds ----------------------------------------===*/
#include "Module.h"

jit_status jit_artifact_open(const jit_open_options *options, jit_module **module,
                             jit_error *error);
void jit_artifact_close(jit_module *module);
jit_status jit_artifact_find(jit_module *module, const char *method, const jit_value *arguments,
                             size_t count, size_t *variant, jit_error *error);
const char *jit_artifact_structure(size_t variant, size_t *result_count);
jit_status jit_artifact_call(jit_module *module, const char *method, const jit_value *arguments,
                             size_t count, jit_value *results, size_t result_count,
                             jit_error *error);
jit_status jit_artifact_call_in(jit_module *module, const char *method, const jit_value *arguments,
                                size_t count, jit_value *results, size_t result_count,
                                const jit_call_options *options, jit_error *error);
jit_status jit_artifact_result(size_t variant, size_t number, jit_value *result, jit_error *error);
const char *jit_artifact_target(void);
jit_status jit_artifact_state(jit_module *module, const char *path, jit_value *value,
                              jit_error *error);
void jit_artifact_reset(jit_module *module);
const char *jit_artifact_cpu(const jit_module *module);
int jit_artifact_depends_on_strides(const char *method);

/* Weak: in a program that links several artifacts in, each is used by its own name. */
__attribute__((visibility("default"), weak)) const jit_artifact_table *jit_artifact(void) {
  static jit_artifact_table table = {sizeof table,
                                     NULL,
                                     NULL,
                                     jit_artifact_open,
                                     jit_artifact_close,
                                     jit_artifact_find,
                                     jit_artifact_structure,
                                     jit_artifact_call,
                                     jit_artifact_state,
                                     jit_artifact_reset,
                                     jit_artifact_cpu,
                                     jit_artifact_depends_on_strides,
                                     jit_artifact_call_in,
                                     jit_artifact_result,
                                     jit_artifact_target};
  table.name = jit_packages[0].name;
  table.description = jit_packages[0].description;
  return &table;
}

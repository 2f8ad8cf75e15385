/* Opens the program that it is given, calls it with four numbers and saves it. */
#include <jit-c/Jit.h>
#include <stdio.h>

int main(int argc, char **argv) {
  jit_session *session;
  jit_result *result;
  jit_error error;
  float x[4] = {-1, 2, -3, 4};
  const char *call = "forward(f32[4])";
  jit_value argument = {.kind = JIT_KIND_TENSOR, .as.tensor = *JIT_ARRAY(x, JIT_F32, 4)};
  if (argc < 3 || jit_session_open(argv[1], NULL, &session, &error) != JIT_OK ||
      jit_session_call(session, "forward", &argument, 1, &result, &error) != JIT_OK)
    return printf("error: %s\n", error.message), 1;
  const float *y = jit_result_value(result)->as.tensor.data;
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  jit_result_free(result);
  if (jit_session_save(session, argv[2], &call, 1, NULL, &error) != JIT_OK)
    return printf("error: %s\n", error.message), 1;
  jit_session_close(session);
  return 0;
}

/* Opens the program that it is given, calls it with four numbers and saves it. */
#include <jit-c/Jit.h>
#include <stdio.h>
#include <string.h>

/* Counts what is told while something is compiled, and NULL at each end. */
static void count(void *data, const char *what) { ++((int *)data)[what == NULL]; }

/* Whether the graph of a call is drawn as an image that names its operator. */
static int is_drawn(jit_session *session, const jit_value *argument) {
  char *image = NULL;
  jit_error error;
  int drawn = jit_session_graph_svg(session, "forward", argument, 1, 0, &image, &error) == JIT_OK &&
              strncmp(image, "<svg ", 5) == 0 && strstr(image, ">relu</text>") != NULL;
  jit_free(image);
  return drawn;
}

/* Whether code for this CPU refuses memory that a stream's work may not have written yet. */
static int is_refused_in_stream(jit_session *session, const jit_value *argument) {
  jit_result *result = NULL;
  jit_error error;
  jit_enter_stream(NULL);
  jit_status status = jit_session_call(session, "forward", argument, 1, &result, &error);
  jit_leave_stream();
  return status == JIT_UNSUPPORTED &&
         strstr(error.message, "expected code for a CUDA device") != NULL;
}

/* Whether a text that is no choice of libraries is refused. */
static int are_libraries_checked(const char *path) {
  jit_session *session;
  jit_error error;
  jit_session_options options = {.size = sizeof options, .gpu_libraries = "sometimes"};
  return jit_session_open(path, &options, &session, &error) == JIT_INVALID_ARGUMENT &&
         strstr(error.message, "expected gpu_libraries 'off', 'auto' or 'on', got 'sometimes'") !=
             NULL;
}

int main(int argc, char **argv) {
  jit_session *session;
  jit_result *result;
  jit_error error;
  int told[2] = {0, 0};
  jit_session_options options = {.size = sizeof options, .progress = count, .progress_data = told};
  float x[4] = {-1, 2, -3, 4};
  const char *call = "forward(f32[4])";
  jit_value argument = {.kind = JIT_KIND_TENSOR, .as.tensor = *JIT_ARRAY(x, JIT_F32, 4)};
  if (argc < 3 || jit_session_open(argv[1], &options, &session, &error) != JIT_OK ||
      jit_session_call(session, "forward", &argument, 1, &result, &error) != JIT_OK)
    return printf("error: %s\n", error.message), 1;
  const float *y = jit_result_value(result)->as.tensor.data;
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  jit_result_free(result);
  if (!is_refused_in_stream(session, &argument))
    return printf("error: a call in a stream without a device\n"), 1;
  if (!are_libraries_checked(argv[1]))
    return printf("error: libraries that are not there\n"), 1;
  if (told[0] < 10 || told[1] < 2 || !is_drawn(session, &argument))
    return printf("error: no progress or no picture\n"), 1;
  if (jit_session_save(session, argv[2], &call, 1, NULL, &error) != JIT_OK)
    return printf("error: %s\n", error.message), 1;
  jit_session_close(session);
  return 0;
}

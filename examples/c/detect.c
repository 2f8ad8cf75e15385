/* Speech or not? Raw 16 kHz samples (float32) in, a probability for each 32 ms out. */
#include "libsilero.h"
#include <stdio.h>

int main(void) {
  jit_module *detector;
  jit_error error;
  float chunk[512], probability;
  if (silero_open(NULL, &detector, &error) != JIT_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  while (fread(chunk, sizeof chunk, 1, stdin) == 1) {
    if (silero_forward(detector, JIT_ARRAY(chunk, JIT_F32, 1, 512), 16000,
                       JIT_ARRAY(&probability, JIT_F32, 1, 1), &error) != JIT_OK)
      return fprintf(stderr, "%s\n", error.message), 1;
    printf("%.6f\n", probability);
  }
  silero_close(detector);
  return 0;
}

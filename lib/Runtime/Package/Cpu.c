/*===- Cpu.c - what this CPU has of what the code needs ---------------------===*/
#include "Module.h"

static int has(const jit_cpu *cpu, const jit_cpu_feature *feature) {
  uint32_t registers[4], most[4];
  cpu->cpuid(feature->leaf & 0x80000000u, 0, most);
  if (feature->leaf > most[0])
    return 0;
  cpu->cpuid(feature->leaf, feature->subleaf, registers);
  return (registers[feature->reg] >> feature->bit) & 1;
}

/* The name of what the CPU lacks; NULL for nothing. */
static const char *missing_feature(const jit_cpu *cpu, const jit_package *package) {
  for (int32_t i = 0; i < package->feature_count; ++i) {
    const char *name = package->features[i].name;
    uint32_t needed = name[0] != 'a' || name[1] != 'v' ? 0 : name[3] == '5' ? 0xe6 : 0x6;
    if (!has(cpu, &package->features[i]) || (cpu->saved_state & needed) != needed)
      return name;
  }
  return NULL;
}

jit_status jit_choose_package(const jit_cpu *cpu, const jit_package *packages, int32_t count,
                              const jit_package **package, jit_error *error) {
  const char *missing = NULL;
  for (int32_t i = 0; i < count; ++i) {
    *package = &packages[i];
    missing = missing_feature(cpu, *package);
    if (!missing)
      return JIT_OK;
  }
  return jit_fail(error, JIT_UNSUPPORTED, "expected a CPU with %s, which '%s' was compiled for",
                  missing, (*package)->name);
}

#if defined(__x86_64__)
static void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
  __asm__ volatile("cpuid"
                   : "=a"(registers[0]), "=b"(registers[1]), "=c"(registers[2]), "=d"(registers[3])
                   : "a"(leaf), "c"(subleaf));
}

static uint32_t saved_state(void) {
  uint32_t registers[4], low, high;
  cpuid(1, 0, registers);
  if (!(registers[2] & (1u << 27)))
    return 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

jit_cpu jit_this_cpu(void) { return (jit_cpu){cpuid, saved_state()}; }
#else
/* Packages for it list no features. */
jit_cpu jit_this_cpu(void) { return (jit_cpu){NULL, 0}; }
#endif

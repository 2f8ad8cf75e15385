/* Molecular dynamics by a force field that jit-compile has made one file of: velocity Verlet, with
   a new list of neighbours in each step. The field is

     forward(positions: f64[n,3], kinds: i64[n], edges: i64[2,e]) -> energy: f64[1], forces:
   f64[n,3]

   and sums over the edges, each from one atom to another that is nearer than the cutoff. In: "atoms
   steps time-step cutoff", then a line for each atom: kind, mass, position, velocity. Out: the
   energy of each step, then the positions at the end. */
#include "libfield.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int64_t atoms, edges, room;
  double cutoff, *mass, *x, *v, *force;
  int64_t *kinds, *pairs, *ends;
} system_t;

static void *memory(void *old, size_t count, size_t size) {
  void *made = realloc(old, count * size);
  if (!made)
    exit((fprintf(stderr, "out of memory\n"), 1));
  return made;
}

static void read_system(system_t *s, int *steps, double *step) {
  if (scanf("%ld %d %lf %lf", &s->atoms, steps, step, &s->cutoff) != 4 || s->atoms < 2)
    exit(
        (fprintf(stderr, "expected the number of atoms, of steps, a time step and a cutoff\n"), 1));
  s->kinds = memory(NULL, s->atoms, sizeof(int64_t));
  s->mass = memory(NULL, s->atoms, sizeof(double));
  s->x = memory(NULL, 3 * s->atoms, sizeof(double));
  s->v = memory(NULL, 3 * s->atoms, sizeof(double));
  s->force = memory(NULL, 3 * s->atoms, sizeof(double));
  for (int64_t i = 0; i < s->atoms; ++i)
    if (scanf("%ld %lf %lf %lf %lf %lf %lf %lf", &s->kinds[i], &s->mass[i], &s->x[3 * i],
              &s->x[3 * i + 1], &s->x[3 * i + 2], &s->v[3 * i], &s->v[3 * i + 1],
              &s->v[3 * i + 2]) != 8)
      exit((fprintf(stderr, "expected a kind, a mass, a position and a velocity\n"), 1));
}

/* All ordered pairs that are nearer than the cutoff, and as the two rows of a tensor. */
static void find_edges(system_t *s) {
  s->edges = 0;
  for (int64_t i = 0; i < s->atoms; ++i)
    for (int64_t j = 0; j < s->atoms; ++j) {
      double squared = 0;
      for (int k = 0; k < 3; ++k)
        squared += (s->x[3 * i + k] - s->x[3 * j + k]) * (s->x[3 * i + k] - s->x[3 * j + k]);
      if (i == j || squared >= s->cutoff * s->cutoff)
        continue;
      if (s->edges == s->room) {
        s->room = 2 * s->room + 64;
        s->pairs = memory(s->pairs, 2 * s->room, sizeof(int64_t));
        s->ends = memory(s->ends, 2 * s->room, sizeof(int64_t));
      }
      s->pairs[2 * s->edges] = i;
      s->pairs[2 * s->edges++ + 1] = j;
    }
  for (int64_t e = 0; e < s->edges; ++e) {
    s->ends[e] = s->pairs[2 * e];
    s->ends[s->edges + e] = s->pairs[2 * e + 1];
  }
}

/* Sets the forces; gives the potential energy. */
static double forces(system_t *s, jit_module *field) {
  double energy;
  jit_error error;
  find_edges(s);
  if (field_forward(field, JIT_ARRAY(s->x, JIT_F64, s->atoms, 3),
                    JIT_ARRAY(s->kinds, JIT_I64, s->atoms),
                    JIT_ARRAY(s->ends, JIT_I64, 2, s->edges), JIT_ARRAY(&energy, JIT_F64, 1),
                    JIT_ARRAY(s->force, JIT_F64, s->atoms, 3), &error) != JIT_OK)
    exit((fprintf(stderr, "%s\n", error.message), 1));
  return energy;
}

static void half_kick(system_t *s, double step) {
  for (int64_t i = 0; i < 3 * s->atoms; ++i)
    s->v[i] += 0.5 * step * s->force[i] / s->mass[i / 3];
}

static double kinetic(const system_t *s) {
  double sum = 0;
  for (int64_t i = 0; i < 3 * s->atoms; ++i)
    sum += 0.5 * s->mass[i / 3] * s->v[i] * s->v[i];
  return sum;
}

int main(void) {
  system_t s = {0};
  int steps;
  double step;
  jit_module *field;
  jit_error error;
  read_system(&s, &steps, &step);
  if (field_open(NULL, &field, &error) != JIT_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  printf("%.12g\n", forces(&s, field) + kinetic(&s));
  for (int i = 0; i < steps; ++i) {
    half_kick(&s, step);
    for (int64_t k = 0; k < 3 * s.atoms; ++k)
      s.x[k] += step * s.v[k];
    double potential = forces(&s, field);
    half_kick(&s, step);
    printf("%.12g\n", potential + kinetic(&s));
  }
  for (int64_t i = 0; i < s.atoms; ++i)
    printf("%.12g %.12g %.12g\n", s.x[3 * i], s.x[3 * i + 1], s.x[3 * i + 2]);
  field_close(field);
  free(s.kinds), free(s.mass), free(s.x), free(s.v), free(s.force), free(s.pairs), free(s.ends);
  return 0;
}

"""scripts/mutate: which conditions of a source are found, and that the source with all of them put through at() does the same."""

import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "test" / "Mutation"))

import points  # noqa: E402

PROGRAM = """
#include <cstdio>
#include <initializer_list>
struct Maybe { int value; explicit operator bool() const { return value > 0; } };
template <typename T> bool inside(T value) { return value > 2 && !(value > 9 || value == 5); }
constexpr int fixed(int a) { return a > 1 ? 2 : 3; }
int count(int n) {
  int sum = fixed(n);
  while (auto left = Maybe{n}) {
    n = left.value - 1;
    if (n == 4) continue;
    sum += inside(n) ? 10 : 1;
  }
  for (int i = 0; i < 3 && sum < 50; ++i) sum += i;
  if constexpr (sizeof(int) == 4) ++sum;
  if (int half = sum / 2; half > 20) sum = half;
  if (auto odd = Maybe{sum % 2}) sum += odd.value; else if (sum == 8) return 0;
  do { --sum; } while (sum > 90);
  for (bool twice : {true, false}) sum += twice;
  bool large = sum > 20;
  return large ? sum : -sum;
}
int main() { for (int n = 0; n < 13; ++n) std::printf("%d ", count(n)); }
"""
DRIVER = """
#undef main
#include <cstdlib>
int main(int, char **words) {
  ::jit_mutation::shared->point = std::atoi(words[1]);
  ::jit_mutation::shared->value = std::atoi(words[2]);
  for (int n = 0; n < 13; ++n) std::printf("%d ", count(n));
}
"""


def built(folder, name, text):
    (folder / f"{name}.cpp").write_bytes(text)
    (folder / "jit_mutation_points.h").write_text("#define JIT_MUTATION_POINTS 1024\n" + (ROOT / "test/Mutation/Points.h").read_text())
    command = ["clang++-22", "-std=c++20", f"-I{folder}", folder / f"{name}.cpp", "-o", folder / name]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, timeout=300)
    return lambda *words: subprocess.run([folder / name, *map(str, words)], capture_output=True, text=True, timeout=60).stdout


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """(run of the plain program, run of the one with points, the points' texts)."""
    folder, text = tmp_path_factory.mktemp("mutate"), PROGRAM.encode()
    mutated, ordered = points.rewritten(points.find(folder / "plain.cpp", text, ["-std=c++20"]), 0)
    changed = mutated.replace(b"int main()", b"int unused()") + DRIVER.encode()
    texts = [(text[point.start:point.end].decode(), point.values) for point in ordered]
    return built(folder, "plain", text), built(folder, "mutated", changed), texts


def test_each_condition_is_found_once(found):
    assert found[2] == [
        ("value > 0", (1, 0)),
        ("value > 2 && !(value > 9 || value == 5)", (1, 0)), ("value > 2", (1,)), ("!(value > 9 || value == 5)", (1,)),
        ("value > 9", (0,)), ("value == 5", (0,)),
        ("auto left = Maybe{n}", (0,)), ("n == 4", (1, 0)), ("inside(n)", (1, 0)),
        ("i < 3 && sum < 50", (0,)), ("i < 3", (1,)), ("sum < 50", (1,)),
        ("half > 20", (1, 0)), ("auto odd = Maybe{sum % 2}", (1, 0)), ("sum == 8", (1, 0)), ("sum > 90", (0,)),
        ("sum > 20", (1, 0)), ("large", (1, 0)), ("n < 13", (0,))]


def test_points_alone_change_nothing(found):
    plain, mutated, _ = found
    assert mutated(-1, 0) == plain() != ""


@pytest.mark.parametrize("text, value", [("value > 0", 0), ("value == 5", 0), ("n == 4", 0), ("inside(n)", 1), ("sum < 50", 1), ("half > 20", 1),
                                         ("auto odd = Maybe{sum % 2}", 0), ("auto left = Maybe{n}", 0), ("large", 0)])
def test_a_point_that_is_changed_changes_the_program(found, text, value):
    plain, mutated, texts = found
    number = next(number for number, (shown, _) in enumerate(texts) if shown == text)
    assert mutated(number, value) not in ("", plain())

"""The ways through the compiler by which a program can be compared."""

import dataclasses
import os


@dataclasses.dataclass(frozen=True)
class Way:
    door: str = "script"
    options: tuple = ()  # of jit_mlir.load
    gradients: bool = False
    package: bool = False

    @property
    def wants_other_sizes(self):
        return any(name == "any_sizes" and shares is not False for name, shares in self.options)


# As for the tests of the GPU (test/Numerics/test_gpu.py): the emulation, or with JIT_GPU_TARGET=cuda a GPU.
GPU = ("target", os.environ.get("JIT_GPU_TARGET", "cuda-emulation"))

WAYS = {"exact": Way(), "automatic": Way(options=(("any_sizes", None),)), "any": Way(options=(("any_sizes", True),)), "gradients": Way(gradients=True), "package": Way(package=True),
        "threads": Way(options=(("threads", 2),)), "cuda": Way(options=(GPU,)), "cuda-any": Way(options=(GPU, ("any_sizes", True))),
        "cuda-gradients": Way(options=(GPU,), gradients=True), "trace": Way("trace"),
        "export": Way("export"), "any-gradients": Way(options=(("any_sizes", True),), gradients=True),
        "compile": Way("compile"), "compile-gradients": Way("compile", gradients=True),
        "any-package": Way(package=True, options=(("any_sizes", True),))}

"""The one lit configuration. Tests are .mlir and .test files; `Inputs` folders hold their data."""

import glob
import os

import lit.formats

config.name = "jit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Numerics"]
config.test_source_root = os.path.join(config.jit_source_root, "test")
config.test_exec_root = os.path.join(config.jit_binary_root, "test")

tools = [os.path.join(config.jit_binary_root, "bin"), config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(tools + [os.environ["PATH"]])
# A test is to compile what it tests, and to leave nothing behind.
config.environment["JIT_CACHE"] = "off"

# Kernels are assembled where the CUDA toolkit is: the folder that CUDA_HOME names, the usual place, or packages in .venv.
folders = [os.environ["CUDA_HOME"]] if "CUDA_HOME" in os.environ else ["/usr/local/cuda"]
folders += glob.glob(os.path.join(config.jit_source_root, ".venv/lib/python3*/site-packages/nvidia/*"))
toolkit = next((f for f in folders if os.path.exists(os.path.join(f, "bin/ptxas"))), None)
if toolkit:
    config.available_features.add("ptxas")
    config.environment["CUDA_HOME"] = toolkit
    config.substitutions.append(("%ptxas", os.path.join(toolkit, "bin/ptxas")))
    if os.path.exists(os.path.join(toolkit, "nvvm/libdevice/libdevice.10.bc")):
        config.available_features.add("libdevice")
else:
    lit_config.note("no ptxas: kernels are not assembled (scripts/setup test installs it)")

"""The one lit configuration. Tests are .mlir and .test files; `Inputs` folders hold their data."""

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

"""The lit tests of this checkout with the tools of the mutated build, one at a time, in this process."""

import os
import pathlib
import shutil
import sys

import checkout

LIT = pathlib.Path("/usr/lib/llvm-22/utils/lit")
SITE = """config.jit_source_root = {root!r}
config.jit_binary_root = {build!r}
config.llvm_tools_dir = "/usr/lib/llvm-22/bin"
lit_config.load_config(config, {cfg!r})
config.test_exec_root = {folder!r}
config.environment["JIT_MUTATION"] = {mapped!r}
"""


class LitTests:
    """{name: test}; names are paths within test/."""

    def __init__(self, folder):
        sys.path.insert(1, str(LIT))
        import lit.discovery
        import lit.LitConfig

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        values = {"root": str(checkout.ROOT), "build": str(checkout.LIMITED), "cfg": str(checkout.ROOT / "test/lit.cfg.py"),
                  "folder": str(folder), "mapped": os.environ["JIT_MUTATION"]}
        (folder / "lit.site.cfg.py").write_text(SITE.format(**values))
        self.config = lit.LitConfig.LitConfig("lit", [], "", False, False, [], False, False, False, "lexical", {})
        tests = lit.discovery.find_tests_for_inputs(self.config, [str(folder)])
        self.tests = {"/".join(test.path_in_suite): test for test in tests}

    def passes(self, name):
        import lit.worker

        result = lit.worker._execute(self.tests[name], self.config)
        return not result.code.isFailure

"""Arguments on the command line and specs of calls to compile."""

from . import Case, run
from .archive import INPUT, archive

SPECS = ["", ",", "(", ")", "[" * 100, "(" * 100000, "f32[", "f32[]x", "f32[2", "f32[-2]", "f32[99999999999999999999]", "f32[9223372036854775807]",
         "f32[4611686018427387904,4]", "f32[0,9223372036854775807,9223372036854775807]", "f32[" + ",".join(["1"] * 65) + "]",
         "f32[" + ",".join(["1"] * 50000) + "]", "f99[2]", "x" * 100000, '"', '"\\', '"\\x', '"\\xZZ"', "@", "@absent.npy", "@.", "99999999999999999999",
         "1e999", "-", "--1", "(1,2", "[1,f32[2]", "none none", "f32[2]:", "f32[2]:gradient", "@x.npy:grad:grad", "\x01\x02", "f32[2]]"]

CALLS = ["", "forward", "forward(", "forward)", "forward(f32[2]", "forward(f32[2]))", "(f32[2])", "absent(f32[2])", "forward(f32[n,n,n,n,n,n])",
         "forward(" + "(" * 100 + ")", "forward(f32[" + ",".join(["1"] * 65) + "])", "forward(f32[9223372036854775807,9223372036854775807])",
         "forward(f32[2]:strides[9223372036854775807])", "forward(f32[2]:strides[1,1])", "forward(f32[2]:strides[-1])", "forward(f32[2]:strides[0])",
         "forward(f32[2]:strides[1]:part[0,-1,9])", "forward(f32[2]:strides[1]:part[0,9223372036854775807,9])", "forward(f32[2]:part[0,0,1])",
         "forward(f32[2]:part[0,0])", "forward(f32[2]@)", "forward(f32[2]@cuda:99999999999999999999)", "forward(f32[2]@nowhere)", "forward(?int)",
         "forward(none)", "forward(undef)", "forward(default)", 'forward("text")', "forward(1,2,3)", "forward(f32[" + "n" * 100000 + "])",
         "forward(f32[" + ",".join(f"n{i}" for i in range(60)) + "])"]


def cases():
    program = archive()
    for number, spec in enumerate(SPECS):
        yield Case(f"spec-{number}-{spec[:12]!r}", run("program.pt", f"--input={spec}"), {"program.pt": program, "x.npy": INPUT}, "error")
    for number, call in enumerate(CALLS):
        open_question = call.startswith(("forward(f32[n", "forward(default", "forward(f32[2]@", "forward(f32[2]:strides[0])", "forward(f32[2]:strides[-1])"))
        yield Case(f"call-{number}-{call[:16]!r}", ["jit-compile", "program.pt", "-o", "out.so", f"--call={call}"], {"program.pt": program},
                   None if open_question else "error")

"""A child of test_odd_operands.py: calls of one operator that eager mostly refuses, by ours alone. Says each call before it is made and,
where it ends in an error that no user should see, that. What it ends in itself after a call is that call's crash."""

import signal
import sys
import warnings

import torch

SHAPES = [torch.tensor(1.5), torch.zeros(0), torch.zeros(0, 3), torch.ones(1, 2, 2)]
NUMBERS = (0, -1, 1, 3, -4)  # for dimensions, sizes, counts
SECONDS = 120
UNEXPECTED = ("internal", "malformed")


def operators():
    """The schemas of PyTorch whose first operand is a tensor, by name."""
    found = {}
    for schema in torch._C._jit_get_all_schemas():
        arguments = schema.arguments
        if schema.name.startswith("aten::") and arguments and str(arguments[0].type) == "Tensor" and not any(a.is_out for a in arguments):
            found.setdefault(schema.name[6:], []).append(schema)
    return found


def filled(argument, number):
    """Text of a value, "" for the default, None where there is none to give."""
    kind = str(argument.type)
    if argument.has_default_value() and kind not in ("int", "List[int]"):
        return ""
    values = {"Tensor": "y", "int": str(number), "number": "2", "float": "0.5", "bool": "False", "List[int]": f"[{number}]", "List[Tensor]": "[y]"}
    value = "None" if kind.startswith("Optional[") else values.get(kind)
    return value and f"{argument.name}={value}"


def calls(schema):
    """The text of calls whose operands are `x` and, as often as tensors are wanted, `y`."""
    for number in NUMBERS:
        values = [filled(argument, number) for argument in schema.arguments[1:]]
        if None not in values:
            yield ", ".join([f"torch.ops.aten.{schema.name[6:]}(x", *filter(None, values)]) + ")"


def run(jit_mlir, call, say):
    try:
        program = torch.jit.CompilationUnit(f"def program(x: Tensor, y: Tensor):\n    return {call}\n").program
        program.save("program.pt")
    except Exception:  # no schema takes these
        return
    for operand in SHAPES:
        for any_sizes in (False, True):
            say("call", f"{call} of {list(operand.shape)}, any_sizes={any_sizes}")
            try:
                jit_mlir.load("program.pt", any_sizes=any_sizes)(operand.clone(), operand.clone())
            except jit_mlir.Error as error:
                if error.kind in UNEXPECTED:
                    say("error", f"{error.kind}: {error}")


def main():
    site, name = sys.argv[1:]
    sys.path.insert(0, site)
    import jit_mlir

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.alarm(SECONDS)

    def say(what, text):
        print(what, " ".join(text.split()), flush=True)

    for call in dict.fromkeys(call for schema in operators()[name] for call in calls(schema)):
        run(jit_mlir, call, say)


if __name__ == "__main__":
    main()

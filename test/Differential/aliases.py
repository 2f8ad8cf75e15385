"""Enumerates small programs about aliases: each of a few statements in each place of a few loops and branches, before each of a few writes,
and each choice of what is read in the end. What random programs meet by chance is met here in all its forms."""

from generator import valid
from program import Program, Statement

CONDITION = "bool(p.sum() > i)"
# What stands in a place: names of memories, views of them, and writes through them.
STATEMENTS = ("p = q", "q = p", "p, q = q, p", "p = q * 1", "q = p.t()", "r = p[0]", "r = q.diagonal()", "r = r * 1", "p.add_(1.0)", "q.mul_(0.5)",
              "r.sub_(0.25)", "p[1] = r", "p[:, :1] -= torch.zeros([1])", "q = q - torch.zeros([1])", f"p = q if {CONDITION} else p", f"q = q.view_as(q) if {CONDITION} else p", "p = [q, p][i % 2]")
# New memory, an argument's and new memory, or two arguments'.
BEFORE = (("p = x * 1", "q = x * 0.5"), ("p = x", "q = x * 0.5"), ("p = x", "q = y"))
AFTER = ("", "p.add_(2.0)", "q.add_(2.0)", "r.add_(2.0)")
RESULTS = (["p"], ["q"], ["r"], ["p", "q"], ["p", "q", "r", "x"])  # arguments are compared, too
FOR, WHILE = "for i in range(n):", "while bool(x.sum() > i - 9) and i < n:"


def loop(*places):
    return [Statement(FOR, list(places))]


def branch(first, second, third):
    return [Statement(FOR, [Statement(f"if {CONDITION}:", [first, second], [third])])]


def branch_between(first, second, third):
    return [Statement(FOR, [first, Statement(f"if {CONDITION}:", [second]), third])]


def while_loop(*places):
    return [Statement("i = 0"), Statement(WHILE, [Statement("i += 1"), *places])]


def nested(first, second, third):
    return [Statement(FOR, [first, Statement("for j in range(2):", [second, third])])]


def one_after_the_other(first, second, third):
    return [Statement(FOR, [first, second]), Statement(FOR, [third])]


FORMS = (loop, branch, branch_between, while_loop, nested, one_after_the_other)
COUNT = len(BEFORE) * len(FORMS) * len(STATEMENTS) ** 3 * len(AFTER) * len(RESULTS)
STEP = 104_729  # a prime: programs one after the other are of all kinds, and COUNT of them are all


def generate_aliases(seed):
    """The program of this number, below COUNT; None where PyTorch runs nothing of it."""
    number = seed * STEP % COUNT

    def chosen(among):
        nonlocal number
        number, place = divmod(number, len(among))
        return among[place]

    places = [Statement(chosen(STATEMENTS)) for _ in range(3)]
    before, after, results, form = chosen(BEFORE), chosen(AFTER), chosen(RESULTS), chosen(FORMS)
    body = [*map(Statement, (*before, "r = q[1]")), *form(*places), *([Statement(after)] if after else [])]
    calls = ["(torch.arange(9.0).reshape(3, 3) - 3.5, torch.ones(3, 3), 2)", "(torch.arange(9.0).reshape(3, 3) * -0.5 + 1.0, torch.eye(3), 3)"]
    return valid(Program("x: Tensor, y: Tensor, n: int", body, list(results), calls))

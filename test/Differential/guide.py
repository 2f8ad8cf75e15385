"""What the generator knows while it writes a program: the values that one run has so far, and the types of the names in scope.

Each statement is run as soon as it is written. What raises is not written, and the next one is chosen by the sizes and element types
that there really are.
"""

import copy
import warnings

import torch
from program import Statement, names
from watch import Watch

LARGEST = 600  # elements of a tensor


class NoChoice(Exception):
    """Nothing in scope fits; another production has to serve."""


class Guide:
    def __init__(self, rng, kinds, values, module=None):
        self.rng = rng
        self.kinds = dict(kinds)  # name -> annotation, of the names in scope
        self.values = {**names(), **values, "given": list(leaves(values.values()))}
        if module is not None:
            self.values["self"] = module
            self.kinds |= {f"self.{name}": "Tensor" for name, _ in module.named_buffers()}
            self.read_state()
        self.depth = 0
        self.loops = 0
        self.made = 0
        self.is_about_names = False
        self.with_gradients = False
        self.functions = {}  # name -> (name, how many results, ranks of its tensors)

    def read_state(self):
        for name in self.kinds:
            if name.startswith("self."):
                self.values[name] = getattr(self.values["self"], name[5:])

    # ---- choices

    def chance(self, share):
        return self.rng.random() < share

    def some(self, choices):
        choices = list(choices)
        if not choices:
            raise NoChoice
        return self.rng.choice(choices)

    def weighted(self, productions):
        return self.rng.choices([make for _, make in productions], [weight for weight, _ in productions])[0]

    def name(self, kind, test=lambda value: True):
        """A name in scope; those made last are the likeliest."""
        found = [name for name, of in self.kinds.items() if of == kind and test(self.values[name])]
        if not found:
            raise NoChoice
        return found[-1 - min(int(self.rng.expovariate(0.4)), len(found) - 1)]

    def tensor(self, test=lambda value: True):
        return self.name("Tensor", test)

    def floating(self, test=lambda value: True):
        return self.tensor(lambda value: value.is_floating_point() and test(value))

    def fresh(self, prefix):
        self.made += 1
        return f"{prefix}{self.made}"

    def value(self, text):
        """What an expression gives now; it must not write."""
        with warnings.catch_warnings(), Watch():
            warnings.simplefilter("ignore")
            return eval(text, self.values)

    def integer(self, value):
        """An int as text: a literal, or a name in scope that has this value."""
        found = [name for name, kind in self.kinds.items() if kind == "int" and self.values[name] == value]
        return self.rng.choice(found) if found and self.chance(0.5) else str(value)

    def size(self, text, dim):
        """A size of the value of an expression as text: a literal or a question."""
        if text.isidentifier() and self.chance(0.4):
            return f"{text}.size({dim})"
        return self.integer(self.value(text).size(dim))

    def below(self, limit):
        """An index below a size, sometimes counted from the end."""
        if limit < 1:
            raise NoChoice
        index = self.rng.randrange(limit)
        return str(index - limit) if self.chance(0.25) else self.integer(index)

    # ---- statements

    def runs(self, statement, kinds=()):
        """Runs a statement; keeps the names that it makes, whose annotations are given. False where it raises."""
        code = statement.text()
        before = dict(self.values)
        try:
            with warnings.catch_warnings(), Watch():
                warnings.simplefilter("ignore")
                exec(compile(code, "statement", "exec"), self.values)
            self.read_state()
            if any(too_large(value) for value in self.values.values()):
                raise NoChoice
        except Exception:
            self.values = before
            self.read_state()
            return False
        self.kinds.update(kinds)
        return True

    def block(self, produce, least, most):
        """Statements for a branch or body, written as if this were run now; nothing of them is left in scope."""
        values, kinds = self.values, dict(self.kinds)
        self.values = copied(values)
        self.depth += 1
        body = []
        wanted = self.rng.randint(least, most)
        for _ in range(4 * wanted):
            if len(body) >= wanted:
                break
            body += produce(self)
        self.depth -= 1
        self.values, self.kinds = values, kinds
        return body


def leaves(values):
    """The tensors among values and in their lists."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from leaves(value)


def too_large(value):
    if isinstance(value, torch.Tensor):
        return value.numel() > LARGEST
    if isinstance(value, (list, tuple)):
        return len(value) > 24 or any(map(too_large, value))
    return isinstance(value, int) and abs(value) > 2**62


def copied(values):
    """All values with the memory that they share."""
    own = {name: value for name, value in values.items() if name not in names() and name != "__builtins__"}
    return {**values, **copy.deepcopy(own)}


def line(text):
    return [Statement(text)]

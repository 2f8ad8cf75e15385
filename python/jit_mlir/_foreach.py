"""PyTorch's operators on lists of tensors (`_foreach_add` and its kin), as optimizers call them: one operator for each tensor."""

from typing import Any, Callable

import torch

aten = torch.ops.aten

# What an operator on lists is called where it takes one tensor of each, if not by its own name.
_NAMES = {"maximum.Scalar": "clamp_min", "maximum.ScalarList": "clamp_min", "minimum.Scalar": "clamp_max", "minimum.ScalarList": "clamp_max",
          "norm.Scalar": "linalg_vector_norm"}
# Those whose last argument is a keyword there.
_WITH_VALUE = ("addcdiv", "addcmul")


def _functional(schema: torch.FunctionSchema) -> bool:
    return not schema.is_mutable and "out" not in schema.overload_name.split("_")


def _for_each(operator: Any) -> Callable[..., list[torch.Tensor]]:
    schema = operator._schema
    own = schema.name.removeprefix("aten::_foreach_")
    one = getattr(aten, _NAMES.get(f"{own}.{schema.overload_name}", own))
    lists = {argument.name for argument in schema.arguments if isinstance(argument.type, torch.ListType)}
    keywords = {argument.name for argument in schema.arguments if argument.kwarg_only}

    def rule(*args: Any, **options: Any) -> list[torch.Tensor]:
        given = dict(zip((argument.name for argument in schema.arguments), args)) | options
        count = next(len(value) for name, value in given.items() if name in lists)

        def call(index: int) -> torch.Tensor:
            each = {name: value[index] if name in lists else value for name, value in given.items()}
            options = {name: each.pop(name) for name in keywords & each.keys()}
            values = list(each.values())
            if own in _WITH_VALUE and len(values) == 4:
                options["value"] = values.pop()
            if own == "norm":
                options["dtype"] = values.pop() if len(values) == 3 else None
            return one(*values, **options)

        return [call(index) for index in range(count)]

    return rule


def rules() -> dict[Any, Callable[..., list[torch.Tensor]]]:
    """By operator, those that have a form for one tensor of each list."""
    table: dict[Any, Callable[..., list[torch.Tensor]]] = {}
    for name in {schema.name for schema in torch._C._jit_get_all_schemas() if schema.name.startswith("aten::_foreach_")}:
        packet = getattr(aten, name.removeprefix("aten::"))
        for overload in packet.overloads():
            operator = getattr(packet, overload)
            # A tensor of factors, and sums of powers, have no operator of their own.
            has_form = name != "aten::_foreach_powsum" and not (name.endswith(_WITH_VALUE) and overload == "Tensor")
            if _functional(operator._schema) and has_form:
                table[operator] = _for_each(operator)
    return table

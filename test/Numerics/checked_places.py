"""Programs that read and write at places that data tell, with work before and behind: a place outside of a tensor is an exception, whatever
was moved where."""

WRITES = {
    "row": "out[i] = y", "column": "out[:, i] = y[:4]", "element": "out[i, 1] = y.sum()", "select": "out.select(0, i).copy_(y)", "add": "out[i] += y",
    "narrow": "out.narrow(0, i, 2).mul_(y)", "index_copy": "out.index_copy_(0, t.view(1), y.view(1, -1))", "index_put": "out[t.view(1)] = y", "index_add": "out.index_add_(0, t.view(1), y.view(1, -1))",
    "index_fill": "out.index_fill_(0, t.view(1), 2.0)", "scatter": "out.scatter_(0, t.view(1, 1).expand(1, 4), y.view(1, -1))", "scatter_add": "out.scatter_add_(0, t.view(1, 1).expand(1, 4), y.view(1, -1))",
    "diagonal": "out.diagonal()[i] = y[0]", "view": "out.view(2, 2, 4)[:, :, i] = y.view(2, 2)",
}
READS = {
    "row": "y = y + out[i]", "column": "y = y * out[:, i]", "element": "y = y + out[i, 1]", "narrow": "y = y + out.narrow(0, i, 1).sum()", "index_select": "y = y + out.index_select(0, t.view(1)).sum(0)",
    "index": "y = y + out[t.view(1)].sum(0)", "gather": "y = y + out.gather(0, t.view(1, 1).expand(1, 4)).sum(0)", "take": "y = y + out.take(t * 4)", "embedding": "y = y + torch.nn.functional.embedding(t.view(1), out).sum(0)",
}
SHAPES = {
    "straight": "    y = torch.sin(x) * 2\n    i = int(t.item())\n    {0}\n    y = y + 1\n",
    "early": "    i = int(t.item())\n    y = torch.sin(x) * 2\n    z = torch.cos(x).sum()\n    {0}\n    y = y * z\n",
    "branch": "    y = torch.sin(x) * 2\n    i = int(t.item())\n    if bool(x.sum() > 0):\n        y = y - 1\n        {0}\n",
    "loop": "    i = int(t.item())\n    for k in range(3):\n        y = torch.sin(x) * k\n        {0}\n        x = x + y\n",
    "long loop": "    i = int(t.item())\n    y = x\n    k = 0\n    while bool(y.sum() < 50) and k < 4:\n        y = y.abs() + torch.exp(x)\n        {0}\n        k += 1\n",
    "last": "    i = int(t.item())\n    for k in range(3):\n        y = torch.sin(x) * k\n        if k == 2:\n            {0}\n        x = x + y\n",
    "product": "    y = torch.mm(out, out.t())[0] * x\n    i = int(t.item())\n    {0}\n    y = y.softmax(0)\n",
    "twice": "    y = torch.sin(x) * 2\n    i = int(t.item())\n    {0}\n    y = torch.cos(y)\n    i = i // 1\n    {0}\n",
    "mask": "    y = x[x > -1e9].expand(4) * 2\n    i = int(t.item())\n    {0}\n    y = y + 1\n",
}


def cases():
    for kind, statements in (("write", WRITES), ("read", READS)):
        for name, statement in statements.items():
            for shape, text in SHAPES.items():
                body = text.format(statement)
                yield f"{kind} {name}, {shape}", f"def program(x, t, out):\n    y = x\n    out = out.clone()\n{body}    return out, y\n"
                if kind == "write":
                    yield f"{kind} {name} of an argument, {shape}", f"def program(x, t, out):\n    y = x\n{body}    return out, y\n"

"""Every view operator, written through in every way, where memory has one name or several: programs for test_view_writes.py."""

# How a tensor `y` of sizes (4, 6) is seen; PyTorch's list of view operators, and those that are views or copies by strides.
VIEWS = {
    "as_strided": "y.as_strided([2, 3], [6, 2], 1)", "detach": "y.detach()", "diagonal": "y.diagonal(1)",
    "expand (same)": "y.expand(4, 6)", "expand_as (same)": "y.expand_as(x)", "movedim": "y.movedim(0, 1)",
    "moveaxis": "y.moveaxis(0, 1)", "narrow": "y.narrow(1, 1, 3)", "permute": "y.permute(1, 0)", "select": "y.select(1, 2)",
    "squeeze": "y.unsqueeze(0).squeeze(0)", "transpose": "y.transpose(0, 1)", "t": "y.t()", "T": "y.T", "mT": "y.mT",
    "view_as_real": "torch.view_as_real(torch.view_as_complex(y.view(4, 3, 2)))", "unflatten": "y.unflatten(1, [2, 3])",
    "unfold": "y.unfold(1, 2, 2)", "unsqueeze": "y.unsqueeze(1)", "view": "y.view(6, 4)", "view_as": "y.view_as(x)",
    "unbind": "y.unbind(0)[1]", "split": "y.split(2)[1]", "split_with_sizes": "y.split_with_sizes([1, 3])[1]",
    "tensor_split": "y.tensor_split(3, 1)[2]", "chunk": "y.chunk(2, 1)[1]", "swapaxes": "y.swapaxes(0, 1)",
    "swapdims": "y.swapdims(0, 1)", "index": "y[1:3, ::2]", "select by index": "y[-1]", "reshape (view)": "y.reshape(3, 8)",
    "reshape (copy)": "y.t().reshape(3, 8)", "reshape_as (view)": "y.reshape_as(x)", "flatten (view)": "y.flatten()",
    "flatten (copy)": "y.t().flatten()", "contiguous (itself)": "y.contiguous()", "contiguous (copy)": "y.t().contiguous()",
    "to (itself)": "y.to(torch.float32)", "to (copy)": "y.to(torch.float64)", "to with copy": "y.to(torch.float32, copy=True)",
    "type_as (itself)": "y.type_as(x)", "ravel": "y.ravel()", "clone": "y.clone()", "views of views": "y[1:].t()[::2].view(3, 3)",
    "part of expanded": "y.unsqueeze(0).expand(2, 4, 6)[1]", "real": "torch.real(y)", "data": "y.data",
    "adjoint": "y.adjoint()", "H": "y.H", "mH": "y.mH", "hsplit": "y.hsplit(2)[1]", "vsplit": "y.vsplit(2)[1]",
    "hsplit at places": "y.hsplit([1, 4])[1]", "real (of complex)": "torch.real(torch.view_as_complex(y.view(4, 3, 2)))",
    "imag": "torch.imag(torch.view_as_complex(y.view(4, 3, 2)))", "squeeze (dimensions)": "y.view(4, 1, 6, 1).squeeze([1, 3])",
    "unbind (last)": "y.unbind(1)[-1]", "alias": "torch.ops.aten.alias(y)", "unsafe_chunk": "y.unsafe_chunk(2, 1)[1]",
    "select of a diagonal": "y.diagonal(-1)[1:]", "windows that overlap": "y.clone().unfold(1, 3, 3)",
    "as_tensor (itself)": "torch.as_tensor(y)", "as_tensor (copy)": "torch.as_tensor(y, dtype=torch.float64)",
    "mH (of complex)": "torch.view_as_complex(y.view(4, 3, 2)).mH.real", "conj": "torch.view_as_complex(y.view(4, 3, 2)).conj().imag",
    "resolve_conj (itself)": "torch.view_as_complex(y.view(4, 3, 2)).resolve_conj().real",
    "resolve_conj (copy)": "torch.view_as_complex(y.view(4, 3, 2)).conj()[0].resolve_conj().real",
    "resolve_neg (copy)": "torch.view_as_complex(y.view(4, 3, 2)).conj().imag.t().resolve_neg()",
}

WRITES = {
    "mul_": "v.mul_(3.0)", "add_": "v.add_(x.sum())", "copy_": "v.copy_(v * 2.0 + 1.0)", "zero_": "v.zero_()",
    "clamp_": "v.clamp_(-0.5, 0.5)",
}

PLACES = {
    "straight": """
    y = x * 1.0
    v = {view}
    {write}
    return y, v, y + 1.0
""",
    "branch": """
    y = x * 1.0
    z = x * 2.0
    v = {view}
    if bool(x[0, 0] > 0):
        y = z
        v = {view}
    {write}
    return y, z, v
""",
    "loop": """
    y = x * 1.0
    for i in range(3):
        v = {view}
        {write}
        y = y + 1.0
    return y
""",
    "list": """
    y = x * 1.0
    v = {view}
    held = [y, x * 2.0]
    {write}
    return torch.cat(held), held[0], v
""",
    "state": """
    y = self.state
    v = {view}
    {write}
    return y * 1.0, v * 1.0
""",
}


def source_of(view, write, place):
    body = PLACES[place].replace("{view}", VIEWS[view]).replace("{write}", WRITES[write])
    return "def forward(self, x):" + body


# Tensors whose elements lie in other ways than rows, of `x` of sizes (4, 6).
LAYOUTS = {
    "rows": "x", "transposed": "x.t()", "every other row": "x[::2]", "every other column": "x[:, ::2]", "diagonal": "x.diagonal()",
    "column": "x[:, 1]", "corner": "x[1:, 2:]", "permuted": "x.view(2, 2, 6).permute(2, 0, 1)", "windows": "x.unfold(1, 2, 3)",
    "middle": "x.view(2, 2, 6)[:, 1]", "one column": "x[:, :1]", "one column as a row": "x[:, :1].t()", "part of a row": "x[1:2, ::3]",
    "places": "x.as_strided([2, 3], [1, 4], 2)", "images": "x.view(1, 2, 3, 4).contiguous(memory_format=torch.channels_last)",
    "nothing": "x[2:2]", "number": "x[1, 2]", "expanded": "x[:, :1].expand(4, 3)", "expanded row": "x[:1].expand(3, 6).t()",
    "with a dimension of 1": "x.t().unsqueeze(1)", "expanded, with a dimension of 1": "x[:, :1].unsqueeze(2).expand(4, 3, 1)",
    "a row, transposed": "x[1:2].t()", "stepped, with dimensions of 1": "x[::2, 3:4].unsqueeze(0)",
    "permuted, with a dimension of 1": "x.view(2, 1, 2, 6).permute(3, 1, 0, 2)", "one image": "x.view(1, 1, 4, 6).to(memory_format=torch.channels_last)",
}

# What is a view or a copy by how the elements of `y` lie, or makes new memory by it (`w`).
RESHAPES = (
    "y.ravel()", "y.reshape(-1)", "y.flatten()", "y.contiguous()", "y.flatten(0, 0)", "y.contiguous().view(-1)", "y.reshape(1, -1)",
    "y.reshape(y.shape)", "y.T.reshape(-1)", "y.swapaxes(0, -1).flatten()", "y.unsqueeze(1).ravel()", "y.detach().ravel()",
    "y.to(memory_format=torch.contiguous_format)", "y.to(memory_format=torch.channels_last)", "y.contiguous(memory_format=torch.channels_last)",
    "w.reshape(-1)", "w.T.reshape(-1)", "w.T.ravel()", "w.contiguous()", "w.to(memory_format=torch.contiguous_format)",
)
MADE = ("y", "y * 2.0", "y.clone()", "y.to(torch.float64)")


def layout_source(layout, reshape, made):
    lines = [f"y = {LAYOUTS[layout]}", f"w = {made}", f"v = {reshape}", "v.mul_(3.0)", "return x, y, w, v"]
    return "\n    ".join(["def program(x: Tensor):", *lines]) + "\n"


# Operators that make new memory: of its strides programs see what `stride()` says, and whether `view` and `contiguous` copy.
NEW_MEMORY = (
    "y + y", "y * 2.0", "y - 0.25", "1.0 - y", "torch.exp(y)", "torch.clamp(y, 0.0, 5.0)", "y > 2.0", "torch.where(y > 2.0, y, 0.0)", "y ** 2",
    "torch.pow(2.0, y)", "y.add(y, alpha=2.0)", "torch.lerp(y, y * 2.0, 0.5)", "torch.addcmul(y, y, y, value=0.5)", "y + y.sum(0)",
    "y * torch.ones(1)", "y.clone()", "torch.empty_like(y).fill_(2.0)", "torch.zeros_like(y)", "y.to(torch.float64)", "torch.relu(y)", "torch.sigmoid(y)",
    "F.gelu(y)", "F.leaky_relu(y, 0.1)", "F.hardtanh(y)", "y.neg()", "y.contiguous()", "torch.remainder(y, 3.0)", "torch.floor_divide(y, 2)",
    "y.masked_fill(y > 2.0, 0.0)", "y.index_fill(0, torch.tensor([0]), 1.0)", "y.index_add(0, torch.tensor([0]), y[:1])",
    "y.index_copy(0, torch.tensor([0]), y[:1])",
    "torch.cumsum(y, 0)", "torch.softmax(y, 0)", "torch.cat([y, y], 0)", "torch.stack([y, y], 0)",
    "y.flip(0)", "y.roll(1, 0)", "torch.maximum(y, y + 1.0)", "torch.atan2(y, y)", "y.round()", "torch.square(y)", "torch.rsqrt(y)",
    "y.sum(-1, keepdim=True)", "y.logical_not()", "torch.sub(y, y, alpha=2)", "y.fmod(2.0)", "torch.threshold(y, 1.0, 0.0)",
    "y @ y.mT", "torch.matmul(y, y.mT)", "F.linear(y, y)", "F.linear(y, y, y[:, 0])", "torch.addmm(y @ y.mT, y, y.mT)",
)


def strides_source(layout, made):
    asked = "[s for s in w.stride()] if w.numel() > 0 else [0]"
    lines = [f"y = {LAYOUTS[layout]}", f"w = {made}", f"return w.sum(), {asked}"]
    return "\n    ".join(["def program(x: Tensor):", *lines]) + "\n"


# Whether what an operator gives is new memory: a write to `w` is seen in `y` or not.
NEW_OR_SHARED = (
    "torch.narrow_copy(y, 0, 0, 1)", "torch.permute_copy(y, [1, 0])", "torch.expand_copy(y, [4, 6])", "torch.detach_copy(y)",
    "torch.view_copy(y, [24])", "torch.slice_copy(y, 0, 0, 2)", "torch.select_copy(y, 0, 0)", "torch.squeeze_copy(y)", "torch.t_copy(y)",
    "torch.unsqueeze_copy(y, 0)", "torch.transpose_copy(y, 0, 1)", "torch.unfold_copy(y, 0, 2, 2)", "torch.diagonal_copy(y)",
    "torch.as_strided_copy(y, [2], [1])", "torch.unbind_copy(y, 0)[0]", "torch.split_copy(y, 2)[0]", "torch.alias_copy(y)",
    "torch.split_with_sizes_copy(y, [1, 3])[0]", "torch.unsafe_split(y, 2)[0]", "torch.unsafe_chunk(y, 2)[0]", "torch.diag(y)", "torch.diag(y[0])",
    "torch.diagonal(y)", "torch.linalg_diagonal(y)", "torch.rot90(y, 0)", "torch.rot90(y, 4)", "y.roll(0, 0)", "y.flip([0])", "F.pad(y, [0, 0])",
    "F.pad(y, [-1, 0])", "y.repeat(1, 1)", "y.tile([1])", "F.dropout(y, 0.5, False)", "F.dropout(y, 0.0, True)", "F.alpha_dropout(y, 0.5, False)",
    "F.feature_dropout(y, 0.5, False)", "torch.nan_to_num(y)", "torch.conj(y)", "torch.real(y)", "torch.resolve_conj(y)", "torch.resolve_neg(y)",
    "torch.positive(y)", "torch.cat([y])", "torch.stack([y])", "torch.hstack([y])", "torch.vstack([y])", "torch.broadcast_tensors(y, y)[0]",
    "torch.broadcast_to(y, [4, 6])", "torch.meshgrid(y[0], y[1])[0][:, 0]", "torch.atleast_1d(y)", "torch.atleast_2d(y)", "torch.atleast_3d(y)",
    "torch.einsum('ij->ij', y)", "torch.einsum('ij->ji', y)", "torch.sum(y, [])", "y.sum_to_size(4, 6)", "y.sum_to_size([1, 6])", "y.type_as(y)",
    "y.float()", "y.to(y)", "y.cpu()", "y.data", "y.detach()", "y.view_as(y)", "y.reshape_as(y)", "y.expand_as(y)", "y.expand(4, 6)",
    "torch.block_diag(y)", "torch.cartesian_prod(y[0])", "torch.tensor_split(y, 2)[0]", "torch.hsplit(y, 2)[0]", "torch.vsplit(y, 2)[0]",
    "torch.swapdims(y, 0, 1)", "y.adjoint()", "y.mT", "y.mH", "y.H", "torch.ravel(y)", "torch.flatten(y)", "torch.diff(y, n=0)", "y.index_select(0, torch.tensor([0]))",
    "y[torch.tensor([0])]", "y[y > 0.0]", "y[[0]]", "y[0]", "y[...]", "y[None]", "torch.clone(y)", "y.contiguous()", "y.t().contiguous()", "F.interpolate(y[None], scale_factor=1.0)",
    "torch.mul(y, 1)", "y * 1.0", "y + 0", "torch.round(y)", "torch.abs(y)", "torch.clamp(y, min=-100.0)", "F.relu(y)", "F.threshold(y, -1.0, 0.0)",
    "torch.where(y > -100.0, y, y)", "torch.max(y, 0)[0]", "torch.sort(y)[0]", "F.adaptive_avg_pool1d(y, 6)", "F.avg_pool1d(y, 1)", "F.max_pool1d(y, 1)",
    "F.pixel_shuffle(y.view(1, 4, 6, 1), 1)", "F.channel_shuffle(y.view(1, 4, 6, 1), 1)", "torch.repeat_interleave(y, 1)", "torch.repeat_interleave(y, 1, 0)",
    "torch.take(y, torch.arange(24))", "torch.gather(y, 0, torch.zeros([1, 6], dtype=torch.int64))", "torch.tril(y, 10)", "torch.triu(y, -10)",
    "torch.addmm(y, y, torch.zeros(6, 6))", "torch.squeeze(y)", "torch.movedim(y, 0, 1)", "torch.unflatten(y, 1, [2, 3])", "torch.select(y, 0, 1)",
    "y.masked_fill(y > 100.0, 0.0)", "torch.masked_select(y, y > -100.0)", "y.scatter(0, torch.zeros([1, 6], dtype=torch.int64), y)", "torch.trapezoid(y)",
    "torch.complex(y, y).real", "torch.view_as_real(torch.complex(y, y))[..., 0]", "torch.cumsum(y, 0)", "y.mean(0, keepdim=True)", "y.amax([])", "torch.quantile(y, 0.5)",
    "F.fold(F.unfold(y.view(1, 1, 4, 6), [1, 1]), [4, 6], [1, 1])[0, 0]", "F.normalize(y)", "F.softmax(y, 0)", "F.glu(y)", "torch.dsplit(y.view(1, 4, 6), 2)[0]",
    "torch.row_stack([y])", "torch.column_stack([y])", "torch.dstack([y])", "torch.concat([y, y[:0]])", "torch.lerp(y, y, 0.0)", "y.to(torch.float32, copy=True)",
    "y.to(torch.float64).to(torch.float32)", "torch.kron(torch.ones(1), y)", "torch.matmul(torch.eye(4), y)", "torch.nn.functional.embedding(torch.tensor([0]), y)",
    "torch.outer(y[0], torch.ones(1))", "torch.tensordot(y, torch.ones(1, 1), [[], []])", "y.renorm(2, 0, 1000.0)", "y.swapaxes(0, 1)", "y.unbind(0)[0]", "y.chunk(1)[0]",
    "torch.conj_physical(y)", "torch.chain_matmul(y)", "torch.native_dropout(y, 0.5, False)[0]", "torch.native_dropout(y, 0.0, True)[0]",
    "F.dropout2d(y[None], 0.5, False)", "torch.feature_alpha_dropout(y, 0.5, False)", "torch.constant_pad_nd(y, [0, 0])", "y.to_dense()",
    "y.to_dense(dtype=torch.float64)", "torch.atleast_3d([y, y[0]])[1]", "torch.split(y, 4)[0]", "torch.tensor_split(y, 1)[0]",
)

# The same of tensors of other elements: some are views of these alone, or copies.
OF_COMPLEX = (
    "y.adjoint()", "y.mH", "y.H", "torch.adjoint(y)", "y.mH.conj()", "y.conj()", "torch.conj(y)", "y.conj().t()[1]", "y.conj().conj()",
    "y.resolve_conj()", "y.conj().resolve_conj()", "y.conj().conj().resolve_conj()", "y.mH.resolve_conj()", "(y.conj() * 1).resolve_conj()",
    "y.real", "y.imag", "y.conj().real", "y.conj().imag", "y.conj().imag.resolve_neg()", "y.conj().real.resolve_neg()", "y.imag.resolve_neg()",
    "torch.view_as_real(y)", "torch.view_as_real(y.resolve_conj())", "torch.as_tensor(y)", "y.conj().contiguous()", "y.mH.contiguous()", "y.conj().flatten()",
    "y.conj().t().reshape(-1)", "y.to(torch.complex64)", "y.conj().to(torch.complex64)", "y.conj().clone()", "torch.conj_physical(y)",
    "y.unbind(0)[1]", "y.conj().chunk(2)[1]", "[y, y * 2][0]", "y.detach()", "y.conj().data", "y.positive()", "y.sum_to_size(4, 6)", "y.diagonal()",
    "y.unfold(0, 2, 2)", "y.as_strided([2, 3], [6, 2], 1)", "y.expand(4, 6)", "y.squeeze()", "torch.view_as_complex(torch.view_as_real(y))", "y.type_as(y)",
)
OF_INTEGERS = ("torch.real(y)", "y.real", "y.conj()", "y.conj().real", "y.resolve_conj()", "y.resolve_neg()", "torch.as_tensor(y)",
               "torch.as_tensor(y, dtype=torch.int32)", "y.sum_to_size(4, 6)", "y.sum_to_size(1, 6)", "y.sum_to_size(6)", "y.int()", "y.long()",
               "y[0, 0].sum_to_size([])", "y.int()[0, 0].sum_to_size([])", "y.int().sum_to_size(4, 1)", "y.mH", "y.adjoint()")
OF_ELEMENTS = {"complex64": OF_COMPLEX, "int64": OF_INTEGERS}


def shared_source(made):
    lines = ["y = x.clone()", f"w = {made}", "w.mul_(3)", "return y, w"]
    return "\n    ".join(["def program(x: Tensor):", *lines]) + "\n"

"""From core ATen (torch.export, decomposed) to jax, as far as workloads.py needs it.

to_jax(ep) -> (fn(params: dict, *inputs) -> list of outputs, params: dict of numpy arrays).
It gives XLA (and through StableHLO, IREE) the same graphs that the torch peers get.
"""
import operator

import numpy as np


def _ops():
    import jax
    import jax.numpy as jnp
    from jax import lax
    O = {}

    def op(*names):
        def deco(f):
            for n in names:
                O[n] = f
            return f
        return deco

    dt = lambda a: a
    for n, f in dict(relu=jax.nn.relu, sigmoid=jax.nn.sigmoid, tanh=jnp.tanh, sqrt=jnp.sqrt, rsqrt=lax.rsqrt, exp=jnp.exp,
                     neg=jnp.negative, erf=lax.erf, logical_not=jnp.logical_not, reciprocal=jnp.reciprocal, cos=jnp.cos,
                     sin=jnp.sin, log=jnp.log, detach=dt, clone=dt, contiguous=dt, alias=dt, lift_fresh_copy=dt).items():
        O[n] = lambda a, *r, _f=f, **k: _f(a)
    O["mul"] = lambda a, b: a * b
    O["div"] = lambda a, b: a / b
    O["add"] = lambda a, b, alpha=1: a + b * alpha
    O["sub"] = lambda a, b, alpha=1: a - b * alpha
    O["pow"] = lambda a, b: a ** b
    for n in ["eq", "ne", "lt", "le", "gt", "ge"]:
        O[n] = getattr(operator, n)
    O["bitwise_and"] = O["logical_and"] = lambda a, b: a & b
    O["mm"] = O["bmm"] = O["matmul"] = jnp.matmul
    O["addmm"] = lambda c, a, b, beta=1, alpha=1: c + a @ b
    O["where"] = jnp.where
    O["maximum"] = jnp.maximum
    O["minimum"] = jnp.minimum
    O["hardtanh"] = lambda a, lo=-1.0, hi=1.0: jnp.clip(a, lo, hi)
    O["clamp"] = lambda a, lo=None, hi=None: jnp.clip(a, lo, hi)
    O["gelu"] = lambda a, approximate="none": jax.nn.gelu(a, approximate=approximate == "tanh")
    O["view"] = O["_unsafe_view"] = O["reshape"] = lambda a, s: jnp.reshape(a, s)
    O["permute"] = jnp.transpose
    O["t"] = lambda a: a.T
    O["transpose"] = lambda a, i, j: jnp.swapaxes(a, i, j)
    O["unsqueeze"] = jnp.expand_dims
    O["squeeze"] = lambda a, d=None: jnp.squeeze(a, tuple(d) if isinstance(d, (list, tuple)) else d)
    O["cat"] = lambda xs, d=0: jnp.concatenate(xs, d)
    O["stack"] = lambda xs, d=0: jnp.stack(xs, d)
    O["_softmax"] = O["_safe_softmax"] = lambda a, d, *r: jax.nn.softmax(a, d)
    O["_log_softmax"] = lambda a, d, *r: jax.nn.log_softmax(a, d)
    O["embedding"] = lambda w, i, *r: w[i]
    O["select"] = lambda a, d, i: lax.index_in_dim(a, i if i >= 0 else a.shape[d] + i, d, keepdims=False)
    O["_to_copy"] = lambda a, dtype=None, **k: a.astype(_np(dtype)) if dtype is not None else a

    def _np(d):
        import torch
        return {torch.float32: np.float32, torch.int64: np.int32, torch.int32: np.int32, torch.bool: np.bool_}[d]

    @op("expand")
    def _(a, s, **k):
        s = list(s)
        off = len(s) - a.ndim
        s = [a.shape[i - off] if v == -1 else v for i, v in enumerate(s)]
        return jnp.broadcast_to(a, s)

    @op("slice")
    def _(a, d=0, s=None, e=None, st=1):
        n = a.shape[d]
        s = 0 if s is None else max(0, s + n if s < 0 else s)
        e = n if e is None else min(n, e + n if e < 0 else e)
        return lax.slice_in_dim(a, s, e, st, d)

    @op("split_with_sizes")
    def _(a, sizes, d=0):
        return jnp.split(a, np.cumsum(sizes)[:-1].tolist(), d)

    @op("split")
    def _(a, n, d=0):
        return jnp.split(a, list(range(n, a.shape[d], n)), d)

    @op("index")
    def _(a, idx):
        return a[tuple(slice(None) if i is None else i for i in idx)]

    @op("full")
    def _(s, v, **k): return jnp.full(s, v, np.float32 if isinstance(v, float) else None)

    @op("zeros")
    def _(s, **k): return jnp.zeros(s, np.float32)

    @op("arange")
    def _(*a, **k): return jnp.arange(*[x for x in a if not hasattr(x, "layout")])

    O["start_step_arange"] = O["arange"]

    @op("constant_pad_nd")
    def _(a, pad, v=0.0):
        cfg = [(0, 0, 0)] * (a.ndim - len(pad) // 2) + [(pad[i], pad[i + 1], 0) for i in range(len(pad) - 2, -1, -2)]
        return lax.pad(a, jnp.asarray(v, a.dtype), cfg)

    @op("any")
    def _(a, d=None, keepdim=False): return jnp.any(a, d, keepdims=keepdim)

    @op("gather")
    def _(a, d, i, **k): return jnp.take_along_axis(a, i, d)

    @op("scalar_tensor")
    def _(v, dtype=None, **k): return jnp.asarray(v, _np(dtype) if dtype is not None else np.float32)

    @op("full_like")
    def _(a, v, **k): return jnp.full_like(a, v)

    @op("sum")
    def _(a, d=None, keepdim=False, **k): return jnp.sum(a, tuple(d) if d else None, keepdims=keepdim)

    @op("mean")
    def _(a, d=None, keepdim=False, **k): return jnp.mean(a, tuple(d) if d else None, keepdims=keepdim)

    @op("amax")
    def _(a, d=(), keepdim=False): return jnp.max(a, tuple(d), keepdims=keepdim)

    @op("convolution")
    def _(x, w, b, stride, pad, dil, transposed, outpad, groups):
        y = lax.conv_general_dilated(x, w, stride, [(p, p) for p in pad], rhs_dilation=dil, feature_group_count=groups,
                                     dimension_numbers=("NCHW", "OIHW", "NCHW"))
        return y if b is None else y + b[None, :, None, None]

    @op("_native_batch_norm_legit_no_training")
    def _(x, w, b, m, v, mom, eps):
        s = w * lax.rsqrt(v + eps)
        return x * s[None, :, None, None] + (b - m * s)[None, :, None, None], None, None

    @op("_native_batch_norm_legit_functional", "_native_batch_norm_legit")
    def _(x, w, b, m, v, training, mom, eps):
        mu, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
        s = w * lax.rsqrt(var + eps)
        n = x.size // x.shape[1]
        return (x * s[None, :, None, None] + (b - mu * s)[None, :, None, None], mu, var,
                m * (1 - mom) + mu * mom, v * (1 - mom) + var * (mom * n / (n - 1)))

    @op("native_layer_norm")
    def _(x, shape, w, b, eps):
        ax = tuple(range(x.ndim - len(shape), x.ndim))
        mu = x.mean(ax, keepdims=True)
        var = jnp.square(x - mu).mean(ax, keepdims=True)
        y = (x - mu) * lax.rsqrt(var + eps)
        return (y * w + b if w is not None else y), mu, lax.rsqrt(var + eps)

    @op("max_pool2d_with_indices")
    def _(x, k, s=(), p=(0, 0), d=(1, 1), ceil=False):
        p = (p, p) if isinstance(p, int) else p
        if len(p) == 1: p = (p[0], p[0])
        return lax.reduce_window(x, -np.inf, lax.max, (1, 1, *k), (1, 1, *(s or k)), [(0, 0), (0, 0), *((q, q) for q in p)]), None

    @op("_adaptive_avg_pool2d")
    def _(x, o):
        h, w = x.shape[2:]
        if h % o[0] or w % o[1]:
            rows = [x[:, :, i * h // o[0]:-(-(i + 1) * h // o[0])].mean(2, keepdims=True) for i in range(o[0])]
            x = jnp.concatenate(rows, 2)
            return jnp.concatenate([x[..., j * w // o[1]:-(-(j + 1) * w // o[1])].mean(3, keepdims=True) for j in range(o[1])], 3)
        return x.reshape(*x.shape[:2], o[0], h // o[0], o[1], w // o[1]).mean((3, 5))

    @op("avg_pool2d")
    def _(x, k, s=(), p=(0, 0), *r):
        return lax.reduce_window(x, 0.0, lax.add, (1, 1, *k), (1, 1, *(s or k)), "VALID") / (k[0] * k[1])

    @op("im2col")
    def _(x, k, d, p, s):
        y = lax.conv_general_dilated_patches(x, k, s, [(q, q) for q in p], rhs_dilation=d)
        return y.reshape(y.shape[0], y.shape[1], -1)

    @op("nll_loss_forward")
    def _(lp, t, *r): return -jnp.take_along_axis(lp, t[:, None], 1).mean(), None

    @op("_scaled_dot_product_flash_attention_for_cpu", "scaled_dot_product_attention")
    def _(q, k, v, *r, attn_mask=None, scale=None, **kw):
        s = (q @ jnp.swapaxes(k, -1, -2)) * (scale or q.shape[-1] ** -0.5)
        if attn_mask is not None:
            s = jnp.where(attn_mask, s, -np.inf) if attn_mask.dtype == bool else s + attn_mask
        return jax.nn.softmax(s, -1) @ v, None

    O["getitem"] = operator.getitem
    return O


def to_jax(ep):
    import torch
    table = torch.export.default_decompositions()
    table.pop(torch.ops.aten.im2col.default, None)
    ep = ep.run_decompositions(table)
    sig = ep.graph_signature
    params, names = {}, {}
    consts = {**dict(ep.state_dict), **getattr(ep, "constants", {})}
    users = []
    for s in sig.input_specs:
        if s.kind.name == "USER_INPUT":
            users.append(s.arg.name)
        else:
            params[s.target] = consts[s.target].detach().numpy()
            names[s.arg.name] = s.target
    user_out = [i for i, s in enumerate(sig.output_specs) if s.kind.name in ("USER_OUTPUT", "LOSS_OUTPUT")]
    nodes = list(ep.graph.nodes)

    def fn(p, *inputs):
        O = _ops()
        env = {n: p[t] for n, t in names.items()}
        env.update(zip(users, inputs))
        get = lambda a: torch.fx.node.map_arg(a, lambda n: env[n.name])
        for n in nodes:
            if n.op == "call_function":
                if n.target is operator.getitem:
                    env[n.name] = env[n.args[0].name][n.args[1]]
                    continue
                key = n.target.__name__.split(".")[0]
                if key.startswith("_assert"):
                    continue
                if key in ("sym_size", "empty"):
                    raise NotImplementedError(key)
                if key not in O:
                    raise NotImplementedError(f"{n.target}")
                env[n.name] = O[key](*get(n.args), **get(dict(n.kwargs)))
            elif n.op == "output":
                outs = get(n.args[0])
                rest = [o for i, o in enumerate(outs) if i not in user_out]
                return [outs[i] for i in user_out], rest
    trainable = [k for k, v in ep.state_dict.items() if isinstance(v, torch.nn.Parameter)]
    return fn, params, trainable

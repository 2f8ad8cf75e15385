"""Calls of the operators of joint graphs: what flows back, by PyTorch's own formulas."""

import torch

X = torch.linspace(-4, 4, 24).view(2, 3, 4)
G = torch.linspace(2, -1, 24).view(2, 3, 4)
P = torch.linspace(0.05, 0.95, 24).view(2, 3, 4)
ROWS, LABELS = torch.linspace(-3, 0, 15).view(3, 5), torch.tensor([4, 0, 2])
IMAGE, PLACES = torch.linspace(-3, 0, 96).view(1, 2, 6, 8), torch.arange(48).view(1, 6, 8) % 2
TWO = torch.tensor([0.5, 2.0])
FIVE = torch.tensor([0.5, 2.0, 1.0, 0.25, 3.0])
ALL = [True, True, True]


def norm_statistics(x, dims):
    return x.mean(dims, keepdim=True), (x.var(dims, unbiased=False, keepdim=True) + 1e-5).rsqrt()


def negative_log_likelihoods(self, target, weights, dims):
    """Calls of the forward operator, and of the backward one with what that gave."""
    forward, backward = [], []
    for weight in weights:
        for reduction in (0, 1, 2):
            forward.append((self, target, weight, reduction, 0 if dims == 1 else -100))
            operator = torch.ops.aten.nll_loss_forward if dims == 1 else torch.ops.aten.nll_loss2d_forward
            out, total = operator(*forward[-1])
            backward.append((torch.linspace(1, 2, max(1, out.numel())).view(out.shape), *forward[-1], total))
    return forward, backward


LAYER = norm_statistics(X, [1, 2]), norm_statistics(X, [2])
GROUPS = norm_statistics(X.view(2, 3, 4), [2])
CHANNELS = norm_statistics(IMAGE.repeat(2, 1, 1, 1), [0, 2, 3])
BATCH = IMAGE.repeat(2, 1, 1, 1), torch.linspace(-1, 2, 192).view(2, 2, 6, 8)
FORWARD, BACKWARD = negative_log_likelihoods(ROWS, LABELS, [None, FIVE], 1)
FORWARD_2D, BACKWARD_2D = negative_log_likelihoods(IMAGE, PLACES, [None, TWO], 2)

CASES = {
    **{name: [(G, X)] for name in ("silu_backward", "mish_backward", "hardsigmoid_backward", "hardswish_backward")},
    "sigmoid_backward": [(G, X.sigmoid())],
    "tanh_backward": [(G, X.tanh())],
    "threshold_backward": [(G, X, 0), (G, X, 1.5)],
    "gelu_backward": [(G, X, how) for how in ("none", "tanh")],
    "hardtanh_backward": [(G, X, -1.0, 2.0)],
    "leaky_relu_backward": [(G, X, 0.01, False), (G, X, 0.2, True)],
    "elu_backward": [(G, 1.5, 2.0, 0.5, False, X), (G, 1.5, 2.0, 0.5, True, X)],
    "softplus_backward": [(G, X, 1.0, 20.0), (G, X, 2.0, 3.0)],
    "softshrink_backward": [(G, X, 0.5)],
    "hardshrink_backward": [(G, X, 0.5)],
    "log_sigmoid_backward": [(G, x, torch.exp(-x.abs())) for x in (X, P, -P)],
    "logit_backward": [(G, P, None), (G, P, 0.2)],
    "glu_backward": [(G[..., :2], X, 2), (G[:1], X, 0)],
    "_prelu_kernel": [(X, torch.tensor([0.25, 0.5, 2.0]).view(1, 3, 1))],
    "_prelu_kernel_backward": [(G, X, torch.tensor([0.25, 0.5, 2.0]).view(1, 3, 1).expand(2, 3, 4))],
    "_log_softmax_backward_data": [(G, X.log_softmax(dim), dim, 6) for dim in (0, 1, 2)],
    "native_layer_norm_backward": [(G, X, [3, 4], *LAYER[0], X[0] + 5, X[1], ALL), (G, X, [4], *LAYER[1], X[0, 0], X[0, 1], ALL)],
    "native_group_norm_backward": [
        (G, X, GROUPS[0].view(2, 3), GROUPS[1].view(2, 3), weight, 2, 3, 4, 3, ALL) for weight in (torch.tensor([0.5, 2.0, 1.0]),)],
    "native_batch_norm_backward": [
        (BATCH[1], BATCH[0], TWO, TWO - 1, TWO, CHANNELS[0].view(2), CHANNELS[1].view(2), train, 1e-5, ALL) for train in (True, False)],
    "batch_norm_backward": [
        (BATCH[1], BATCH[0], TWO, TWO - 1, TWO, CHANNELS[0].view(2), CHANNELS[1].view(2), True, 1e-5, ALL, torch.empty(0))],
    "mse_loss_backward": [(G, X, P, 0), (G[0, 0, 0], X, P, 1), (G[0, 0, 0], X, P, 2)],
    "smooth_l1_loss_backward": [(G, X, P, 0, 1.0), (G[0, 0, 0], X, P, 1, 2.0)],
    "huber_loss_backward": [(G, X, P, 0, 1.0), (G[0, 0, 0], X, P, 1, 2.0)],
    "soft_margin_loss_backward": [(G, X, P.round() * 2 - 1, 0), (G[0, 0, 0], X, P.round() * 2 - 1, 1)],
    "binary_cross_entropy_backward": [(G, P, P.flip(0), None, 0), (G[0, 0, 0], P, P.flip(0), P + 1, 1)],
    "nll_loss_forward": FORWARD,
    "nll_loss2d_forward": FORWARD_2D,
    "nll_loss_backward": BACKWARD,
    "nll_loss2d_backward": BACKWARD_2D,
    "select_backward": [(G[0], [5, 3, 4], 0, 2), (G[..., 0], [2, 3, 4], -1, -1)],
    "slice_backward": [(G, [2, 6, 4], 1, 1, 6, 2)],
    "diagonal_backward": [(G[0, 0], [4, 5], 1, 0, 1)],
    "index_select_backward": [(G, [2, 5, 4], 1, torch.tensor([4, 0, 4]))],
    "embedding_backward": [(ROWS, torch.tensor([4, 0, 4]), 5, padding, scale, False) for padding, scale in ((-1, False), (0, False), (-1, True))],
    "value_selecting_reduction_backward": [
        (G[:, 0], 1, torch.tensor([[0, 2, 1, 1], [2, 2, 0, 1]]), [2, 3, 4], False),
        (G[:, :1], 1, torch.tensor([[[0, 2, 1, 1]], [[2, 2, 0, 1]]]), [2, 3, 4], True)],
    "_unsafe_index_put": [(X, [torch.tensor([1, 0])], G[:1, :, :], False)],
    "_index_put_impl": [(X, [torch.tensor([1, 0])], G, accumulate, False) for accumulate in (True, False)],
    "_local_scalar_dense": [(torch.tensor(2.5),), (torch.tensor([3]),), (torch.tensor(True),)],
    "_cdist_forward": [(ROWS, FIVE.expand(2, 5), p, None) for p in (1.0, 2.0)],
    "_pdist_forward": [(ROWS, p) for p in (1.0, 2.0)],
    **{name: [(ROWS.T.contiguous(), torch.tensor([0, 3, 2, 4, 1]), torch.tensor([0, 2, 2]), False, mode, False, None, False, -1)
              for mode in (0, 1, 2)] for name in ("_embedding_bag", "_embedding_bag_forward_only")},
}
CASES = {f"aten::{name}": calls for name, calls in CASES.items()}

INTEGERS = torch.arange(1, 13).view(3, 4)
PRIMS = {
    **{name: [(P,)] for name in (
        "abs", "acos", "asin", "asinh", "atan", "atanh", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "bessel_j0", "bessel_j1",
        "ceil", "cos", "cosh", "digamma", "erf", "erf_inv", "erfc", "erfcx", "exp", "exp2", "expm1", "floor", "isfinite", "lgamma", "log",
        "log10", "log1p", "log2", "ndtri", "neg", "reciprocal", "round", "rsqrt", "sign", "signbit", "sin", "sinh", "sqrt", "tan", "tanh",
        "trunc")},
    "acosh": [(P + 1,)],
    "bitwise_not": [(INTEGERS,)],
    **{name: [(X, P), (P, X)] for name in ("add", "atan2", "div", "eq", "fmax", "fmin", "fmod", "ge", "gt", "hypot", "le", "lt", "maximum",
                                          "minimum", "mul", "ne", "nextafter", "remainder", "sub")},
    **{name: [(P, P + 1)] for name in ("igamma", "igammac", "pow")},
    "zeta": [(P + 1, P + 1)],
    **{name: [(INTEGERS, INTEGERS.flip(0))] for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "gcd")},
    **{name: [(INTEGERS, INTEGERS % 3)] for name in ("shift_left", "shift_right_arithmetic")},
    "where": [(X > 0, X, P)],
    "convert_element_type": [(X, 4), (INTEGERS, 6), (X, 6)],
    "fill": [(X, 2.5)],
    "clone": [(X, None)],
    "broadcast_in_dim": [(X, [5, 2, 3, 4], [1, 2, 3]), (FIVE, [2, 5, 3], [1])],
    "transpose": [(X, [2, 0, 1])],
    "squeeze": [(X.view(2, 1, 3, 4, 1), [1, 4])],
    "collapse": [(X, 1, 2)],
    "collapse_view": [(X, 0, 1)],
    "split_dim": [(X, 2, 2)],
    "reshape": [(X, [4, 6])],
    "rev": [(X, [0, 2])],
    "cat": [([X, P], 1)],
    "sum": [(X, [0, 2], None)],
    "amax": [(X, [1], None)],
    "amin": [(X, [0, 1], None)],
    "full": [([2, 3], 1.5, 6, torch.device("cpu"), False)],
    "full_like": [(X, 2, 4, torch.device("cpu"), False)],
    "scalar_tensor": [(2.5, 6, None)],
    "iota": [(5, 2, 3, 4, torch.device("cpu"), False)],
}
CASES |= {f"prims::{name}": calls for name, calls in PRIMS.items()}

"""Expressions of `x`, a float tensor of sizes (3, 4), for which PyTorch raises."""

PARTS = [
    "x.narrow(0, 2, 2)", "x.narrow(0, -4, 1)", "x.narrow(1, 0, 5)", "x.narrow_copy(0, 2, 2)", "x.select(0, 3)", "x[5]", "x[:, -9]",
    "x.unfold(0, 4, 1)", "x.unfold(1, 1, 0)", "x.unfold(1, -1, 1)", "x.split([1, 1], 0)[0]", "x.split([2, 2], 0)[0]", "x.split([-1, 4], 0)[0]",
    "x.split(-1, 0)[0]", "x.split(1, 7)[0]", "x.chunk(0, 0)[0]", "x.chunk(2, 0)[5]", "x.unbind(0)[4]", "x.tensor_split([1], 5)[0]", "x.tensor_split(0)[0]",
    "x.hsplit(3)[0]", "x.vsplit(2)[0]", "x.dsplit(2)[0]", "torch.as_strided(x, [3], [1], 99)", "x.as_strided([9, 9], [9, 1])",
]
SIZES = [
    "x.view(5, 5)", "x.view(-1, 5)", "x.reshape(7)", "x.expand(4, 9)", "x.unflatten(0, [2, 2])", "x.repeat(1)", "x.view_as(x[:2])", "x.expand_as(x[:2])",
    "x.broadcast_to([2, 2])", "x + x[:2]", "torch.where(x[:2] > 0, x, x)", "x.masked_fill(x[:2] > 0, 1.0)", "x.lerp(x[:2], 0.5)", "x.copy_(x[:2])",
    "x.mul_(x[:, :, None])", "x.fill_(x)", "torch.cat([x, x[:, :1]], 0)", "torch.stack([x, x[:1]], 0)", "x.slice_scatter(x, 0, 0, 1)",
    "x.select_scatter(x, 0, 0)", "torch.matmul(x, x)", "torch.mm(x, x)", "torch.addmm(x, x, x)", "torch.dot(x[0], x[1, :2])", "torch.bmm(x, x)",
    "torch.trace(x[0])", "torch.bucketize(x, x)", "torch.cdist(x, x[:, :2])",
]
DIMENSIONS = [
    "x.permute(0, 0)", "x.transpose(0, 5)", "x.squeeze(7)", "x.unsqueeze(9)", "x.diagonal(0, 0, 0)", "x.flip([3])", "x.roll(1, 4)", "x.movedim(0, 7)",
    "x.rot90(1, [0, 0])", "x.swapaxes(0, 4)", "x.cumsum(5)", "x.cumprod(-3)", "x.sum(5)", "x.std(5)", "torch.max(x, 5)[0]", "torch.argmax(x, 5)", "x.sort(4)[0]",
    "x.argsort(4)", "x.topk(9)[0]", "F.softmax(x, 4)", "F.log_softmax(x, -3)", "torch.norm(x, 2.0, 7)", "x.transpose_(0, 7)", "x.squeeze_(8)",
    "F.layer_norm(x, [9])", "F.group_norm(x, 5)", "F.conv1d(x, x)", "F.pad(x, [-9, 0])", "F.avg_pool1d(x, 9)",
]
PLACES = ["x.index_select(0, torch.tensor([7]))", "x.gather(0, torch.tensor([[9]]))", "x.take(torch.tensor([99]))", "x[torch.tensor([9])]",
          "x.index_put([torch.tensor([9])], x)", "x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]", "F.embedding(torch.tensor([9]), x)", "x.index_fill(0, torch.tensor([9]), 1.0)"]
EXPRESSIONS = PARTS + SIZES + DIMENSIONS + PLACES
# Here refusals of the calls that get there.
REFUSED = [
    "x.kthvalue(9)[0]", "torch.pixel_shuffle(x, 2)", "torch.einsum('ij,jk->ik', x, x)", "torch.tensordot(x, x, [[0], [1]])", "torch.linalg.inv(x)", "torch.cartesian_prod([x])",
    "torch.histc(x, 0)", "torch.unique_consecutive(x, dim=7)", "torch.searchsorted(x, x[:2])", "torch.renorm(x, 2.0, 7, 1.0)", "x.diagonal_scatter(x)",
    "x.index_copy(0, torch.tensor([0]), x)",
]

"""Models of packages of PyPI with small sizes and random weights, made by the packages' own code: for each package a function that gives a
dict from a name to a function that makes a model and its arguments."""

import architectures
import torch
from torch import nn

architectures.torchvision()  # some packages import it

MODELS = {}  # package, as PyPI has it, to the function


def of(package):
    def register(function):
        MODELS[package] = function
        return function
    return register


class Called(nn.Module):
    """A function or a method as a module: what it uses of `module` is a part of this one."""

    def __init__(self, function, module=None):
        super().__init__()
        self.module = module
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


def image(size=32, batch=2, channels=3):
    return torch.rand(batch, channels, size, size)


def fields(batch=8):
    return torch.stack([torch.randint(0, size, (batch,)) for size in (7, 5, 9, 4)], dim=1)


@of("open_clip_torch")
def open_clip():
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

    text = CLIPTextCfg(context_length=16, vocab_size=99, width=32, heads=2, layers=2)

    def clip(**options):
        model = CLIP(embed_dim=24, vision_cfg=CLIPVisionCfg(image_size=32, **options), text_cfg=text)
        return model, (image(), torch.randint(1, 99, (2, 16)))
    return {"CLIP, a transformer of patches": lambda: clip(layers=2, width=32, head_width=16, patch_size=8),
            "CLIP, ResNet": lambda: clip(layers=(1, 1, 1, 1), width=16, head_width=16)}


@of("diffusers")
def diffusers():
    from diffusers import DiTTransformer2DModel, UNet2DConditionModel, VQModel

    conditioned = {"sample_size": 16, "block_out_channels": (16, 32), "norm_num_groups": 8, "cross_attention_dim": 24, "attention_head_dim": 8,
                   "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"), "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D")}
    patches = {"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "sample_size": 8, "in_channels": 4, "norm_num_groups": 4}
    models = {"UNet2DConditionModel": lambda: (UNet2DConditionModel(**conditioned), (image(16, channels=4), torch.tensor(7), torch.randn(2, 5, 24))),
              "DiTTransformer2DModel": lambda: (DiTTransformer2DModel(**patches), (image(8, channels=4), torch.tensor([7, 8]), torch.tensor([1, 2]))),
              "VQModel": lambda: (VQModel(block_out_channels=(16,), norm_num_groups=8, num_vq_embeddings=32), (image(16),))}
    # A DiTTransformer2DModel takes what follows the class by name alone.
    named = ("hidden_states", "timestep", "class_labels")

    def tuples(make):
        model, arguments = make()
        if isinstance(model, DiTTransformer2DModel):
            return Called(lambda *given: model(**dict(zip(named, given, strict=True)), return_dict=False), model), arguments
        return Called(lambda *given: model(*given, return_dict=False), model), arguments
    return models | {f"{name}, return_dict=False": lambda make=make: tuples(make) for name, make in models.items()}


@of("torchfm")
def torchfm():
    from torchfm.model import afi, dcn, dfm, fnfm, pnn, xdfm

    sizes, mlp = [7, 5, 9, 4], (16, 16)
    return {"DeepFactorizationMachine": lambda: (dfm.DeepFactorizationMachineModel(sizes, 8, mlp, 0.2), (fields(),)),
            "AutomaticFeatureInteraction": lambda: (
                afi.AutomaticFeatureInteractionModel(sizes, 8, 16, 2, 2, mlp, (0.1, 0.1, 0.1)), (fields(),)),
            "DeepCrossNetwork": lambda: (dcn.DeepCrossNetworkModel(sizes, 8, 3, mlp, 0.2), (fields(),)),
            "ExtremeDeepFM": lambda: (xdfm.ExtremeDeepFactorizationMachineModel(sizes, 8, mlp, 0.2, (8, 8)), (fields(),)),
            "ProductNeuralNetwork": lambda: (pnn.ProductNeuralNetworkModel(sizes, 8, mlp, 0.2), (fields(),)),
            "FieldAwareNeuralFM": lambda: (fnfm.FieldAwareNeuralFactorizationMachineModel(sizes, 8, mlp, (0.1, 0.1)), (fields(),))}


@of("lpips")
def lpips():
    from lpips import LPIPS

    return {f"LPIPS, {net}": lambda net=net: (LPIPS(net=net, pretrained=False, pnet_rand=True, verbose=False), (image(64), image(64)))
            for net in ("alex", "squeeze", "vgg")}


@of("pytorch-msssim")
def pytorch_msssim():
    from pytorch_msssim import MS_SSIM, SSIM

    return {"SSIM": lambda: (SSIM(data_range=1.0, size_average=False), (image(48), image(48))),
            "SSIM of volumes": lambda: (SSIM(data_range=1.0, channel=1, spatial_dims=3), (torch.rand(1, 1, 16, 16, 16), torch.rand(1, 1, 16, 16, 16))),
            "MS_SSIM": lambda: (MS_SSIM(data_range=1.0), (image(176, batch=1), image(176, batch=1)))}


@of("pytorch-tabnet")
def pytorch_tabnet():
    from pytorch_tabnet.tab_network import TabNet, TabNetNoEmbeddings

    groups = torch.eye(6)
    return {"TabNet": lambda: (TabNet(6, 3, cat_idxs=[1, 4], cat_dims=[5, 7], cat_emb_dim=[2, 3], group_attention_matrix=groups),
                               (torch.cat([torch.randn(8, 1), torch.randint(0, 5, (8, 5)).float()], dim=1),)),
            "TabNetNoEmbeddings, entmax": lambda: (TabNetNoEmbeddings(6, 3, mask_type="entmax", group_attention_matrix=groups), (torch.randn(8, 6),))}


@of("tab-transformer-pytorch")
def tab_transformer():
    from tab_transformer_pytorch import FTTransformer, TabTransformer

    options = {"categories": (7, 5, 9, 4), "num_continuous": 3, "dim": 16, "depth": 2, "heads": 2}
    return {"TabTransformer": lambda: (TabTransformer(**options), (fields(), torch.randn(8, 3))),
            "FTTransformer": lambda: (FTTransformer(**options), (fields(), torch.randn(8, 3)))}


@of("rtdl_revisiting_models")
def rtdl():
    from rtdl_revisiting_models import MLP, FTTransformer, ResNet

    blocks = {"n_blocks": 2, "d_block": 16, "attention_n_heads": 2, "attention_dropout": 0.1, "ffn_d_hidden_multiplier": 4 / 3, "ffn_dropout": 0.1,
              "residual_dropout": 0.0}
    return {"MLP": lambda: (MLP(d_in=6, d_out=3, n_blocks=2, d_block=16, dropout=0.1), (torch.randn(8, 6),)),
            "ResNet": lambda: (ResNet(d_in=6, d_out=3, n_blocks=2, d_block=16, d_hidden_multiplier=2.0, dropout1=0.1, dropout2=0.0), (torch.randn(8, 6),)),
            "FTTransformer": lambda: (
                FTTransformer(n_cont_features=3, cat_cardinalities=[7, 5, 9, 4], d_out=2, **blocks), (torch.randn(8, 3), fields()))}


@of("rotary-embedding-torch")
def rotary():
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

    lang, xpos, pixel = RotaryEmbedding(dim=16), RotaryEmbedding(dim=16, use_xpos=True), RotaryEmbedding(dim=8, freqs_for="pixel", max_freq=32)
    queries = torch.randn(1, 2, 12, 16)
    return {"rotate_queries_or_keys": lambda: (Called(lang.rotate_queries_or_keys, lang), (queries,)),
            "rotate_queries_and_keys, xpos": lambda: (Called(xpos.rotate_queries_and_keys, xpos), (queries, torch.randn(1, 2, 12, 16))),
            "axial": lambda: (Called(lambda t: apply_rotary_emb(pixel.get_axial_freqs(4, 6), t), pixel), (torch.randn(1, 4, 6, 16),))}


@of("egnn-pytorch")
def egnn():
    from egnn_pytorch import EGNN, EGNN_Network

    network = {"num_tokens": 9, "num_positions": 12, "dim": 16, "depth": 2, "num_nearest_neighbors": 4, "coor_weights_clamp_value": 2.0}
    return {"EGNN": lambda: (EGNN(dim=16, edge_dim=4), (torch.randn(1, 12, 16), torch.randn(1, 12, 3), torch.randn(1, 12, 12, 4))),
            "EGNN, nearest neighbours": lambda: (EGNN(dim=16, num_nearest_neighbors=4, norm_coors=True), (torch.randn(1, 12, 16), torch.randn(1, 12, 3))),
            "EGNN_Network": lambda: (EGNN_Network(**network), (torch.randint(0, 9, (1, 12)), torch.randn(1, 12, 3)))}


@of("torchdiffeq")
def torchdiffeq():
    from torchdiffeq import odeint, odeint_adjoint

    field = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))

    def solved(method, solve=odeint):
        return Called(lambda y, t: solve(lambda t, y: field(y), y, t, method=method), field), (torch.randn(4, 3), torch.linspace(0, 1, 6))

    def adjoint(y, t):
        return odeint_adjoint(lambda t, y: field(y), y, t, method="rk4", adjoint_params=tuple(field.parameters()))
    return {"odeint, euler": lambda: solved("euler"), "odeint, rk4": lambda: solved("rk4"), "odeint, dopri5": lambda: solved("dopri5"),
            "odeint, explicit_adams": lambda: solved("explicit_adams"),
            "odeint_adjoint, rk4": lambda: (Called(adjoint, field), (torch.randn(4, 3), torch.linspace(0, 1, 6)))}


@of("torchcde")
def torchcde():
    import torchcde as cde

    def path(build, x):
        return build(x).evaluate(torch.tensor(1.3)), build(x).derivative(torch.tensor(2.6))
    x = torch.randn(3, 6, 2)
    return {"hermite_cubic": lambda: (Called(lambda x: path(lambda y: cde.CubicSpline(cde.hermite_cubic_coefficients_with_backward_differences(y)), x)), (x,)),
            "natural_cubic": lambda: (Called(lambda x: path(lambda y: cde.CubicSpline(cde.natural_cubic_coeffs(y)), x)), (x,)),
            "linear": lambda: (Called(lambda x: path(lambda y: cde.LinearInterpolation(cde.linear_interpolation_coeffs(y)), x)), (x,))}


@of("neuraloperator")
def neuraloperator():
    from neuralop.models import FNO, TFNO, UNO

    scaled = {"uno_out_channels": [8, 8, 8], "uno_n_modes": [[4, 4]] * 3, "uno_scalings": [[1.0, 1.0], [0.5, 0.5], [2.0, 2.0]], "n_layers": 3,
              "lifting_channels": 16, "projection_channels": 16, "channel_mlp_skip": "linear"}
    return {"FNO, 1-d": lambda: (FNO((6,), 2, 1, 8, n_layers=2), (torch.randn(2, 2, 24),)),
            "FNO, 2-d": lambda: (FNO((6, 6), 2, 1, 8, n_layers=2), (torch.randn(2, 2, 16, 16),)),
            "TFNO": lambda: (TFNO((6, 6), 2, 1, 8, n_layers=2, factorization="tucker", rank=0.5), (torch.randn(2, 2, 16, 16),)),
            "UNO": lambda: (UNO(2, 1, 8, **scaled), (torch.randn(2, 2, 16, 16),))}


@of("spandrel")
def spandrel():
    import importlib

    # A network: the options that make it small.
    nets = {"ESRGAN.__arch.RRDB.RRDBNet": {"num_filters": 16, "num_blocks": 2}, "NAFNet.NAFNet": {"width": 8, "enc_blk_nums": [1, 1], "dec_blk_nums": [1, 1]},
            "RCAN.RCAN": {"n_resgroups": 2, "n_resblocks": 2, "n_feats": 16, "scale": 2}, "DRUNet.DRUNet": {"in_nc": 3, "out_nc": 3, "nc": [8, 16, 16, 16], "nb": 1},
            "SPAN.SPAN": {"num_in_ch": 3, "num_out_ch": 3, "feature_channels": 16, "upscale": 2},
            "SwinIR.SwinIR": {"img_size": 16, "embed_dim": 16, "depths": [2, 2], "num_heads": [2, 2], "window_size": 8, "upscale": 2, "upsampler": "pixelshuffle"},
            "HAT.HAT": {"img_size": 16, "embed_dim": 16, "depths": (2,), "num_heads": (2,), "window_size": 8, "upscale": 2, "upsampler": "pixelshuffle", "squeeze_factor": 4},
            "DAT.DAT": {"img_size": 16, "embed_dim": 16, "depth": [2], "num_heads": [2], "split_size": [4, 8], "upscale": 2, "upsampler": "pixelshuffle"}}

    def made(name, options):
        kind, _, net = name.rpartition(".")
        return getattr(importlib.import_module(f"spandrel.architectures.{kind}"), net)(**options), (image(16),)
    return {name.rpartition(".")[2]: lambda name=name, options=options: made(name, options) for name, options in nets.items()}


@of("segment-anything")
def segment_anything():
    from functools import partial

    from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, TwoWayTransformer

    def encoder():
        return ImageEncoderViT(img_size=64, patch_size=8, embed_dim=32, depth=2, num_heads=2, out_chans=16, window_size=3, use_rel_pos=True,
                               global_attn_indexes=(1,), norm_layer=partial(nn.LayerNorm, eps=1e-6)), (image(64, batch=1),)

    def decoder():
        layers = TwoWayTransformer(depth=2, embedding_dim=32, mlp_dim=32, num_heads=2)
        model = MaskDecoder(transformer_dim=32, transformer=layers, iou_head_hidden_dim=16)
        return Called(lambda *given: model(*given, True), model), (torch.randn(1, 32, 8, 8), torch.randn(1, 32, 8, 8), torch.randn(2, 3, 32), torch.randn(2, 32, 8, 8))

    def prompts():
        model = PromptEncoder(embed_dim=32, image_embedding_size=(8, 8), input_image_size=(64, 64), mask_in_chans=8)
        return Called(lambda points, labels: model((points, labels), None, None), model), (torch.rand(2, 3, 2) * 64, torch.tensor([[1, 0, -1], [1, 1, 0]]))
    return {"ImageEncoderViT": encoder, "MaskDecoder": decoder, "PromptEncoder": prompts}


@of("pytorch-crf")
def pytorch_crf():
    from torchcrf import CRF

    return {"CRF": lambda: (CRF(5), (torch.randn(7, 3, 5), torch.randint(0, 5, (7, 3)))),
            "CRF, masks": lambda: (CRF(5, batch_first=True), (torch.randn(3, 7, 5), torch.randint(0, 5, (3, 7)), torch.arange(7) < torch.tensor([[7], [4], [2]])))}


@of("zuko")
def zuko():
    import zuko.flows as flows

    def likelihood(flow):
        return Called(lambda x, c: flow(c).log_prob(x), flow), (torch.randn(8, 3), torch.randn(8, 2))
    options = {"hidden_features": (16, 16), "transforms": 2}
    return {"MAF": lambda: likelihood(flows.MAF(3, 2, **options)), "NSF": lambda: likelihood(flows.NSF(3, 2, bins=4, **options)),
            "NICE": lambda: likelihood(flows.NICE(3, 2, **options)), "SOSPF": lambda: likelihood(flows.SOSPF(3, 2, degree=2, polynomials=2, **options)),
            "GMM": lambda: likelihood(flows.GMM(3, 2, components=4, hidden_features=(16,)))}


@of("snntorch")
def snntorch():
    import snntorch as snn

    class Net(nn.Module):
        def __init__(self, neuron):
            super().__init__()
            self.into, self.neuron, self.out, self.last = nn.Linear(6, 16), neuron(), nn.Linear(16, 3), snn.Leaky(beta=0.8)

        def forward(self, x):
            state, end, spikes = self.neuron.reset_mem(), self.last.reset_mem(), []
            state = state if isinstance(state, tuple) else (state,)
            for step in range(x.shape[0]):
                spike, *state = self.neuron(self.into(x[step]), *state)
                spike, end = self.last(self.out(spike), end)
                spikes.append(spike)
            return torch.stack(spikes), end
    x = 3 * torch.rand(5, 4, 6)
    return {"Leaky": lambda: (Net(lambda: snn.Leaky(beta=0.9)), (x,)), "Synaptic": lambda: (Net(lambda: snn.Synaptic(alpha=0.8, beta=0.9)), (x,)),
            "Lapicque": lambda: (Net(lambda: snn.Lapicque(beta=0.9)), (x,)), "Alpha": lambda: (Net(lambda: snn.Alpha(alpha=0.9, beta=0.8)), (x,))}


@of("mambapy")
def mambapy():
    from mambapy.mamba import Mamba, MambaConfig

    return {"Mamba, parallel scan": lambda: (Mamba(MambaConfig(d_model=16, n_layers=2)), (torch.randn(2, 16, 16),)),
            "Mamba, step by step": lambda: (Mamba(MambaConfig(d_model=16, n_layers=2, pscan=False)), (torch.randn(2, 12, 16),))}


@of("iTransformer")
def itransformer():
    from iTransformer import iTransformer, iTransformer2D

    options = {"num_variates": 5, "lookback_len": 24, "dim": 16, "depth": 2, "heads": 2, "dim_head": 8}
    return {"iTransformer": lambda: (iTransformer(pred_length=(6, 12), **options), (torch.randn(2, 24, 5),)),
            "iTransformer, instance norm": lambda: (iTransformer(pred_length=6, use_reversible_instance_norm=True, **options), (torch.randn(2, 24, 5),)),
            "iTransformer2D": lambda: (iTransformer2D(pred_length=6, num_time_tokens=4, **options), (torch.randn(2, 24, 5),))}


@of("vector-quantize-pytorch")
def vector_quantize():
    from vector_quantize_pytorch import FSQ, LFQ, ResidualVQ, VectorQuantize

    x = torch.randn(1, 24, 16)
    return {"VectorQuantize": lambda: (VectorQuantize(dim=16, codebook_size=32), (x,)),
            "VectorQuantize, cosine": lambda: (VectorQuantize(dim=16, codebook_size=32, use_cosine_sim=True, heads=2), (x,)),
            "ResidualVQ": lambda: (ResidualVQ(dim=16, codebook_size=32, num_quantizers=3), (x,)), "FSQ": lambda: (FSQ([5, 3, 4], dim=16), (x,)),
            "LFQ": lambda: (LFQ(codebook_size=32, dim=16), (x,))}


@of("linformer")
def linformer():
    from linformer import LinformerLM

    options = {"num_tokens": 99, "dim": 16, "seq_len": 24, "depth": 2, "k": 8, "heads": 2}
    return {"LinformerLM": lambda: (LinformerLM(**options), (torch.randint(0, 99, (2, 24)),)),
            "LinformerLM, one key head": lambda: (LinformerLM(one_kv_head=True, share_kv=True, **options), (torch.randint(0, 99, (2, 24)),))}


@of("pytorchcv")
def pytorchcv():
    from pytorchcv.model_provider import get_model

    nets = ["seresnet10", "squeezeresnet_v1_1", "shufflenet_g3_wd4", "darknet_tiny", "igcv3_wd4", "ghostnet", "cbam_resnet18", "spnasnet"]
    return {net: lambda net=net: (get_model(net), (image(224, batch=1),)) for net in nets}


@of("entmax")
def entmax():
    import entmax as functions

    x = torch.randn(4, 12)
    return {name: lambda name=name: (Called(lambda x: getattr(functions, name)(x, dim=-1)), (x,)) for name in ("sparsemax", "entmax15", "normmax_bisect", "budget_bisect")
            if hasattr(functions, name)} | {"entmax_bisect": lambda: (Called(lambda x: functions.entmax_bisect(x, alpha=1.3)), (x,))}


@of("roma")
def roma():
    import roma as rotations

    def composed(rotvec, matrix):
        q = rotations.rotvec_to_unitquat(rotvec)
        return rotations.unitquat_to_rotmat(q), rotations.special_procrustes(matrix), rotations.unitquat_slerp(q[0], q[1], torch.linspace(0, 1, 5))
    given = (torch.randn(4, 3), torch.randn(4, 3, 3))
    return {"rotvec, procrustes, slerp": lambda: (Called(composed), given),
            "rotmat to rotvec": lambda: (Called(lambda m: rotations.rotmat_to_rotvec(rotations.special_gramschmidt(m))), given[1:]),
            "unitquat to euler": lambda: (Called(lambda v: rotations.unitquat_to_euler("xyz", rotations.rotvec_to_unitquat(v), as_tuple=True)), given[:1])}

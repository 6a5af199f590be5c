"""``openbook models``: list, fetch, verify and export the models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from openbook.commands.console import as_json, course_argument, out, print_json, print_table, reporting

if TYPE_CHECKING:
    from openbook.models.registry import Precision


@click.group()
def models() -> None:
    """List, fetch, verify and export the models."""


@models.command("list")
@as_json
def models_list(json: bool) -> None:
    """List the models that openbook knows, and where each is."""
    from openbook.models.registry import known_models

    rows = known_models()
    if json:
        print_json(rows)
        return
    print_table(
        [(m.name, m.precision, f"{m.bytes / 1e6:.1f} MB", m.licence, m.found or "not here") for m in rows],
        "model", "precision", ">size", "licence", "where",
    )  # fmt: skip


@models.command("fetch")
@course_argument
@as_json
def models_fetch(path: Path, json: bool) -> None:
    """Get the models that COURSE names, unless they are here, and verify them."""
    from openbook.config import load_config
    from openbook.models.cross_encoder import offered, resolve_cross_encoder
    from openbook.models.registry import resolve

    config = load_config(path)
    with reporting(json) as reporter, reporter.stage("fetch") as advance:
        files = resolve(config.settings.models.encoder, root=config.root, progress=advance)
        found = None
        if offered(config.settings):
            found = resolve_cross_encoder(config.settings.models.cross_encoder, root=config.root, progress=advance)
    _print_models(files, found, json)


@models.command("verify")
@course_argument
@as_json
def models_verify(path: Path, json: bool) -> None:
    """Check every file of the models that COURSE names against its SHA-256."""
    from openbook.config import load_config
    from openbook.models.cross_encoder import offered, resolve_cross_encoder
    from openbook.models.registry import verify_files

    config = load_config(path)
    found = None
    if offered(config.settings):
        settings = config.settings.models.cross_encoder
        found = resolve_cross_encoder(settings, root=config.root, allow_download=False)
    _print_models(verify_files(config.settings.models.encoder, root=config.root), found, json)


def _print_models(encoder: Any, cross_encoder: Any, json: bool) -> None:
    if json:
        print_json({"encoder": encoder, "cross_encoder": cross_encoder})
        return
    _print_encoder(encoder)
    if cross_encoder is not None:
        _print_cross_encoder(cross_encoder)


def _print_encoder(files: Any) -> None:
    from openbook.models.registry import ONNX

    out.print(f"{files.name} at {files.onnx}", markup=False)
    out.print(f"sha256 {files.sha256[ONNX]}")
    out.print(f"{files.precision}  {files.dims} dimensions  at most {files.max_tokens} pieces")


def _print_cross_encoder(files: Any) -> None:
    from openbook.models.registry import ONNX

    out.print(f"{files.name} at {files.paths[ONNX]}", markup=False)
    out.print(f"sha256 {files.sha256[ONNX]}")
    out.print(f"{files.precision}  at most {files.max_tokens} pieces of question and passage")


@models.command("pin")
@click.argument("names", nargs=-1, required=True)
@click.option("--weights", default="", help="Address with one folder a variant. Default: the model hub.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("webllm-pins.json"), show_default=True, help="The list."
)
@as_json
def models_pin(names: tuple[str, ...], weights: str, output: Path, json: bool) -> None:
    """Fetch WebLLM models once and list size and SHA-256 of their files, for `generation.webllm.pins`.

    NAMES are as in `generation.webllm.models`. Several gigabytes are fetched, hashed and thrown away.
    """
    import msgspec

    from openbook.generation.pins import pin
    from openbook.generation.webllm import WebLlmOffer

    with reporting(json) as reporter, reporter.stage("fetch") as advance:
        offer = WebLlmOffer(models=tuple(pin(name, weights, advance) for name in names))
    output.write_bytes(msgspec.json.format(msgspec.json.encode(offer), indent=1) + b"\n")
    if json:
        print_json(offer)
        return
    print_table(
        [
            (variant.id, len(variant.files or ()), f"{variant.bytes / 1e6:.1f} MB")
            for model in offer.models
            for variant in model.variants
        ],
        "variant", ">files", ">size",
    )  # fmt: skip


@models.command("export")
@click.argument("name")
@click.option("--out", "destination", type=click.Path(path_type=Path), required=True, help="Folder to write.")
@click.option(
    "--task",
    type=click.Choice(["embed", "rerank"]),
    default="embed",
    show_default=True,
    help="What NAME is: a sentence-transformers encoder, or a cross-encoder.",
)
@click.option("--max-tokens", type=int, default=None, help="Word pieces that the model reads. Default: its own.")
@click.option("--precision", type=click.Choice(["int8-weight-only", "fp32"]), default="int8-weight-only")
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="TAG",
    help="A language that the encoder knows, such as es; may be given again. Default: not said, which counts as all.",
)
@as_json
def models_export(
    name: str,
    destination: Path,
    task: Literal["embed", "rerank"],
    max_tokens: int | None,
    precision: Precision,
    languages: tuple[str, ...],
    json: bool,
) -> None:
    """Turn the model NAME (or its folder) into the ONNX file that openbook reads.

    Needs the extra: pip install 'openbook[export]'.
    """
    from openbook.languages import primary
    from openbook.models.export import export_model
    from openbook.models.export_cross_encoder import export_cross_encoder

    files: Any
    with reporting(json) as reporter, reporter.stage("export"):
        if task == "rerank":
            files = export_cross_encoder(name, destination, max_tokens=max_tokens, precision=precision).files
        else:
            made = export_model(
                name,
                destination,
                max_tokens=max_tokens,
                precision=precision,
                languages=[primary(one) for one in languages],
            )
            files = made.files
    if json:
        print_json(files)
    elif task == "rerank":
        _print_cross_encoder(files)
    else:
        _print_encoder(files)

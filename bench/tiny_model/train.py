"""Train the tiny model: it answers a prompt of ours with the first sentence of passage 1 and the number in brackets.

    python bench/tiny_model/train.py OUT [--steps 2400] [--lectures lectures]

Writes ``OUT/tokenizer.json`` and ``OUT/weights.npz``. It learns two things only: where the first passage begins, and to
copy (an induction head: Olsson et al. 2022, "In-context learning and induction heads"). It knows no language, so its
passages are mostly words thrown together at random, and nothing it could remember helps it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor, nn
from torch.nn import functional as F

from openbook.retrieval.prompt import BEGIN, END, INSTRUCTION, PASSAGE, QUESTION, make_mark

HERE = Path(__file__).parent
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHAT = f"<|im_start|>system\n{INSTRUCTION}<|im_end|>\n<|im_start|>user\n{{prompt}}<|im_end|>\n<|im_start|>assistant\n"


class Rotary(nn.Module):
    """Rotary positions in the halves layout that TVM's KV cache applies (Su et al. 2021)."""

    def __init__(self, head_dim: int, theta: float, length: int) -> None:
        super().__init__()
        frequencies = theta ** (-torch.arange(0, head_dim, 2).float() / head_dim)
        angles = torch.outer(torch.arange(length).float(), frequencies)
        self.register_buffer("cos", torch.cat([angles.cos()] * 2, -1))
        self.register_buffer("sin", torch.cat([angles.sin()] * 2, -1))

    def forward(self, x: Tensor) -> Tensor:
        length, half = x.shape[-2], x.shape[-1] // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return x * self.cos[:length] + turned * self.sin[:length]


class Norm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


class Layer(nn.Module):
    def __init__(self, c: dict, rotary: Rotary) -> None:
        super().__init__()
        self.heads, self.kv, self.dim = c["heads"], c["kv_heads"], c["head_dim"]
        self.n1, self.n2 = Norm(c["hidden"], c["eps"]), Norm(c["hidden"], c["eps"])
        self.qkv = nn.Linear(c["hidden"], (self.heads + 2 * self.kv) * self.dim, bias=False)
        self.out = nn.Linear(self.heads * self.dim, c["hidden"], bias=False)
        self.gate_up = nn.Linear(c["hidden"], 2 * c["intermediate"], bias=False)
        self.down = nn.Linear(c["intermediate"], c["hidden"], bias=False)
        self.rotary = (rotary,)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            self.qkv(self.n1(x))
            .view(batch, length, self.heads + 2 * self.kv, self.dim)
            .transpose(1, 2)
            .split([self.heads, self.kv, self.kv], 1)
        )
        rotate = self.rotary[0]
        attended = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, -1))
        gate, up = self.gate_up(self.n2(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Model(nn.Module):
    def __init__(self, c: dict) -> None:
        super().__init__()
        self.embed = nn.Embedding(c["vocab"], c["hidden"])
        rotary = Rotary(c["head_dim"], c["rope_theta"], c["context"])
        self.rotary = rotary
        self.layers = nn.ModuleList(Layer(c, rotary) for _ in range(c["layers"]))
        self.norm = Norm(c["hidden"], c["eps"])
        nn.init.normal_(self.embed.weight, std=0.08)
        with torch.no_grad():
            look_back(self, c)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

    def logits(self, states: Tensor) -> Tensor:
        return states @ self.embed.weight.T

    def named(self) -> dict[str, nn.Parameter]:
        """By the names that ``compile.py`` gives them."""
        found = {"embed_tokens.weight": self.embed.weight, "norm.weight": self.norm.weight}
        for number, layer in enumerate(self.layers):
            found |= {
                f"layers.{number}.attn.qkv_proj.weight": layer.qkv.weight,
                f"layers.{number}.attn.o_proj.weight": layer.out.weight,
                f"layers.{number}.mlp.gate_up.weight": layer.gate_up.weight,
                f"layers.{number}.mlp.down.weight": layer.down.weight,
                f"layers.{number}.n1.weight": layer.n1.weight,
                f"layers.{number}.n2.weight": layer.n2.weight,
            }
        return found

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: value.detach().numpy().astype(np.float32) for name, value in self.named().items()}

    @torch.no_grad()
    def load_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        for name, value in self.named().items():
            value.copy_(torch.from_numpy(arrays[name]))


def look_back(model: Model, c: dict) -> None:
    """Begin with heads in the first layer that look one, two and three tokens back.

    Copying needs them, and finding them takes most of the time otherwise. One dimension of the embedding is the same
    for all tokens, so that a query and a key can be constant; what is then left of their product is a sum of cosines of
    the distance, one a frequency, which the fast frequencies make a peak.
    """
    constant, sharpness, pairs = 0.6, 6.0, 4
    model.embed.weight[:, 0] = constant
    layer, dim = model.layers[0], c["head_dim"]
    frequencies = c["rope_theta"] ** (-torch.arange(0, dim, 2).float() / dim)
    scale = (sharpness * dim**0.5) ** 0.5 / (constant / model.embed.weight.square().mean().sqrt())
    for head in range(min(3, c["heads"])):
        query = layer.qkv.weight[head * dim : (head + 1) * dim]
        key = layer.qkv.weight[(c["heads"] + head) * dim : (c["heads"] + head + 1) * dim]
        query.mul_(0.1), key.mul_(0.1)
        for pair in range(pairs):
            angle = -frequencies[pair] * (head + 1)
            query[pair, 0], query[pair + dim // 2, 0] = scale * angle.cos(), scale * angle.sin()
            key[pair, 0], key[pair + dim // 2, 0] = scale, 0


class Texts:
    """Prompts as the page assembles them, over words thrown together and some sentences of the lectures."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        source = "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.md")))
        self.words = sorted(set(re.findall(r"[A-Za-z][A-Za-z_'-]*[a-z]", source)))
        plain = re.sub(r"[`*_#>|]", "", source)
        self.sentences = [s for s in re.findall(r"[A-Z][^.\n]{15,140}\.", plain) if s.count(" ") > 2]

    def _sentence(self, words: int) -> str:
        if self.random.random() < 0.2:
            return self.random.choice(self.sentences)
        text = " ".join(self.random.choice(self.words) for _ in range(self.random.randint(2, words)))
        if self.random.random() < 0.2:
            text = text.replace(" ", ", ", 1)
        return text[:1].upper() + text[1:] + "."

    def _label(self) -> str:
        parts = [
            " ".join(self.random.choice(self.words) for _ in range(self.random.randint(1, 4))).capitalize()
            for _ in range(self.random.randint(1, 3))
        ]
        return f"{self.random.choice(('Lecture', 'Slides'))} {self.random.randint(1, 14)}, " + " / ".join(parts)

    def example(self, passages: int, sentences: int, words: int) -> tuple[str, str]:
        """A prompt, without its instruction, and its answer."""
        question = " ".join(self.random.choice(self.words) for _ in range(self.random.randint(2, 8))).capitalize() + "?"
        shown = []
        for _ in range(self.random.randint(1, passages)):
            text = [self._sentence(words) for _ in range(self.random.randint(1, sentences))]
            glue = "\n" if self.random.random() < 0.15 else " "
            shown.append((self._label(), text, glue))
        mark = make_mark([question, *(label for label, _, _ in shown), str(self.random.random())])
        parts = [QUESTION.format(question=question), BEGIN.format(mark=mark)]
        parts += [
            PASSAGE.format(number=number, mark=mark, label=label, text=glue.join(text))
            for number, (label, text, glue) in enumerate(shown, 1)
        ]
        parts += [END.format(mark=mark), QUESTION.format(question=question)]
        return "\n\n".join(parts), f"{shown[0][1][0]} [1]"


def train_tokenizer(texts: Texts, vocabulary: int) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    examples = (CHAT.format(prompt=text) for _ in range(400) for text in texts.example(3, 3, 12))
    tokenizer.train_from_iterator([*examples, *texts.sentences], trainer)
    return tokenizer


def batches(
    texts: Texts, tokenizer: Tokenizer, tokens: int, shape: tuple[int, int, int]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Ids [batch, length] and, of the same shape, where what follows is to be learnt."""
    while True:
        pool = []
        for _ in range(64):
            prompt, answer = texts.example(*shape)
            head = tokenizer.encode(CHAT.format(prompt=prompt)).ids
            pool.append((head, tokenizer.encode(answer + "<|im_end|>").ids))
        pool.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        while pool:
            size = max(1, tokens // (len(pool[-1][0]) + len(pool[-1][1])))
            part, pool = pool[-size:], pool[:-size]
            length = max(len(a) + len(b) for a, b in part)
            ids, learn = (
                torch.zeros(len(part), length, dtype=torch.long),
                torch.zeros(len(part), length, dtype=torch.bool),
            )
            for row, (a, b) in enumerate(part):
                ids[row, : len(a) + len(b)] = torch.tensor(a + b)
                learn[row, len(a) - 1 : len(a) + len(b) - 1] = True
            yield ids, learn


def repeats(tokenizer: Tokenizer, tokens: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Tokens at random, twice: the second time all of them can be known."""
    vocabulary, generator = tokenizer.get_vocab_size(), torch.Generator().manual_seed(3)
    while True:
        length = int(torch.randint(12, 60, (), generator=generator))
        once = torch.randint(len(SPECIAL), vocabulary, (tokens // (2 * length), length), generator=generator)
        ids = torch.cat([once, once], 1)
        learn = torch.zeros_like(ids, dtype=torch.bool)
        learn[:, length:-1] = True
        yield ids, learn


PHASES = ((0.25, None), (0.2, (1, 2, 6)), (0.25, (2, 3, 10)), (0.3, (5, 4, 14)))
"""Share of the steps; passages, sentences, words at most, or None for repeats."""


def train(
    texts: Texts, tokenizer: Tokenizer, model: Model, steps: range, tokens: int, save: Callable[[], None]
) -> None:
    """Take the steps of ``range(done, all)``, of ``tokens`` each."""
    torch.manual_seed(steps.start)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.01)
    shares = np.cumsum([share for share, _ in PHASES])
    streams = [batches(texts, tokenizer, tokens, shape) if shape else repeats(tokenizer, tokens) for _, shape in PHASES]
    began = time.monotonic()
    for step in steps:
        share = step / steps.stop
        phase = min(int(np.searchsorted(shares, share, side="right")), len(PHASES) - 1)
        for group in optimiser.param_groups:
            group["lr"] = (
                3e-3 * min(1, (step - steps.start + 1) / 50) * (1 if share < 0.6 else max(0.03, (1 - share) / 0.4))
            )
        ids, learn = next(streams[phase])
        states = model(ids)[:, :-1][learn[:, :-1]]
        wanted = ids[:, 1:][learn[:, :-1]]
        logits = model.logits(states)
        loss = F.cross_entropy(logits, wanted)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 200 == 199:
            save()
        if step % 50 == 49:
            right = (logits.argmax(-1) == wanted).float().mean()
            passed = time.monotonic() - began
            print(f"{passed:5.0f} s  step {step + 1:5d}  phase {phase}  loss {loss:.3f}  right {right:.3f}", flush=True)


@torch.no_grad()
def measure(model: Model, tokenizer: Tokenizer, texts: Texts, shape: tuple[int, int, int], count: int) -> float:
    """Share of prompts whose whole answer, always given what should stand before, is right."""
    right = 0
    for _ in range(count):
        prompt, answer = texts.example(*shape)
        head, tail = tokenizer.encode(CHAT.format(prompt=prompt)).ids, tokenizer.encode(answer + "<|im_end|>").ids
        guessed = model.logits(model(torch.tensor([head + tail]))[0, len(head) - 1 : -1]).argmax(-1)
        right += guessed.tolist() == tail
    return right / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=2400, help="with 3000 tokens each: 15 minutes on one idle core")
    parser.add_argument("--start", type=Path, help="weights.npz to go on from")
    parser.add_argument("--done", type=int, default=0, help="steps that those have behind them")
    parser.add_argument("--lectures", type=Path, default=HERE.parents[1] / "lectures")
    parser.add_argument("--tokens", type=int, default=3000, help="in a batch")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    config = json.loads((HERE / "config.json").read_text())
    arguments.out.mkdir(parents=True, exist_ok=True)
    texts = Texts(arguments.lectures, seed=1)
    model = Model(config)
    if arguments.start:
        model.load_arrays(dict(np.load(arguments.start)))
        tokenizer = Tokenizer.from_file(str(arguments.start.parent / "tokenizer.json"))
    else:
        tokenizer = train_tokenizer(texts, config["vocab"])
    tokenizer.save(str(arguments.out / "tokenizer.json"))

    def save() -> None:
        np.savez(arguments.out / "weights.npz", **model.arrays())

    train(texts, tokenizer, model, range(arguments.done, arguments.steps), arguments.tokens, save)
    save()
    fresh = Texts(arguments.lectures, seed=2)
    for shape in ((1, 2, 10), (3, 3, 14), (5, 6, 18)):
        share = measure(model, tokenizer, fresh, shape, 100)
        print(
            f"whole answers right, at most {shape[0]} passages of {shape[1]} sentences of {shape[2]} words: {share:.2f}"
        )


if __name__ == "__main__":
    main()

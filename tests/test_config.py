"""openbook.toml: defaults, and a message with a place for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from openbook.config import Config, load_config
from openbook.errors import ConfigError
from openbook.settings import Settings


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / "openbook.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_folder_without_the_file_has_the_defaults(tmp_path: Path) -> None:
    config = load_config(tmp_path)
    assert config == Config(root=tmp_path, path=None, settings=Settings())
    assert config.title == tmp_path.name


def test_the_file_may_be_named_instead_of_its_folder(tmp_path: Path) -> None:
    file = write(tmp_path, '[course]\ntitle = "Rivers"\n')
    assert load_config(file) == load_config(tmp_path)
    assert load_config(file).title == "Rivers"


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    write(tmp_path, b'\xef\xbb\xbf[course]\ntitle = "Rivers"\n')
    assert load_config(tmp_path).title == "Rivers"


def test_a_lecture_can_be_described_in_the_file(tmp_path: Path) -> None:
    write(tmp_path, '[lectures."week 1/intro"]\nrelease = 2026-12-03\nnumber = 4\n')
    lecture = load_config(tmp_path).settings.lectures["week 1/intro"]
    assert (str(lecture.release), lecture.number, lecture.title) == ("2026-12-03", 4, None)


MISTAKES = {
    "not TOML": ("[course\n", 1, "not valid TOML"),
    "an unknown key": ('[course]\ntitel = "Rivers"\n', 2, "course.titel: there is no such key (is it 'title'?)"),
    "an unknown table": ("\n[chunk]\nmax_words = 3\n", 2, "chunk: there is no such key"),
    "a value that is none of those": (
        '[retrieval.rerank]\nmode = "magic"\n',
        2,
        "retrieval.rerank.mode: 'magic' is none of 'cross-encoder', 'late-interaction', 'off'.",
    ),
    "a kind of warning that there is none of": (
        '[warnings]\nignore = ["unclosed-fense"]\n',
        2,
        "warnings.ignore[0]: 'unclosed-fense' is not known (is it 'unclosed-fence'?).",
    ),
    "one such in a list": ('[generation]\nengines = ["webllm", "gpt"]\n', 2, "engines[1]: 'gpt' is none of 'address',"),
    "a key of one lecture": ('[lectures."a b"]\nnumbre = 3\n', 2, "there is no such key (is it 'number'?)"),
    "a wrong type": ('[chunks]\nmax_words = "many"\n', 2, "chunks.max_words"),
    "a number out of range": ("[chunks]\n\noverlap = 0.9\n", 3, "chunks.overlap"),
    "a language that is no tag": ('[course]\nlanguage = "plain English"\n', 2, "course.language"),
    "a time zone that is none": ('[course]\ntimezone = "Mars/Olympus"\n', 2, "not an IANA time zone"),
    "budgets the wrong way round": ("[retrieval.prompt]\nmin_words = 300\n", 2, "min_words is greater"),
    "not UTF-8": (b'[course]\n\ntitle = "\xff"\n', 3, "not UTF-8"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, mistake: str) -> None:
    text, line, message = MISTAKES[mistake]
    file = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert message in str(caught.value)
    assert caught.value.source == str(file)
    assert caught.value.line == line


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        load_config(tmp_path / "nowhere")

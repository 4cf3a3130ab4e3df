"""Every example in the docstrings, including compiled functions, which doctest does not find by itself."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import mime_charset
from mime_charset import _native

MODULES = [
    "mime_charset",
    "mime_charset.arrow",
    "mime_charset.codecs",
    "mime_charset.email",
    "mime_charset.inspect",
    "mime_charset.values",
]


@pytest.mark.parametrize("name", MODULES)
def test_modules(name: str) -> None:
    if name == "mime_charset.arrow":
        pytest.importorskip("pyarrow")
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("path", ["README.md", "python/mime_charset/spark.py", "../../docs/clusters.md"])
def test_examples_import_what_they_use(path: str) -> None:
    """``import mime_charset`` does not import the modules that need the extras."""
    text = (Path(__file__).parents[1] / path).read_text("utf-8")
    blocks = re.findall(r"^```py\w+$(.*?)^```$", text, re.M | re.S) + re.findall(r"^::$(.*?)^\w", text, re.M | re.S)
    used = [(module, block) for block in blocks for module in re.findall(r"mime_charset\.(arrow|spark)\.", block)]
    assert used
    for module, block in used:
        assert f"import mime_charset.{module}\n" in block


def compiled() -> dict[str, str]:
    """The docstrings of compiled objects, by name."""
    found: dict[str, str] = {}
    for name, value in vars(_native).items():
        if name.startswith("__"):
            continue
        found[name] = value.__doc__ or ""
        if isinstance(value, type) and not issubclass(value, Exception):
            for inner, member in vars(value).items():
                if not inner.startswith("__"):
                    found[f"{name}.{inner}"] = member.__doc__ or ""
    return found


@pytest.mark.parametrize("name", [name for name, text in compiled().items() if ">>>" in text])
def test_compiled(name: str) -> None:
    examples = doctest.DocTestParser().get_doctest(compiled()[name], {}, name, None, 0)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_public_names_are_documented() -> None:
    for name, text in compiled().items():
        assert text.strip(), name
    assert set(mime_charset.__all__) >= {name for name in vars(_native) if not name.startswith("_")}

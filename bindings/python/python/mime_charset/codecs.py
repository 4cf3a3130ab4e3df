"""Registers Python codecs for the charsets of mail."""

from __future__ import annotations

import codecs
import encodings
import re
from collections.abc import Callable, Iterable
from email import charset as email_charset
from typing import Any, ClassVar

from ._native import Error, _Decoder, _labels, _mailbox_name

__all__ = ["register_codecs"]


def register_codecs(*, replace: Iterable[str] = ()) -> None:
    """Registers a codec for each label of each charset that Python lacks.

    ``bytes.decode``, ``open`` and the standard library's ``email`` then read mail in them:

    >>> import mime_charset
    >>> mime_charset.register_codecs()
    >>> b"Vi\\xaet Nam".decode("viscii")
    'Việt Nam'
    >>> import email, email.policy
    >>> message = email.message_from_bytes(
    ...     b"Subject: =?iso-2022-cn?b?GyQpQQ49Ozs7Dw==?=\\n\\n", policy=email.policy.default
    ... )
    >>> message["Subject"]
    '交换'

    A codec trusts its label and guesses nothing. It does not report wrong labels; ``mime_charset.decode``
    does. Under ``unicode-1-1-utf-8`` old Hangul is remapped by RFC 2279, section 5. Octets that the library
    replaces by U+FFFD are errors for Python's error handlers; positions count octets. The state of an
    incremental decoder (``getstate``) is valid for any other decoder of the charset; only a state of SCSU with more
    than 29 bits is limited to its process.

    Encoding is limited to UTF-8 and to names of mailboxes (RFC 3501, section 5.1.3); other charsets raise
    UnicodeEncodeError. ``str.encode`` encodes a whole name of a mailbox; files, streams and incremental
    encoders raise UnicodeEncodeError.

    ``email.header.Header`` and ``make_header`` write UTF-8 for these labels. So do ``MIMEText`` and
    ``set_payload`` for a body in ASCII; other bodies raise UnicodeEncodeError, and in
    ``EmailMessage.set_content`` all bodies do. Use ``utf-8`` as the charset there.

    Python's own codecs stay, except for the names in ``replace``:

    >>> mime_charset.register_codecs(replace=["euc-kr"])

    Names are normalized as in ``codecs.lookup``: lower case, with one ``_`` for each run of characters other
    than letters, digits and full stops. Other names of the charset keep Python's codec, and encoding always
    does. Python caches codecs, so this function clears the cache: it unregisters Python's own search
    function and registers it again, after all others. Codecs that were looked up before, and open files, do
    not change. ``bytes.decode`` never looks up the names of ASCII, ISO-8859-1, UTF-8, UTF-16 and UTF-32:
    these raise ``mime_charset.Error``, and so do names that are not labels.
    """
    _charsets.update((_normal(label), charset) for label, charset in _labels())
    wanted: set[str] = set()
    for label in replace:
        name = _normal(label)
        if name not in _charsets:
            raise Error(f"expected the label of a charset, found {label!r}")
        python = encodings.search_function(name)
        if python is not None and python.name in _NEVER_LOOKED_UP:
            raise Error(f"expected a name that Python looks up, found {label!r}")
        wanted.add(name)
    codecs.unregister(_search)
    codecs.register(_search)
    _replaced.update(wanted)
    if _replaced:
        codecs.unregister(encodings.search_function)
        codecs.register(encodings.search_function)
    for label, _ in _labels():
        header, _, output = email_charset.CHARSETS.get(label, (email_charset.SHORTEST, None, None))
        if output is None and encodings.search_function(_normal(label)) is None:
            # No body encoding: set_charset() would encode a body twice if the output charset
            # differs.
            email_charset.add_charset(label, header, None, "utf-8")


_NEVER_LOOKED_UP = {"ascii", "iso8859-1", "utf-8", "utf-16", "utf-32"}

_replaced: set[str] = set()

_charsets: dict[str, str] = {}
"""The name of the charset for each label, normalized as in ``codecs.lookup``."""


def _normal(label: str) -> str:
    """The label, normalized as in ``codecs.lookup``."""
    return encodings.normalize_encoding(label).lower()


def _search(name: str) -> codecs.CodecInfo | None:
    if name not in _replaced:
        # Python's own codecs have precedence, in whatever order search functions are called.
        python = encodings.search_function(name)
        if python is not None or name not in _charsets:
            return python
    return _codec(name)


def _codec(label: str) -> codecs.CodecInfo:
    charset = _charsets[label]
    own = _normal(charset)
    is_own = own in _replaced or encodings.search_function(own) is None
    # A name that finds the same codec.
    name = charset.lower() if is_own else label
    attributes = {"charset": charset, "name": name}
    decoder: Any = type("IncrementalDecoder", (_IncrementalDecoder,), attributes)
    reader: Any = type("StreamReader", (_StreamReader,), attributes)

    def decode(octets: Any, errors: str = "strict") -> tuple[str, int]:
        return _Decoder(charset, name).decode(octets, errors, True), memoryview(octets).nbytes

    written = encodings.search_function(label) if label in _replaced else _WRITTEN.get(charset)
    if written is None:
        written = _not_written(name)
    encode, writer, encoder = written.encode, written.streamwriter, written.incrementalencoder
    return codecs.CodecInfo(encode, decode, reader, writer, encoder, decoder, name)


def _not_written(name: str) -> codecs.CodecInfo:
    return _written_by(_refusal(name, "mime_charset reads this charset and does not write it"))


def _refusal(name: str, reason: str) -> Callable[..., tuple[bytes, int]]:
    def encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
        if text:
            raise UnicodeEncodeError(name, text, 0, len(text), reason)
        return b"", 0

    return encode


def _written_by(
    stream: Callable[..., tuple[bytes, int]], encode: Callable[..., tuple[bytes, int]] | None = None
) -> codecs.CodecInfo:
    """A codec that only encodes: pieces by ``stream``, and whole texts by ``encode``."""
    in_pieces = {"encode": lambda self, text, final=False: stream(text, self.errors)[0]}
    encoder: Any = type("IncrementalEncoder", (codecs.IncrementalEncoder,), in_pieces)
    to_stream = {"encode": lambda self, text, errors="strict": stream(text, errors)}
    writer: Any = type("StreamWriter", (codecs.StreamWriter,), to_stream)
    return codecs.CodecInfo(encode or stream, codecs.utf_8_decode, None, writer, encoder)


class _IncrementalDecoder(codecs.IncrementalDecoder):
    charset: ClassVar[str]
    name: ClassVar[str]

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._decoder = _Decoder(self.charset, self.name)

    def decode(self, input: Any, final: bool = False) -> str:
        return self._decoder.decode(input, self.errors, final)

    def reset(self) -> None:
        self._decoder.reset()

    def getstate(self) -> tuple[bytes, int]:
        return self._decoder.getstate()

    def setstate(self, state: tuple[bytes, int]) -> None:
        self._decoder.setstate(state)


class _Ends:
    """A stream that knows whether it was read to its end."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.has_ended = False

    def read(self, size: int = -1) -> bytes:
        octets: bytes = self._stream.read(size)
        self.has_ended = size < 0 or not octets
        return octets

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _StreamReader(codecs.StreamReader):
    charset: ClassVar[str]
    name: ClassVar[str]

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        self._ends = _Ends(stream)
        super().__init__(self._ends, errors)
        self._decoder = _Decoder(self.charset, self.name)

    def decode(self, input: Any, errors: str = "strict") -> tuple[str, int]:
        """``StreamReader`` keeps octets that were not consumed, and passes them again with the next ones."""
        text = self._decoder.decode(input, errors, self._ends.has_ended)
        return text, len(input) - self._decoder.take_back()

    def reset(self) -> None:
        super().reset()
        self._decoder.reset()


def _encode_name(text: str, errors: str = "strict") -> tuple[bytes, int]:
    """Encodes the name of a mailbox. Lone surrogates go to the error handler, which must return text."""
    pieces: list[str] = []
    at = 0
    while found := _SURROGATES.search(text, at):
        error = UnicodeEncodeError("utf-7-imap", text, *found.span(), "surrogates not allowed")
        answer, position = codecs.lookup_error(errors)(error)
        position += len(text) if position < 0 else 0
        if not isinstance(answer, str) or _SURROGATES.search(answer):
            raise error
        if not 0 <= position <= len(text):
            raise IndexError(f"position {position} from error handler out of bounds")
        pieces += text[at : found.start()], answer
        at = position
    return _mailbox_name("".join(pieces) + text[at:]).encode("ascii"), len(text)


_SURROGATES = re.compile("[\ud800-\udfff]+")

_WRITTEN = {
    "UTF-8": codecs.lookup("utf-8"),
    # Each piece would be encoded as a separate name.
    "UTF-7-IMAP": _written_by(
        _refusal("utf-7-imap", "the name of a mailbox is encoded whole: use str.encode"), _encode_name
    ),
}
"""Encoders by charset."""

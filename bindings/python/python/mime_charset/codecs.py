"""Python codecs for the charsets of mail: ``register_codecs``."""

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
    """Gives Python a codec for every label of every charset that it has none for.

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

    Octets are read under the label that is given, and nothing is guessed: what the library says
    without being asked, such as that a label is wrong, ``mime_charset.decode`` says. Old Hangul under
    ``unicode-1-1-utf-8`` is read to the letter of RFC 2279, section 5. What the library puts
    U+FFFD for is an error, and Python's error handlers do with it what they do; positions count octets.
    ``getstate`` of an incremental decoder gives octets and a number, from which any other decoder of the
    charset goes on; the numbers of SCSU that have more than 29 bits only in the same process.

    Only UTF-8 and the names of mailboxes (RFC 3501, section 5.1.3) are written. To encode in any other
    charset raises UnicodeEncodeError. A name is written whole, by ``str.encode``; files, streams and
    incremental encoders raise UnicodeEncodeError for it.

    ``email.header.Header`` and ``make_header`` write UTF-8 for these labels, and ``MIMEText`` and
    ``set_payload`` do for a body of ASCII. Any other body they refuse with UnicodeEncodeError, and
    ``EmailMessage.set_content`` every body: give ``utf-8`` as its charset.

    Nothing of Python's own is replaced but the names in ``replace``:

    >>> mime_charset.register_codecs(replace=["euc-kr"])

    The names are as for ``codecs.lookup``, which makes no difference between capitals and others, and
    takes one ``_`` for what is no letter, digit or full stop; other names of the same charset stay
    Python's, and to encode stays Python's under these too. Python keeps every codec that it has looked up:
    to ask for a name again, all of them are forgotten, by ``codecs.unregister`` of Python's own search
    function, and that is registered again behind this one and whatever else there is. Codecs
    that were looked up before, and files that are open, stay as they are. Names that
    ``bytes.decode`` does not look up cannot be replaced, those of ASCII, ISO-8859-1, UTF-8, UTF-16 and
    UTF-32: ``mime_charset.Error`` says so, and so it does of names that are no label.
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
            # An encoding of the body is one too many: set_charset() encodes a body whose charset is
            # not the one that is written, and then again.
            email_charset.add_charset(label, header, None, "utf-8")


_NEVER_LOOKED_UP = {"ascii", "iso8859-1", "utf-8", "utf-16", "utf-32"}

_replaced: set[str] = set()

_charsets: dict[str, str] = {}
"""The names of charsets by their labels, as ``codecs.lookup`` asks for these."""


def _normal(label: str) -> str:
    """As ``codecs.lookup`` asks for it."""
    return encodings.normalize_encoding(label).lower()


def _search(name: str) -> codecs.CodecInfo | None:
    if name not in _replaced:
        # Wherever this function stands, Python's own codecs come first.
        python = encodings.search_function(name)
        if python is not None or name not in _charsets:
            return python
    return _codec(name)


def _codec(label: str) -> codecs.CodecInfo:
    charset = _charsets[label]
    own = _normal(charset)
    is_own = own in _replaced or encodings.search_function(own) is None
    # A name under which the same codec is found.
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
    """What writes a charset, in pieces by ``stream``, and what is whole by ``encode``."""
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
    """A stream that knows whether all of it was read, which ``codecs.StreamReader`` does not ask."""

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
        """``StreamReader`` keeps what is not read, and gives it again with what follows."""
        text = self._decoder.decode(input, errors, self._ends.has_ended)
        return text, len(input) - self._decoder.take_back()

    def reset(self) -> None:
        super().reset()
        self._decoder.reset()


def _encode_name(text: str, errors: str = "strict") -> tuple[bytes, int]:
    """What no UTF-16 can have goes to the error handler, whose answer is characters: octets are none."""
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
    # Pieces would be names of their own, and two of them be written otherwise than the whole.
    "UTF-7-IMAP": _written_by(
        _refusal("utf-7-imap", "the name of a mailbox is no stream: str.encode writes a whole one"), _encode_name
    ),
}
"""What writes a charset."""

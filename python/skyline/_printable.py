"""Text that is safe to show, as src/base/printable.h makes it."""


def printable(text: object) -> str:
    """Names of files, and what errors say of them, may hold characters that would drive the reader's terminal."""
    return "".join(c if c.isprintable() or c == "\u00a0" else _escape(c) for c in str(text))


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file's name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if 0x80 <= code < 0x100:
        return f"\\u{code:04x}"
    return character.encode("unicode_escape").decode()

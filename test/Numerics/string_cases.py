"""Methods of strings in small TorchScript functions. A string is no result of the tools' files, so each is compared in the program.

TorchScript's methods are not always Python's: signs, line ends and underscores."""

from typing import List

from function_case import listed_in

CASES = []
case = listed_in(CASES)


@case(("Hello World",), ("",), ("x1 Y",))
def cases_of_letters(s: str):
    return (s.title() == "Hello World", s.swapcase() == "hELLO wORLD", s.capitalize() == "Hello world", s.upper() == s.lower(),
            len(s.title()), s.title() == "X1 Y", s.swapcase() == "X1 y")


@case(("Hello World", 7), ("ab", 5), ("abc", 6), ("-7", 4), ("7", 1))
def widths(s: str, n: int):
    padded = s.center(n, "*")
    return (len(s.ljust(n, ".")), len(s.rjust(n)), len(padded), padded.find("a"), s.zfill(n).find("7"), s.zfill(n) == "00-7",
            s.ljust(n, ".") == "ab...", s.rjust(n) == "   ab", padded == "**ab*", padded == "*abc**")


@case(("a.b.c", "."), ("abc", "."), (".a", "."))
def parts_by_a_separator(s: str, by: str):
    before, at, after = s.partition(by)
    first, last_at, last = s.rpartition(by)
    return (before == "a", at == by, after == "b.c", first == "a.b", last_at == ".", last == "c", len(s.rsplit(by)), s.rsplit(by, 1)[0] == "a.b",
            len(s.rsplit(by, 1)), len(before), len(last))


@case(("a\nb\r\nc",), ("",), ("one\n\n",))
def lines_of_a_text(s: str):
    lines, kept = s.splitlines(), s.splitlines(True)
    return len(lines), len(kept), "|".join(lines) == "a|b||c", "|".join(kept) == "one|\n||\n"


@case(("a\tb",), ("\t\t",), ("abcd\te",), ("ab\ncd\te",))
def tabs(s: str):
    return len(s.expandtabs()), len(s.expandtabs(4)), s.expandtabs(4) == "a   b"


@case(("12",), ("a1",), ("_a",), ("",), ("Ab Cd",), ("1a",))
def kinds_of_text(s: str):
    return s.isdecimal(), s.isnumeric(), s.isprintable(), s.istitle(), s.isidentifier(), s.isdigit(), s.isalnum()


@case((65,), (48,))
def characters(n: int):
    return chr(n) == "A", ord(chr(n)), chr(n) + chr(n + 1) == "AB", "banana".index("an"), "banana".rindex("an")


@case((["b", "a", "c"], ["b", "a"]))
def lists_of_strings(a: List[str], b: List[str]):
    a.append("z")
    a.sort()
    return "".join(a) == "abcz", a == b, a != b, "c" in a, a.index("b"), a.count("z"), sorted(b)[0] == "a", ",".join(a[1:3]) == "b,c"

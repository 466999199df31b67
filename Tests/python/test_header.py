"""The calls of the examples against the header of the C library, without a compiler."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "Sources" / "CLoopsim" / "loopsim.h"

#: What Julia may pass for a type of the header.
JULIA = {
    "uint32_t": {"UInt32"}, "int32_t": {"Int32"}, "int64_t": {"Int64"},
    "loopsim_handle": {"Int64"}, "size_t": {"Csize_t"},
    "const char *": {"Cstring", "Ptr{UInt8}"}, "char *": {"Ptr{UInt8}"},
    "loopsim_handle *": {"Ref{Int64}"}, "size_t *": {"Ref{Csize_t}", "Ptr{Csize_t}"},
    "int64_t *": {"Ptr{Int64}"}, "const uint8_t *": {"Ptr{UInt8}"}, "uint8_t *": {"Ptr{UInt8}"},
    "const uint64_t *": {"Ptr{UInt64}"}, "double *": {"Ptr{Float64}"},
    "const double *": {"Ptr{Float64}"}, "const double **": {"Ref{Ptr{Float64}}"},
    "const char **": {"Ref{Ptr{UInt8}}"},
}


def functions() -> dict[str, tuple[str, list[str]]]:
    """The functions of the header: what each gives, and the types of what it takes."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    found = {}
    for result, name, given in re.findall(r"(u?int\d+_t) (loopsim_\w+)\(([^)]*)\);", text):
        types = []
        for one in [] if given.strip() == "void" else given.split(","):
            one = " ".join(one.split())
            if one.endswith("]"):
                one = re.sub(r" (\w+)\[\d*\]$", r" *\1", one)
            kind, stars, _ = re.fullmatch(r"([\w ]+?) ?(\**)(\w+)", one).groups()
            types.append(f"{kind} {stars}" if stars else kind)
        found[name] = (result, types)
    return found


def calls(path: Path) -> list[tuple[str, list[str], str]]:
    """The calls of a file of Julia: the function, the types that are passed, and that of what comes."""
    found = []
    for line in path.read_text().splitlines():
        start = line.find("@ccall library.")
        if start < 0:
            continue
        name, rest = re.fullmatch(r"(\w+)\((.*)", line[start + len("@ccall library."):]).groups()
        depth, end = 1, 0
        while depth:
            depth += {"(": 1, ")": -1}.get(rest[end], 0)
            end += 1
        given, after = rest[:end - 1], rest[end:]
        parts, part, nested = [], "", 0
        for letter in given:
            nested += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
            if letter == "," and nested == 0:
                parts.append(part)
                part = ""
            else:
                part += letter
        parts += [part] if part else []
        result = re.match(r"::(\w+)", after).group(1)
        found.append((name, [one.rsplit("::", 1)[1] for one in parts], result))
    return found


class Header(unittest.TestCase):
    def test_julia_calls_what_the_header_declares(self) -> None:
        declared = functions()
        self.assertEqual(len(declared), 14)
        called = calls(ROOT / "Tests" / "c" / "day.jl")
        self.assertGreater(len(called), 12)
        for name, given, result in called:
            with self.subTest(name):
                gives, takes = declared[name]
                self.assertIn(result, JULIA[gives])
                self.assertEqual(len(given), len(takes))
                for one, kind in zip(given, takes):
                    self.assertIn(one, JULIA[kind])

    def test_the_version_script_shows_the_functions_alone(self) -> None:
        script = (ROOT / "Sources" / "CLoopsim" / "exports.map").read_text()
        self.assertRegex(script, r"global:\s*loopsim_\*;\s*local:\s*\*;")

    def test_a_wrong_call_is_found(self) -> None:
        self.assertEqual(functions()["loopsim_column"][1][5], "const double **")
        self.assertNotIn("Ref{Int64}", JULIA[functions()["loopsim_column"][1][5]])


if __name__ == "__main__":
    unittest.main()

"""Commands and options: `argparse` with examples, the nearest spelling, and options that know what they are for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from gradir.cli.terminal import UsageError
from gradir.errors import nearest

__all__ = [
    "Parser", "add_compiler", "add_input", "add_output", "bare", "names", "only", "parsed",
    "refuse_together", "refuse_what_does_not_apply", "verbatim",
]  # fmt: skip


class Parser(argparse.ArgumentParser):
    """A parser whose help ends with `examples`, and whose errors are `UsageError`s with the word that is wrong."""

    def __init__(self, *args: Any, examples: str = "", **options: Any) -> None:
        described = {"formatter_class": argparse.RawDescriptionHelpFormatter, **options}
        if examples:
            shown = "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines())
            described["epilog"] = f"examples:\n{shown}"
        super().__init__(*args, **described)
        self.examples = examples
        self.given: list[str] = []
        """The words that were parsed, values tied to their options."""

    # -- What argparse can't be told

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, after what an option takes verbatim is tied to it: `--flag -DN=3` is `--flag=-DN=3`."""
        self.given = self._tied(list(args or ()))
        return super().parse_known_args(self.given, namespace)

    def _tied(self, words: list[str]) -> list[str]:
        tied: list[str] = []
        rest = iter(words)
        for word in rest:
            action = self._option_string_actions.get(word)
            if word == "--":
                return [*tied, word, *rest]
            if getattr(action, "is_verbatim", False) and (value := next(rest, None)) is not None:
                tied.append(f"{word}={value}")
            elif (default := getattr(action, "bare", None)) is not None:
                tied.append(f"{word}={default}")
            else:
                tied.append(word)
        return tied

    # -- What is wrong

    def error(self, message: str) -> Any:
        raise UsageError(message, hint=f"{self.prog} --help")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            raise UsageError(_about(action, error.message), word=arg_string, hint=f"{self.prog} --help") from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            shown = [str(c) for c in action.choices]
            what = f"there is no command '{value}'" if action.dest == "==command" else _about(action, f"not '{value}'")
            raise UsageError(what, word=str(value), hint=nearest(str(value), shown, f"it is one of {_list(shown)}"))

    def options(self) -> list[str]:
        """The names of all options."""
        return [name for name in self._option_string_actions if name.startswith("--")]


def _about(action: argparse.Action, message: str) -> str:
    name = action.option_strings[-1] if action.option_strings else action.metavar or action.dest
    return f"{name}: {message}"


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}".replace(" and ", " or ")


def parsed(parser: Parser, commands: dict[str, Parser], words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command; a word that no option knows is an error that names the nearest."""
    arguments, unknown = parser.parse_known_args(list(words))
    if unknown:
        word = unknown[0]
        own = commands.get(getattr(arguments, "==command", ""), parser)
        name = word.partition("=")[0]
        if word.startswith("-"):
            hint = nearest(name, own.options(), f"{own.prog} --help")
            raise UsageError(f"{own.prog} has no option {name}", word=_as_given(name, words), hint=hint)
        raise UsageError(f"'{word}' is one too many", word=word, hint=f"{own.prog} --help")
    return arguments


def _as_given(name: str, words: Sequence[str]) -> str:
    return next((w for w in words if w == name or w.startswith(f"{name}=")), name).partition("=")[0]


# -- Options that several commands have ------------------------------------------------------------------------------


def only(kinds: str, action: argparse.Action) -> argparse.Action:
    """Say what an option is for: programs in "mlir", "native" ones, (of these) "compiled" ones, or "traced" ones."""
    action.only_for = kinds  # type: ignore[attr-defined]
    return action


def verbatim(action: argparse.Action) -> argparse.Action:
    """Let an option take the next word whatever it looks like: `--flag -DN=3`."""
    action.is_verbatim = True  # type: ignore[attr-defined]
    return action


def bare(action: argparse.Action, value: str) -> argparse.Action:
    """Let an option stand alone for `--option=value`; another value is tied to it in the same way."""
    action.bare = value  # type: ignore[attr-defined]
    return action


_KINDS = {
    "mlir": "MLIR",
    "native": "native code",
    "compiled": "sources that are compiled here",
    "traced": ".py and .shf files",
}


def refuse_what_does_not_apply(arguments: argparse.Namespace, kinds: Collection[str]) -> None:
    """Refuse options that mean nothing for a program of these kinds."""
    for action in _said(arguments):
        wanted = getattr(action, "only_for", None)
        if wanted is not None and wanted not in kinds:
            _refuse(arguments, action, f"is for {_KINDS[wanted]}", "leave it out")


def refuse_together(arguments: argparse.Namespace, option: str, why: str, hint: str = "leave it out") -> None:
    """Refuse an option, if it was given, since it means nothing beside the others."""
    action = arguments.parser._option_string_actions[option]
    if action in _said(arguments):
        _refuse(arguments, action, why, hint)


def _said(arguments: argparse.Namespace) -> list[argparse.Action]:
    """The options that were given, by what is known of their values; of several for one thing, those that are named."""
    parser: Parser = arguments.parser
    changed = [
        a for a in parser._actions if a.option_strings and getattr(arguments, a.dest, None) not in (a.default, None)
    ]
    named = {id(a): _spelt(parser, a) is not None for a in changed}
    return [a for a in changed if named[id(a)] or not any(named[id(o)] for o in changed if o.dest == a.dest)]


def _spelt(parser: Parser, action: argparse.Action) -> str | None:
    """How an option was spelt in the command."""
    for word in parser.given:
        for option in action.option_strings:
            if word == option or word.startswith(option if len(option) == 2 else f"{option}="):
                return option
    return None


def _refuse(arguments: argparse.Namespace, action: argparse.Action, why: str, hint: str) -> None:
    option = _spelt(arguments.parser, action) or action.option_strings[-1]
    word = next((w for w in arguments.words if w.partition("=")[0] == option or w.startswith(option)), None)
    raise UsageError(f"{option} {why}", word=word and (word if len(option) == 2 else word.partition("=")[0]), hint=hint)


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def add_input(parser: argparse.ArgumentParser, nargs: str = "+") -> None:
    parser.add_argument(
        "sources",
        metavar="IN",
        nargs=nargs,
        help="a program: MLIR, a portable artifact, LLVM IR, C, C++, Fortran, Rust; - is stdin; several are linked",
    )
    languages = ["mlir", "llvm", "c", "c++", "fortran", "rust"]
    parser.add_argument(
        "-x",
        dest="language",
        metavar="LANG",
        choices=languages,
        help=f"what IN is written in, if neither its suffix nor its text says so: {', '.join(languages)}",
    )


def add_compiler(parser: argparse.ArgumentParser) -> None:
    """Options for the compiler of a source, spelt as compilers spell them."""
    for letter, metavar, text in (
        ("-I", "DIR", "look for headers there"),
        ("-D", "N[=V]", "define a macro"),
    ):
        only(
            "compiled",
            parser.add_argument(
                letter, dest="flags", metavar=metavar, action="append", type=_flag(letter), default=[], help=text
            ),
        )
    flag = parser.add_argument(
        "--flag", dest="flags", action="append", default=[], metavar="-DN=3", help="any flag for the compiler of IN"
    )
    only("compiled", verbatim(flag))


def _flag(name: str) -> Callable[[str], str]:
    return lambda value: f"{name}{value}"


def add_output(parser: argparse.ArgumentParser, forms: Sequence[str]) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="where to write; - is stdout (default)")
    parser.add_argument(
        "--emit", choices=forms, metavar="FORM", help=f"the form, if OUT's suffix doesn't say: {', '.join(forms)}"
    )
    only(
        "mlir",
        parser.add_argument(
            "--version", metavar="V", help="portable: the oldest StableHLO that shall read it, as 1.2.3"
        ),
    )
    emit_llvm = parser.add_argument(
        "--emit-llvm",
        dest="llvm_version",
        metavar="[=N]",
        type=_llvm_version,
        help="LLVM text, in words that LLVM N (17 to 22; 17, if not said) knows: --emit-llvm=19",
    )
    only("native", bare(emit_llvm, "17"))


def _llvm_version(text: str) -> int:
    if not re.fullmatch(r"1[7-9]|2[0-2]", text):
        raise argparse.ArgumentTypeError(f"there is no LLVM {text} that gradir could write for")
    return int(text)

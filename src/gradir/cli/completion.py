"""`gradir completion` and `gradir man`: what shells and readers are told of the commands, taken from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from gradir.cli.parser import Parser
from gradir.version import __version__

__all__ = ["add_commands"]

EXAMPLES = """
source <(gradir completion bash)                                         in ~/.bashrc
gradir completion zsh > ~/.zfunc/_gradir                                 a folder of zsh's fpath
gradir completion fish > ~/.config/fish/completions/gradir.fish
"""
MAN_EXAMPLES = """
gradir man > gradir.1
gradir man | man -l -
"""


def add_commands(commands: Any) -> None:
    """Add the commands to a parser's."""
    what = "print a script that completes commands and options, for a shell"
    completion = commands.add_parser("completion", help=what, description=f"{what.capitalize()}.", examples=EXAMPLES)
    completion.add_argument("shell", choices=list(_SHELLS), metavar="SHELL", help="bash, zsh or fish")
    completion.set_defaults(command=lambda arguments: print(_SHELLS[arguments.shell](_all(arguments)), end=""))
    what = "print a manual page of all commands"
    man = commands.add_parser("man", help=what, description=f"{what.capitalize()}.", examples=MAN_EXAMPLES)
    man.set_defaults(command=lambda arguments: print(manual(arguments.whole), end=""))


Commands = dict[str, tuple[Parser, str]]


def _all(arguments: argparse.Namespace) -> Commands:
    return commands_of(arguments.whole)


def commands_of(parser: Parser) -> Commands:
    """The commands of a parser, each with what it does."""
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    about = {choice.dest: choice.help or "" for choice in group._choices_actions}
    return {name: (command, about.get(name, "")) for name, command in group.choices.items()}


def _options(parser: Parser) -> Iterator[argparse.Action]:
    return (a for a in parser._actions if a.option_strings and a.help != argparse.SUPPRESS)


def _value(action: argparse.Action) -> str | None:
    """What an option takes, as help shows it; None if it takes nothing."""
    if action.nargs == 0:
        return None
    return str(action.metavar or (",".join(map(str, action.choices)) if action.choices else action.dest.upper()))


# -- Shells ----------------------------------------------------------------------------------------------------------


def bash(commands: Commands) -> str:
    cases, values = [], []
    for name, (parser, _) in commands.items():
        words = " ".join(o for a in _options(parser) for o in a.option_strings)
        cases.append(f'    {name}) words="{words}" ;;')
        for action in _options(parser):
            if action.choices is not None and not hasattr(action, "bare"):
                options = "|".join(f"{name}:{o}" for o in action.option_strings)
                values.append(f'    {options}) words="{" ".join(map(str, action.choices))}" ;;')
    values.append('    completion:completion) words="bash zsh fish" ;;')
    return _BASH.format(commands=" ".join(commands), cases="\n".join(cases), values="\n".join(values))


_BASH = """\
# Completion of gradir for bash: source <(gradir completion bash)
_gradir() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$current"))
    return
  fi
  case "$command:$before" in
{values}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command" in
{cases}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _gradir gradir
"""


def zsh(commands: Commands) -> str:
    described = "\n".join(f"    {_quoted(f'{name}:{about}')}" for name, (_, about) in commands.items())
    cases = []
    for name, (parser, _) in commands.items():
        specs = [_zsh_spec(action, option) for action in _options(parser) for option in action.option_strings]
        given = "'*:shell:(bash zsh fish)'" if name == "completion" else "'*:file:_files'"
        cases.append(f"    {name}) _arguments \\\n      " + " \\\n      ".join([*specs, given]) + " ;;")
    return _ZSH.format(commands=described, cases="\n".join(cases))


def _zsh_spec(action: argparse.Action, option: str) -> str:
    about = (action.help or "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    value = _value(action)
    if value is None:
        return _quoted(f"*{option}[{about}]")
    if hasattr(action, "bare"):
        choices = " ".join(map(str, action.choices or ()))
        return _quoted(f"*{option}=-[{about}]::value:({choices})")
    what = f"({' '.join(map(str, action.choices))})" if action.choices else "_files"
    return _quoted(f"*{option}[{about}]:{action.dest}:{what}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_ZSH = """\
#compdef gradir
# Completion of gradir for zsh: gradir completion zsh > a folder of fpath/_gradir
_gradir() {{
  local -a commands
  commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
  esac
}}
compdef _gradir gradir
"""


def fish(commands: Commands) -> str:
    lines = ["# Completion of gradir for fish: gradir completion fish > ~/.config/fish/completions/gradir.fish"]
    for name, (_, about) in commands.items():
        lines.append(f"complete -c gradir -n __fish_use_subcommand -f -a {name} -d {_fish(about)}")
    for name, (parser, _) in commands.items():
        chosen = f"-n '__fish_seen_subcommand_from {name}'"
        if name == "completion":
            lines.append(f"complete -c gradir {chosen} -f -a 'bash zsh fish'")
        for action in _options(parser):
            names = " ".join(f"-l {o[2:]}" if o.startswith("--") else f"-s {o[1:]}" for o in action.option_strings)
            takes = "" if _value(action) is None or hasattr(action, "bare") else " -r"
            if action.choices is not None:
                takes = f" -x -a {_fish(' '.join(map(str, action.choices)))}" if takes else ""
            lines.append(f"complete -c gradir {chosen} {names}{takes} -d {_fish(action.help or '')}")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


# -- The manual ------------------------------------------------------------------------------------------------------


def manual(parser: Parser) -> str:
    """A page for man(1), in its macros."""
    lines = [
        f'.TH GRADIR 1 "" "gradir {__version__}" "User Commands"',
        ".SH NAME",
        "gradir \\- differentiate compiler IR: StableHLO, LLVM IR, C, C++, Fortran and Rust",
        ".SH SYNOPSIS",
        ".B gradir",
        ".I COMMAND",
        "[options]",
        ".SH DESCRIPTION",
        _roff(parser.description or ""),
        ".SH COMMANDS",
    ]
    for name, (command, _) in commands_of(parser).items():
        lines += [f".SS gradir {_roff(name)}", _roff(command.description or "")]
        for action in command._actions:
            if action.help == argparse.SUPPRESS or isinstance(action, argparse._HelpAction):
                continue
            lines += [".TP", _head(action), _roff(action.help or "")]
        if command.examples:
            shown = [_roff(line.strip()) for line in command.examples.strip().splitlines()]
            lines += [".PP", "Examples:", ".PP", ".nf", ".RS", *shown, ".RE", ".fi"]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f".B {code}", _roff(meaning)]
    lines.append(".SH ENVIRONMENT")
    for variable, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {variable}", _roff(meaning)]
    return "\n".join(lines) + "\n"


def _head(action: argparse.Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return f".I {_roff(value or action.dest)}"
    names = ", ".join(f"\\fB{_roff(o)}\\fR" for o in action.option_strings)
    tied = "" if value and value.startswith("[=") else " "
    return names if value is None else f"{names}{tied}\\fI{_roff(value)}\\fR"


def _roff(text: str) -> str:
    escaped = text.replace("%%", "%").replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


EXIT_CODES = {
    0: "done",
    1: "the program can't be differentiated, or (what a compiler or a back end says) not be compiled or run",
    2: "the command makes no sense: an option, a name or a file to write that there can't be",
    3: "what was given can't be read: a program or a value",
    70: "a mistake of gradir's own",
    75: "a process that trains with others has lost one of them",
    130: "interrupted",
}
ENVIRONMENT = {
    "GRADIR_CACHE": "where compiled code is kept (off: nowhere)",
    "GRADIR_CLANG, GRADIR_FLANG, GRADIR_RUSTC": "the compilers to use",
    "GRADIR_DEBUG": "1: mistakes of gradir's own end with a traceback",
    "NO_COLOR": "no colours at a terminal",
}

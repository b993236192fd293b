"""Train the character GPT of `gpt.shf`, then let it write on: `python examples/gpt.py` (a minute on two cores)."""

from __future__ import annotations

from pathlib import Path

import jax

from gradir import train
from gradir.frontends.sheaf import Program

SOURCE = Path(__file__).with_suffix(".shf")


def main(epochs: int | None = None, letters: int = 400) -> str:
    """The text that it writes after its first line."""
    task = train.load(SOURCE)
    recipe = train.Recipe.of(task.settings)
    state = train.run(task, recipe if epochs is None else recipe.with_(epochs=epochs))
    print(f"loss {state.losses[-1]:.3f} after {len(state.losses)} steps")
    sheaf = Program(SOURCE.read_text())
    start = sheaf["text"][: int(sheaf["context"])]
    _, codes = sheaf.write(state.parameters["p"], sheaf.encode(start), jax.random.key(1), 0.5, letters)
    return start + str(sheaf.decode(codes))


if __name__ == "__main__":
    print(main())

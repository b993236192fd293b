"""Training on a mesh of four devices: the losses of one device, checkpoints in shards, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import jax
import numpy as np
import pytest

from gradir import cli, train
from gradir.errors import InputError, OutputError
from gradir.train import shards
from gradir.train.checkpoint import load_checkpoint, save_checkpoint
from gradir.train.data import read_data
from gradir.train.loop import Diverged
from gradir.train.mesh import Layout, Longest, Rules, Sizes, mesh_name, read_axes
from gradir.train.plan import plan
from gradir.train.sharded import ShardedLoop

pytestmark = pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")

MODEL = """
import jax, jax.numpy as jnp, numpy as np
rng = np.random.default_rng(0)
params = {"p": {"up": rng.normal(size=(6, 8)).astype("f"), "down": rng.normal(size=(8, 3)).astype("f"),
                "bias": np.zeros(3, "f"), "gain": np.float32(1)}}
data = {"x": rng.normal(size=(37, 6)).astype("f"), "y": rng.normal(size=(37, 3)).astype("f"), "scale": np.float32(2)}
train = {"optimizer": "adamw", "batch": 8, "epochs": 3, "rate": 0.01, "clip": 1.0, "schedule": "cosine"}
def loss(p, x, y, scale, key):
    kept = jax.random.bernoulli(key, 0.8, (x.shape[0], 8))
    return jnp.mean((p["gain"] * (kept * jnp.tanh(x @ p["up"])) @ p["down"] + p["bias"] - y) ** 2) * scale
"""
CLOSE = {"rtol": 2e-6, "atol": 2e-6}
"""Means of some dozens of numbers of size 1 in 32 bits, in another order; a dozen steps of such."""

FULLY: Rules = [("*", Longest("data"))]
TENSOR: Rules = [("*.up", read_axes("-,model")), ("*.down", read_axes("model,-")), ("*", [])]
LAYOUTS: dict[str, tuple[tuple[int, ...], Rules]] = {
    "data parallel": ((4,), ()),
    "fully sharded": ((4,), FULLY),
    "tensor parallel": ((1, 4), TENSOR),
    "both": ((2, 2), TENSOR),
    "over both axes": ((2, 2), [("p.down", ["data+model"])]),
    "by itself": ((2, 2), ()),
}


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> train.Task:
    path = tmp_path_factory.mktemp("mesh") / "model.py"
    path.write_text(MODEL)
    return train.load(path)


@pytest.fixture(scope="module")
def recipe(task: train.Task) -> train.Recipe:
    return train.Recipe.of(task.settings)


@pytest.fixture(scope="module")
def alone(task: train.Task, recipe: train.Recipe) -> train.State:
    return train.run(task, recipe)


def on(task: train.Task, recipe: train.Recipe, name: str) -> ShardedLoop:
    return ShardedLoop(task, recipe, Layout.of(*LAYOUTS[name]))


def to_the_end(loop: train.Loop, state: train.State, by: int = 5) -> train.State:
    while state.step < loop.steps:
        state = loop.advance(state, by)
    return state


def assert_same(loop: train.Loop, state: train.State, wanted: train.State) -> None:
    np.testing.assert_allclose(state.losses, wanted.losses, **CLOSE)
    jax.tree.map(
        lambda a, b: np.testing.assert_allclose(a, b, **CLOSE), loop.fetched(state.parameters), wanted.parameters
    )


@pytest.mark.parametrize("name", LAYOUTS)
def test_losses_are_those_of_one_device(task: train.Task, recipe: train.Recipe, alone: train.State, name: str) -> None:
    loop = on(task, recipe, name)
    state = to_the_end(loop, loop.start())
    assert_same(loop, state, alone)
    for tree, shardings in zip((state.parameters, state.optimizer), loop.shardings, strict=True):
        for x, sharding in zip(jax.tree.leaves(tree), jax.tree.leaves(shardings), strict=True):
            assert x.sharding.is_equivalent_to(sharding, x.ndim)


def test_the_state_lies_as_its_parameter(task: train.Task, recipe: train.Recipe) -> None:
    state = on(task, recipe, "both").start()
    for tree in (state.parameters, state.optimizer["m"], state.optimizer["v"]):
        assert tree["p"]["up"].addressable_shards[0].data.shape == (6, 4)
        assert tree["p"]["bias"].addressable_shards[0].data.shape == (3,)
    assert state.optimizer["t"].shape == ()


def test_all_data_at_once(task: train.Task, recipe: train.Recipe) -> None:
    few = train.Task(task.name, task.loss, task.arguments, task.parameters, {n: x[:36] if np.ndim(x) else x
                     for n, x in task.data.items()})  # fmt: skip
    whole = recipe.with_(batch=None, epochs=6)
    loop = ShardedLoop(few, whole, Layout.of((4,)))
    assert_same(loop, to_the_end(loop, loop.start()), train.run(few, whole))


def test_a_device_reads_its_rows_only(task: train.Task, recipe: train.Recipe, tmp_path: Path) -> None:
    """The data stay in their file; what is read of a batch is a device's part of it."""

    class Seen(np.ndarray):  # type: ignore[type-arg]
        read: ClassVar[list[Any]] = []

        def __getitem__(self, index: Any) -> Any:
            if isinstance(index, np.ndarray) and index.ndim == 2:
                self.read.append(index)
            return np.asarray(self)[index]

    np.save(tmp_path / "x.npy", task.data["x"])
    given = read_data([str(tmp_path / "x.npy")])["x"]
    assert isinstance(given, np.memmap)
    loop = ShardedLoop(task.with_data({"x": np.asarray(given).view(Seen)}), recipe, Layout.of((4,)))
    loop.advance(loop.start(), 3)
    order = loop._orders(0, 3)[:3]
    assert sorted(r.tolist() for r in Seen.read) == sorted(order[:, 2 * k : 2 * k + 2].tolist() for k in range(4))


@pytest.mark.parametrize(("first", "then"), [("both", "fully sharded"), ("fully sharded", None), (None, "both")])
def test_checkpoints_go_from_one_mesh_to_another(
    task: train.Task, recipe: train.Recipe, alone: train.State, tmp_path: Path, first: str | None, then: str | None
) -> None:
    before, after = (train.Loop(task, recipe) if n is None else on(task, recipe, n) for n in (first, then))
    path = tmp_path / "run.ckpt"
    state = before.advance(before.start(), 7)
    save_checkpoint(path, before, before.start())
    save_checkpoint(path, before, state)
    here = shards.folder_of(path)
    assert [f.name.split("-")[0] for f in here.iterdir()] == ["7"] if first else not here.exists()
    read = load_checkpoint(path, after)
    for old, new in ((state.parameters, read.parameters), (state.optimizer, read.optimizer)):
        jax.tree.map(lambda a, b: np.testing.assert_array_equal(np.asarray(a), np.asarray(b)), old, new)
    assert_same(after, to_the_end(after, read), alone)
    save_checkpoint(path, after, read)
    assert here.exists() == (then is not None), "shards that are of no use are gone"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: f.unlink(), r"the shard 4-0of1-\w+.safetensors of this checkpoint is not there"),
        (lambda f: f.write_bytes(f.read_bytes()[:-3]), "the shard .* is cut"),
        (lambda f: f.write_bytes(f.read_bytes()[:-1] + b"\x7f"), "the shard .* is damaged: .* is not what was written"),
        (lambda f: f.write_bytes(b"\xff" * f.stat().st_size), "the shard .* is damaged"),
    ],
)
def test_damaged_shards_are_named(
    task: train.Task, recipe: train.Recipe, tmp_path: Path, spoil: Callable[[Path], Any], message: str
) -> None:
    loop, path = on(task, recipe, "fully sharded"), tmp_path / "run.ckpt"
    save_checkpoint(path, loop, loop.advance(loop.start(), 4))
    (file,) = shards.folder_of(path).iterdir()
    whole = file.read_bytes()
    spoil(file)
    with pytest.raises(InputError, match=message):
        load_checkpoint(path, loop)
    file.write_bytes(whole)
    assert load_checkpoint(path, loop).step == 4, "nothing else was touched"


def test_a_checkpoint_is_the_old_one_until_all_is_written(
    task: train.Task, recipe: train.Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, path = on(task, recipe, "both"), tmp_path / "run.ckpt"
    state = loop.advance(loop.start(), 4)
    save_checkpoint(path, loop, state)
    later = loop.advance(state, 2)
    with monkeypatch.context() as patch:
        patch.setattr("gradir.train.checkpoint.missing", lambda *_: ["6-1of2.safetensors"])
        with pytest.raises(OutputError, match="process 0 can't see the shard 6-1of2"):
            save_checkpoint(path, loop, later)
    assert load_checkpoint(path, loop).step == 4
    names = {f.name.split("-")[0] for f in shards.folder_of(path).iterdir()}
    assert names == {"4", "6"}, "what was written in vain is still there"
    save_checkpoint(path, loop, later)
    assert {f.name.split("-")[0] for f in shards.folder_of(path).iterdir()} == {"6"}


@pytest.mark.parametrize(
    ("sizes", "rules", "message"),
    [
        ((3,), (), "a batch of 8 can't be split over 3 devices"),
        ((64,), (), "a mesh of 64 is one of 64 devices, where there are 4"),
        ((2, 2, 1), (), "a mesh of 2x2x1"),
        ({"stages": 2}, (), "no rule splits anything over the axis 'stages'"),
        ({"stage": 0}, (), "a mesh of stage=0"),
        ({"stage": 2}, (), "no parameter is split over the 2 devices of the axis 'stage'"),
        ({"rows": 2}, [("q.*", ["rows"])], "no parameter is split over the 2 devices of the axis 'rows'"),
        ({"stage": 2, "data": 8}, (), "a mesh of stage=2,data=8 is one of 16 devices"),
        ({"expert": 3}, (), "a batch of 8 can't be split over 3 devices"),
        ((2, 2), [("*", ["rows"])], "no axis 'rows'"),
        ((2, 2), [("*.up", ["data", "data"])], "two dimensions of p.up over one axis"),
        ((1, 4), [("p.down", [None, "model"])], "dimension 1 of p.down, of 3, can't be split over 4"),
        ((2, 2), [("p.bias", [None, "model"])], "p.bias has 1 dimensions"),
    ],
)
def test_what_does_not_fit_is_refused(
    task: train.Task, recipe: train.Recipe, sizes: Sizes, rules: Rules, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        ShardedLoop(task, recipe, Layout.of(sizes, rules))


def test_a_mesh_of_several_processes_has_all_devices() -> None:
    with pytest.raises(InputError, match="a mesh of 2 is one of 2 devices, where there are 4"):
        Layout.of((2,), all_devices=True)


def test_nan_is_traced_to_its_op(tmp_path: Path) -> None:
    path = tmp_path / "nan.shf"
    path.write_text(
        "(def params {:w 1.0})\n(def data {:x (arange 8.0)})\n"
        "(defn loss [w x]\n  (mean (log (- x (* w 3.0)))))\n(def train {:epochs 3 :batch 4})\n"
    )
    task = train.load(path)
    loop = ShardedLoop(task, train.Recipe.of(task.settings), Layout.of((4,)))
    with pytest.raises((InputError, Diverged), match=r"log|NaN"):
        loop.check(loop.start(), loop.advance(loop.start(), 2))


def test_the_command_and_rules_of_the_program(
    tmp_path: Path, alone: train.State, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "model.py"
    source.write_text(MODEL + 'sharded = {"*.up": (None, "model"), "*.down": "model,-", "*": "-"}\n')
    assert [n for n, _ in train.load(source).sharded] == ["*.up", "*.down", "*"]
    made = tmp_path / "run.ckpt"
    assert cli.main(["train", str(source), "--mesh", "2x2", "--checkpoint", str(made)]) == 0
    assert f"loss {alone.losses[-1]:.4g}" in capsys.readouterr().out
    for words, message in (
        (["--split", "up"], "is for a mesh"),
        (["--mesh", "2by2"], "one number or two"),
        (["--mesh", "stage=2,stage=2"], "one number or two"),
        (["--mesh", "stage=x"], "one number or two"),
        (["--mesh", "2", "--split", "up"], "name or pattern"),
        (["--process-id", "1"], "is for --processes"),
        (["--processes", "2", "--process-id", "1"], "go together"),
        (["--processes", "0"], "0 processes"),
        (["--processes", "2", "--restarts", "1"], "is for --checkpoint"),
    ):
        assert cli.main(["train", str(source), *words]) == 2, words
        assert message in capsys.readouterr().err


def test_rules_of_a_sheaf_program(tmp_path: Path) -> None:
    path = tmp_path / "m.shf"
    path.write_text(
        '(def params {:w {:up (ones [2 4])}})\n(def data {:x (ones [4 2])})\n(def sharded {"*.up" "-,model"})\n'
        "(defn loss [w x] (mean (square (@ x (get w :up)))))\n"
    )
    loop = ShardedLoop(train.load(path), train.Recipe(), Layout.of((2, 2), train.load(path).sharded))
    assert loop.start().parameters["w"]["up"].addressable_shards[0].data.shape == (2, 2)


# -- Pipelines and experts ---------------------------------------------------------------------------------------------

DEEP = """
import jax, jax.numpy as jnp, numpy as np
import gradir.jax
rng = np.random.default_rng(0)
draw = lambda *shape: (rng.normal(size=shape) / 3).astype("f")
blocks = {"up": draw(4, 4, 6, 8), "down": draw(4, 4, 8, 6), "router": draw(4, 6, 4)}
params = {"p": {"blocks": blocks, "head": draw(6, 3)}}
data = {"x": draw(20, 5, 6), "y": draw(20, 5, 3)}
train = {"optimizer": "adam", "batch": 8, "epochs": 2, "rate": 0.01, "accumulate": 1}
sharded = {"*.up": "stage,expert,-,model", "*.down": "stage,expert,model", "*.router": "stage", "*": "-"}
def block(x, p):
    return x + gradir.jax.experts(lambda t, w: jnp.tanh(t @ w["up"]) @ w["down"], x, {n: p[n] for n in ("up", "down")},
                                  x @ p["router"])
def loss(p, x, y):
    return jnp.mean((gradir.jax.pipeline(block, x, p["blocks"]) @ p["head"] - y) ** 2)
"""


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> tuple[train.Task, train.State]:
    path = tmp_path_factory.mktemp("deep") / "deep.py"
    path.write_text(DEEP)
    task = train.load(path)
    return task, train.run(task, train.Recipe.of(task.settings))


MESHES = [{"stage": 4}, {"stage": 2, "expert": 2}, {"stage": 2, "model": 2}, {"data": 2, "expert": 2}]


@pytest.mark.parametrize("sizes", MESHES, ids=mesh_name)
def test_stages_and_experts(deep: tuple[train.Task, train.State], sizes: dict[str, int]) -> None:
    task, alone = deep
    loop = ShardedLoop(task, train.Recipe.of(task.settings), Layout.of(sizes, task.sharded))
    state = to_the_end(loop, loop.start())
    assert_same(loop, state, alone)
    held = [state.parameters["p"]["blocks"]["up"], state.optimizer["m"]["p"]["blocks"]["up"]]
    parts = sizes.get("stage", 1) * sizes.get("expert", 1) * sizes.get("model", 1)
    assert [x.addressable_shards[0].data.size for x in held] == [4 * 4 * 6 * 8 // parts] * 2, "no device has all"


def test_a_step_of_a_pipeline_is_planned(deep: tuple[train.Task, train.State]) -> None:
    loop = train.Loop(deep[0], train.Recipe.of(deep[0].settings))
    made = plan(loop, {"stage": 2, "expert": 2}, rules=deep[0].sharded)
    assert {"stage", "expert"} <= set(made.sent)
    # There are two blocks to each of two stages, which work in three rounds, forward and back.
    assert made.sent["stage"][0] >= 2 * 3
    assert made.memory < plan(loop, {"data": 4}, rules=deep[0].sharded).memory


# -- Parameters that are made where they lie ---------------------------------------------------------------------------

MADE = """
import jax, jax.numpy as jnp, numpy as np
def init(key):
    a, b = jax.random.split(key)
    return {"up": jax.random.normal(a, (6, 8)), "down": jax.random.normal(b, (8, 3)), "gain": 1.0}
rng = np.random.default_rng(0)
data = {"x": rng.normal(size=(16, 6)).astype("f"), "y": rng.normal(size=(16, 3)).astype("f")}
train = {"optimizer": "adam", "batch": 8, "epochs": 2, "rate": 0.01}
def loss(p, x, y):
    return jnp.mean((p["gain"] * jnp.tanh(x @ p["up"]) @ p["down"] - y) ** 2)
"""


def test_parameters_are_made_where_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text(MADE)
    task, eager = train.load(path, defers=True, seed=3), train.load(path, seed=3)
    assert all(isinstance(leaf, jax.ShapeDtypeStruct) for _, leaf in task.leaves())
    recipe = train.Recipe.of(task.settings, seed=3)
    loop = ShardedLoop(task, recipe, Layout.of((2, 2), TENSOR))
    before = {id(x) for x in jax.live_arrays()}
    start = loop.start()
    assert_same(loop, start, train.Loop(eager, recipe).start())
    made = [x for x in jax.live_arrays() if id(x) not in before and x.shape == (6, 8)]
    assert {x.addressable_shards[0].data.shape for x in made} == {(6, 4)}, "no device has one whole"
    assert_same(loop, to_the_end(loop, start), train.run(eager, recipe))
    again = ShardedLoop(train.load(path, defers=True, seed=4), recipe, Layout.of((4,)))
    digests = [made.facts()["first parameters"] for made in (loop, again)]
    assert digests[0] != digests[1], "processes that begin otherwise find out"
    assert isinstance(train.Loop(task, recipe).start().parameters["p"]["up"], jax.Array)


def test_an_init_that_looks_at_its_numbers(tmp_path: Path) -> None:
    path = tmp_path / "looks.py"
    path.write_text(MADE.replace("    a, b =", "    assert float(jax.random.normal(key)) < 9\n    a, b ="))
    task = train.load(path, defers=True)
    assert task.init is None and isinstance(task.parameters["p"]["up"], jax.Array)


def test_a_plan_makes_no_parameters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.py"
    path.write_text(MADE.replace("(6, 8)", "(6, 8 << 40)").replace("(8, 3)", "(8 << 40, 3)"))
    assert cli.main(["plan", str(path), "--mesh", "1x4", "--batch", "8"]) == 0
    assert "DOES NOT FIT: 141 GB" in capsys.readouterr().out

"""Plans for meshes: what is read from XLA's text, how arrays are split, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import gradir.jax
from gradir import cli, train
from gradir.backends.hlo import Work, collectives, repeated
from gradir.errors import InputError
from gradir.train.plan import CHIPS, plan

pytestmark = pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")

MODEL = """
import jax.numpy as jnp, numpy as np
rng = np.random.default_rng(0)
params = {"p": {"up": rng.normal(size=(8, 32)).astype("f"), "down": rng.normal(size=(32, 6)).astype("f")}}
data = {"x": rng.normal(size=(16, 8)).astype("f"), "y": rng.normal(size=(16, 6)).astype("f")}
train = {"optimizer": "adam", "batch": 16, "epochs": 1}
def loss(p, x, y):
    return jnp.mean((jnp.tanh(x @ p["up"]) @ p["down"] - y) ** 2)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


@pytest.fixture
def loop(source: Path) -> train.Loop:
    task = train.load(source)
    return train.Loop(task, train.Recipe.of(task.settings))


@pytest.mark.parametrize(
    ("groups", "first"),
    [
        ("replica_groups={{0,2},{1,3}}", (0, 2)),
        ("replica_groups=[2,4]<=[8]", (0, 1, 2, 3)),
        ("replica_groups=[2,4]<=[4,2]T(1,0)", (0, 2, 4, 6)),
        ("replica_groups=mesh['a'=4,'b'=2] {'b'}", (0, 1)),
        ("replica_groups=mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}", (0, 2, 4, 6)),
        ("source_target_pairs={{0,1},{1,0}}", (0, 1)),
        ("", ()),
    ],
)
def test_groups_are_read(groups: str, first: tuple[int, ...]) -> None:
    (found,) = collectives(
        f"ENTRY %main () -> f32[2] {{\n  %a = f32[2,3]{{1,0}} all-reduce(%x), {groups}, to_apply=%add\n}}"
    )
    assert (found.kind, found.bytes, found.times, found.group) == ("all-reduce", 24, 1, first)


def test_loops_count_their_rounds() -> None:
    mesh = jax.make_mesh((4,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))

    def shifted(x: Any) -> Any:
        return jax.lax.fori_loop(0, 5, lambda _, x: jax.lax.ppermute(x, "d", [(0, 1), (1, 2), (2, 3), (3, 0)]), x)

    run = jax.jit(jax.shard_map(shifted, mesh=mesh, in_specs=P("d"), out_specs=P("d")))
    found = collectives(run.lower(jnp.ones(8)).compile().as_text())
    assert [(c.kind, c.bytes, c.times) for c in found] == [("collective-permute", 8, 5)]


def _layers(unroll: int, w: Any, x: Any) -> Any:
    return jnp.mean(jax.lax.scan(lambda h, w: (jnp.tanh(h @ w) + h, None), x, w, unroll=unroll)[0] ** 2)


def _filters(unroll: int, w: Any, x: Any) -> Any:
    def step(h: Any, w: Any) -> Any:
        return jnp.tanh(jax.lax.conv_general_dilated(h, w, (1,), "VALID")), None

    return jnp.mean(jax.lax.scan(step, x, w, unroll=unroll)[0] ** 2)


@pytest.mark.parametrize(
    ("fun", "w", "x"),
    [
        (_layers, (16, 64, 64), (32, 64)),
        (lambda unroll, w, x: gradir.jax.grad(partial(_layers, unroll))(w, x), (16, 64, 64), (32, 64)),
        (_filters, (8, 4, 4, 1), (8, 4, 20)),
    ],
    ids=["layers", "their gradient", "filters"],
)
def test_loops_work_in_all_rounds(fun: Any, w: tuple[int, ...], x: tuple[int, ...]) -> None:
    """As much as XLA says of the same program without the loop; in memory, what the loop carries comes on top."""
    given = [jnp.ones(shape) for shape in (w, x)]
    looped, unrolled = (jax.jit(partial(fun, u)).lower(*given).compile() for u in (1, w[0]))
    more, wanted, once = repeated(looped.as_text()), unrolled.cost_analysis(), looped.cost_analysis()
    assert repeated(unrolled.as_text()) == Work(0, 0)
    assert more.flops > 0.8 * (1 - 1 / w[0]) * wanted["flops"]
    assert once["flops"] + more.flops == pytest.approx(wanted["flops"], rel=0.03)
    assert 0.7 < (once["bytes accessed"] + more.bytes) / wanted["bytes accessed"] < 2


def test_parts_of_a_batch_are_all_planned(loop: train.Loop) -> None:
    parts = train.Loop(loop.task, loop.recipe.with_(accumulate=4))
    whole, in_parts = (plan(one, (2,)) for one in (loop, parts))
    assert in_parts.flops == pytest.approx(whole.flops, rel=0.2)


def test_memory_is_that_of_a_step_that_runs(loop: train.Loop) -> None:
    """Within 15 per cent of what XLA says of the step with arrays that really lie on four devices."""
    mesh = jax.make_mesh((2, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    specs = {"up": P(None, "model"), "down": P("model", None)}
    parameters = {
        "p": {n: jax.device_put(x, NamedSharding(mesh, specs[n])) for n, x in loop.task.parameters["p"].items()}
    }
    state = loop.recipe.start(parameters)
    data = {n: jax.device_put(x, NamedSharding(mesh, P("data"))) for n, x in loop.data.items()}

    def step(p: Any, s: Any, d: Any) -> Any:
        loss, _, p, s = loop.one_step(p, s, 0, 1, d, loop.rate)
        return loss, p, s

    run = jax.jit(step, donate_argnums=(0, 1)).lower(parameters, state, data).compile()
    needs = run.memory_analysis()
    wanted = needs.argument_size_in_bytes + needs.output_size_in_bytes - needs.alias_size_in_bytes
    wanted += needs.temp_size_in_bytes
    made = plan(loop, (2, 2))
    assert abs(made.memory - wanted) <= 0.15 * wanted
    held = [*jax.tree.leaves((parameters, state)), *data.values()]
    assert made.memory >= sum(x.addressable_shards[0].data.nbytes for x in held), "a device holds at least these"
    run(parameters, state, data)


def test_what_is_sent_by_axis(loop: train.Loop) -> None:
    alone, split = plan(loop, (4,)), plan(loop, (2, 2))
    assert set(alone.sent) == {"data"} and {"data", "model"} <= set(split.sent)
    gradients = sum(np.size(x) * 4 for _, x in loop.task.leaves())
    assert alone.sent["data"][1] == pytest.approx(gradients + 4), "all gradients, and the loss"
    assert split.memory < alone.memory
    assert alone.fits(CHIPS["h200"]) and alone.seconds(CHIPS["h200"]) > 0
    kept = plan(loop, (2, 2), rules=[("*", [])])
    assert set(kept.sent) == {"data"}, "no parameter is split"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda loop: plan(loop, (3,)), "a batch of 16 can't be split over 3 devices"),
        (lambda loop: plan(loop, (1 << 20,)), "where there are"),
        (lambda loop: plan(loop, (2, 2), rules=[("*", ["rows"])]), "no axis 'rows'"),
        (lambda loop: plan(loop, (1, 4), rules=[("p.down", [None, "model"])]), "dimension 1 of p.down, of 6"),
        (lambda loop: plan(loop, (2, 2), rules=[("*", [None, None, "model"])]), "2 dimensions"),
    ],
)
def test_what_can_not_be_split_is_refused(loop: train.Loop, ask: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ask(loop)


def test_the_command(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", str(source), "--mesh", "4", "--mesh", "2x2", "--split", "*.up=-,model"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == ["mesh", "4", "2x2"]
    for words, message in (
        (["--mesh", "8by8"], "one number or two"),
        (["--mesh", "2", "--device", "abacus"], "no device 'abacus'"),
        (["--mesh", "2", "--split", "up"], "name or pattern"),
    ):
        assert cli.main(["plan", str(source), *words]) == 2
        assert message in capsys.readouterr().err

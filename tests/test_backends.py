"""Back ends: the same results everywhere, inputs checked before any of them is called, failures with their reasons."""

import os
import signal
import subprocess
import sys

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import gradir
from gradir.backends import BACKENDS, backend, reference
from gradir.errors import BackendError, InputError, MissingExtra, RequestError
from gradir.tensor.ir.entry import isolate

needs_iree = pytest.mark.skipif(not backend("iree").available(), reason="IREE is not installed")
EVERY = [pytest.param(b, marks=needs_iree) if b == "iree" else b for b in BACKENDS]


def identity(element: str, shape: str = "3x") -> gradir.Module:
    return gradir.load(
        f"func.func @f(%x: tensor<{shape}{element}>) -> tensor<{shape}{element}> {{\n"
        f"  return %x : tensor<{shape}{element}>\n}}"
    )


def unary(op: str, element: str = "f32", shape: str = "3x") -> gradir.Module:
    t = f"tensor<{shape}{element}>"
    return gradir.load(f"func.func @f(%x: {t}) -> {t} {{\n  %y = {op} %x : {t}\n  return %y : {t}\n}}")


ADD = """
func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = stablehlo.add %x, %y : tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}"""


# -- The same everywhere


@pytest.mark.parametrize("name", EVERY)
def test_calls_several_results_and_chlo(name: str):
    m = gradir.load("""
      func.func private @g(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
        %y = chlo.sinh %x : tensor<3xf32> -> tensor<3xf32>
        return %x, %y : tensor<3xf32>, tensor<3xf32>
      }
      func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }
      func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<i32>) {
        %y:2 = call @g(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
        %n = stablehlo.constant dense<7> : tensor<i32>
        %m = call @main(%n) : (tensor<i32>) -> tensor<i32>
        return %y#0, %y#1, %m : tensor<3xf32>, tensor<3xf32>, tensor<i32>
      }""")
    x = np.array([0.0, 1.0, -2.0], np.float32)
    a, b, c = m.run("f", x, backend=name)
    np.testing.assert_array_equal(a, x)
    np.testing.assert_allclose(b, np.sinh(x), rtol=1e-5)
    assert c.dtype == np.int32 and c.shape == () and c == 7
    assert m.run("main", 3, backend=name) == 3


DTYPES = [
    "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64", "complex<f32>",
]  # fmt: skip
ODD_DTYPES = ["i4", "ui4", "complex<f64>", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ"]


def sample(element: str) -> np.ndarray:
    dtype = identity(element).function().arguments[0].dtype
    assert dtype is not None
    return np.array([0, 1, 1] if element == "i1" else [1, 0, 7]).astype(dtype)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("element", DTYPES)
def test_dtypes(name: str, element: str):
    x = sample(element)
    y = identity(element).run(x, backend=name)
    assert isinstance(y, np.ndarray) and y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("name", ["xla", "reference"])
@pytest.mark.parametrize("element", ODD_DTYPES)
def test_odd_dtypes(name: str, element: str):
    x = sample(element)
    y = identity(element).run(x, backend=name)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("name", EVERY)
def test_64_bits_are_kept_though_jax_has_32(name: str):
    assert not jax.config.jax_enable_x64
    m = gradir.load("""func.func @f(%x: tensor<f64>, %n: tensor<i64>) -> (tensor<f64>, tensor<i64>) {
      %y = stablehlo.add %x, %x : tensor<f64>
      return %y, %n : tensor<f64>, tensor<i64>
    }""")
    y, n = m.run(1 + 1e-12, 2**40, backend=name)
    assert y == 2 * (1 + 1e-12) and n == 2**40


@pytest.mark.parametrize("name", EVERY)
def test_special_complex_values(name: str):
    x = np.array([complex(1, np.inf), complex(np.nan, 2), complex(-0.0, 0.0)], np.complex64)
    y = identity("complex<f32>").run(x, backend=name)
    np.testing.assert_array_equal(y.view(np.float32), x.view(np.float32))


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("shape", [(), (1,), (0, 2), (2, 1, 3)])
def test_shapes(name: str, shape: tuple[int, ...]):
    m = identity("f32", "".join(f"{n}x" for n in shape))
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    y = m.run(x, backend=name)
    assert y.shape == shape
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("name", EVERY)
def test_strided_arrays(name: str):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2].T
    assert not x.flags.c_contiguous
    np.testing.assert_array_equal(gradir.load(ADD).run(x, x, backend=name), 2 * x)


@pytest.mark.parametrize("name", EVERY)
def test_dimensions_known_at_run_time_only(name: str):
    m = unary("stablehlo.sine", shape="?x")
    run = m.compile(backend=name)
    for n in (2, 5, 2):
        x = np.arange(n, dtype=np.float32)
        np.testing.assert_allclose(run(x), np.sin(x), rtol=1e-5)
    with pytest.raises(InputError, match=r"expected tensor<\?xf32> but got float32\[2,2\]"):
        run(np.ones((2, 2), np.float32))


def test_symbolic_shapes_of_jax():
    shape = jax.export.symbolic_shape("a, 2*b")
    exported = jax.export.export(jax.jit(lambda x: jnp.sin(x) * 2))(jax.ShapeDtypeStruct(shape, np.float32))
    m = gradir.load(exported)
    x = np.ones((3, 4), np.float32)
    np.testing.assert_allclose(m.run(x), 2 * np.sin(x), rtol=1e-6)
    with pytest.raises(InputError):
        m.run(np.ones((3, 5), np.float32))
    with pytest.raises(InputError, match="Expected value >= 1 for dimension variable 'a'"):
        m.run(np.ones((0, 4), np.float32))


# -- What goes in


def test_arrays_of_many_kinds():
    m = identity("f32")
    want = np.array([1, 2, 3], np.float32)
    for x in (want, jnp.asarray(want), [1, 2, 3], (1.0, 2.0, 3), memoryview(want), Dlpack(want), [np.float32(1), 2, 3]):
        np.testing.assert_array_equal(np.asarray(m.run(x)), want)


class Dlpack:
    """An array of some other library."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_results_are_of_the_arguments_kind():
    m = gradir.load(ADD)
    x = np.ones((2, 3), np.float32)
    for name in ("xla", "reference"):
        assert isinstance(m.run(x, x, backend=name), np.ndarray)
        assert isinstance(m.run(x, jnp.asarray(x), backend=name), jax.Array)


def test_no_copy_of_aligned_memory():
    """XLA takes NumPy's memory as it is where the alignment suits it, and gives its own without a copy."""
    raw = np.zeros(3 * 4 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    x = raw[start : start + 12].view(np.float32)
    placed = jax.device_put(x)  # what jax itself would do
    y = identity("f32").run(x)
    assert not y.flags.owndata and placed.shape == y.shape


def test_donated_arguments_stay_usable():
    m = gradir.load(jax.jit(lambda x: x + 1, donate_argnums=0).lower(jnp.ones(3)))
    x = jnp.ones(3)
    m.run(x)
    np.testing.assert_array_equal(m.run(x), x + 1)


def test_deleted_arrays():
    x = jnp.ones(3)
    x.delete()
    with pytest.raises(InputError, match="argument 0 of f has been deleted"):
        identity("f32").run(x)


def test_arrays_of_another_device():
    x = jax.device_put(jnp.arange(3.0), jax.devices()[3])
    run = identity("f32").compile()
    for _ in range(2):
        y = run(x)
        np.testing.assert_array_equal(y, x)
        assert y.devices() == {jax.devices()[0]}
    assert identity("f32").run(x, devices=[jax.devices()[3]]).devices() == {jax.devices()[3]}


BAD_ARGUMENTS = {
    "too few": ([], "f takes 1 argument but got 0"),
    "too many": ([1.0, 2.0], "f takes 1 argument but got 2"),
    "shape": ([np.ones(4, np.float32)], r"argument 0 of f: expected tensor<3xf32> but got float32\[4\]"),
    "dtype": ([np.ones(3)], r"expected tensor<3xf32> but got float64\[3\]"),
    "rank": ([2.0], r"expected tensor<3xf32> but got float32\[\]"),
    "a truth value": ([[True, False, True]], r"is no tensor<3xf32>"),
    "a complex number": ([[1, 2, 3j]], r"is no tensor<3xf32>"),
    "ragged": ([[1, [2], 3]], "argument 0 of f: expected tensor<3xf32> but got a list"),
    "text": (["abc"], "argument 0 of f: expected tensor<3xf32> but got a str"),
    "nothing": ([None], "argument 0 of f: expected tensor<3xf32> but got a NoneType"),
    "a NumPy scalar": ([np.float64(1)], r"got float64\[\]"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(case: str):
    arguments, message = BAD_ARGUMENTS[case]
    with pytest.raises(InputError, match=message):
        identity("f32").run("f", *arguments)


@pytest.mark.parametrize(
    ("element", "value"), [("i8", 300), ("i8", -129), ("ui8", -1), ("i4", 8), ("i32", 1.5), ("i1", 1), ("f32", 1j)]
)
def test_numbers_that_do_not_fit(element: str, value: object):
    with pytest.raises(InputError, match="argument 0 of f"):
        identity(element, "").run("f", value)


def test_names_of_arguments_in_errors():
    m = gradir.load(jax.jit(lambda speed: speed * 2).lower(1.0))
    with pytest.raises(InputError, match=r"argument 0 \(speed\) of main"):
        m.run(np.ones(2, np.float32))


def test_tracers_are_refused():
    m = identity("f32", "")
    with pytest.raises(InputError, match=r"gradir\.jax"):
        jax.jit(lambda x: m.run(x))(1.0)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["i8", "ui8", "i32", "f32", "bf16", "f64"]), st.integers(-300, 300))
def test_literals_keep_their_value(element: str, value: int):
    """A Python number arrives as it is, or is refused."""
    m = _identities.setdefault(element, identity(element, ""))
    try:
        result = m.run("f", value)
    except InputError:
        limits = ml_dtypes.iinfo(m.function().arguments[0].dtype)
        assert not limits.min <= value <= limits.max
    else:
        assert element == "bf16" or result == value


_identities: dict[str, gradir.Module] = {}


# -- Several devices


REPLICAS = """module attributes {mhlo.num_replicas = 4 : i32} {
  func.func @f(%x: tensor<f32>, %y: tensor<2xf64>) -> (tensor<f32>, tensor<2xf64>) {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<f32>) -> tensor<f32>
    return %0, %y : tensor<f32>, tensor<2xf64>
  }
}"""


def test_replicas():
    total, own = gradir.load(REPLICAS).run([1.0, 2.0, 3.0, 4.0], [np.array([i, 1.0]) for i in range(4)])
    assert [float(x) for x in total] == [10.0] * 4
    assert [x[0] for x in own] == [0.0, 1.0, 2.0, 3.0]
    shared, _ = gradir.load(REPLICAS).run(5.0, [0.0, 0.0])
    assert [float(x) for x in shared] == [20.0] * 4


def test_too_few_devices():
    with pytest.raises(BackendError, match="needs 16 devices and there are 4") as error:
        gradir.load(REPLICAS.replace("4 : i32", "16 : i32")).compile()
    assert "xla_force_host_platform_device_count=16" in str(error.value)


def sharded() -> tuple[gradir.Module, NamedSharding]:
    mesh = Mesh(np.array(jax.devices()), ("x",))
    rows = NamedSharding(mesh, PartitionSpec("x"))
    f = jax.jit(
        lambda x, w: jnp.sin(x @ w), in_shardings=(rows, NamedSharding(mesh, PartitionSpec())), out_shardings=rows
    )
    return gradir.load(f.lower(jnp.ones((8, 3)), jnp.ones((3, 2)))), rows


def test_partitions():
    m, rows = sharded()
    x = np.arange(24, dtype=np.float32).reshape(8, 3)
    w = np.ones((3, 2), np.float32)
    np.testing.assert_allclose(m.run(x, w), np.sin(x @ w), atol=1e-5)
    y = m.run(jax.device_put(x, rows), w)
    assert y.sharding.is_equivalent_to(rows, 2)
    np.testing.assert_allclose(y, np.sin(x @ w), atol=1e-5)


@pytest.mark.parametrize("name", ["reference", pytest.param("iree", marks=needs_iree)])
def test_sharding_means_nothing_on_one_device(name: str):
    m, _ = sharded()
    x, w = np.full((8, 3), 0.5, np.float32), np.ones((3, 2), np.float32)
    np.testing.assert_allclose(m.run(x, w, backend=name), np.sin(x @ w), rtol=1e-5)
    with pytest.raises(BackendError, match="4 replicas"):
        gradir.load(REPLICAS).compile(backend=name)


def test_manual_computation():
    mesh = Mesh(np.array(jax.devices()), ("x",))
    f = jax.shard_map(
        lambda x: jax.lax.psum(jnp.sum(x * x), "x"), mesh=mesh, in_specs=PartitionSpec("x"), out_specs=PartitionSpec()
    )
    m = gradir.load(jax.jit(f).lower(jnp.ones(8)))
    x = np.arange(8, dtype=np.float32)
    assert m.run(x) == np.sum(x * x)
    with pytest.raises(BackendError, match=r"sdy\.manual_computation needs several devices"):
        m.run(x, backend="reference")


# -- Failures


def test_unknown_names():
    with pytest.raises(RequestError, match="no back end 'cray'"):
        identity("f32").compile(backend="cray")
    with pytest.raises(RequestError, match="no option 'speed'"):
        identity("f32").compile(backend="xla", speed=9)


def test_missing_extra(monkeypatch: pytest.MonkeyPatch):
    from gradir.backends.iree import IREE

    monkeypatch.setattr(IREE, "available", lambda self: False)
    with pytest.raises(MissingExtra, match=r"pip install 'gradir\[iree\]'"):
        identity("f32").compile(backend="iree")


CUSTOM_CALL = """func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.custom_call @nobody_home(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}"""


@pytest.mark.parametrize("name", EVERY)
def test_the_back_ends_own_words(name: str):
    with pytest.raises(BackendError, match=r"nobody_home|custom_call"):
        gradir.load(CUSTOM_CALL).run([1, 2, 3], backend=name)


def test_xla_options():
    m = unary("stablehlo.sine")
    assert m.run([0, 0, 0], xla_options={"xla_cpu_enable_fast_math": False})[0] == 0
    with pytest.raises(BackendError, match="no_such_option"):
        m.compile(xla_options={"no_such_option": "1"})
    with pytest.raises(BackendError, match="no platform 'abacus'"):
        m.compile(platform="abacus")


@needs_iree
def test_iree_and_f64():
    m = unary("stablehlo.sine", "f64")
    with pytest.raises(BackendError, match="demote_f64=True"):
        m.compile(backend="iree")
    y = m.run([0.0, 0.5, 1.0], backend="iree", demote_f64=True)
    assert y.dtype == np.float64
    np.testing.assert_allclose(y, np.sin([0.0, 0.5, 1.0]), rtol=1e-6)


def test_the_interpreters_death_is_an_error_and_it_comes_back():
    """The interpreter ends its process on what it can't do; that process is not this one."""
    division = gradir.load("""func.func @f(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
      %z = stablehlo.divide %x, %y : tensor<i32>
      return %z : tensor<i32>
    }""")
    run = division.compile(backend="reference")
    assert run(7, 2) == 3
    with pytest.raises(BackendError, match="division by zero"):
        run(7, 0)
    assert run(9, 2) == 4
    process = reference._worker._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert run(11, 2) == 5


def test_the_interpreter_is_in_a_process_of_its_own():
    identity("f32").run([1, 2, 3], backend="reference")
    process = reference._worker._process
    assert process is not None and process.pid != os.getpid()


def test_lapack_calls_of_a_module_that_jax_did_not_lower(tmp_path):
    """In a fresh process, where jax has had no reason to look LAPACK up."""
    low = jax.jit(jnp.linalg.cholesky).lower(jnp.eye(2))
    gradir.load(low).save(tmp_path / "cholesky.mlir")
    assert "lapack" in (tmp_path / "cholesky.mlir").read_text()
    code = (
        "import gradir, numpy as np; a = np.array([[4, 2], [2, 3]], np.float32);"
        f"l = gradir.load({str(tmp_path / 'cholesky.mlir')!r}).run(a); print(np.allclose(l @ l.T, a))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr


# -- One function of several


def test_isolate():
    m = gradir.load("""module {
      func.func private @helper(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
      func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
      func.func @main_0(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
      func.func @f(%x: tensor<f32>) -> tensor<f32> {
        %y = call @main(%x) : (tensor<f32>) -> tensor<f32>
        %z = call @main_0(%y) : (tensor<f32>) -> tensor<f32>
        return %z : tensor<f32>
      }
    }""")
    program = isolate(m.ir, "f")
    text = str(program.module)
    assert program.signature.name == "f"
    assert "func.func @main(" in text and "call @main_1" in text and "call @main_0" in text and "helper" not in text
    assert m.compile("f").signature.name == "f"
    assert repr(m.compile("f")) == "<gradir.Executable on xla: f(tensor<f32>) -> tensor<f32>>"


@pytest.mark.parametrize("dimension", [*range(-8, 0), None])
def test_a_sort_dimension_may_count_from_the_last(dimension):
    """XLA drops such sorts, of arrays of this rank mostly, of others now and then."""
    said, shape = "" if dimension is None else f"{{dimension = {dimension} : i64}}", "2x3x2x2x2x2x2x2"
    m = gradir.load(f"""
      func.func @f(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
        %y = "stablehlo.sort"(%x) ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
        }}) {said} : (tensor<{shape}xf32>) -> tensor<{shape}xf32>
        return %y : tensor<{shape}xf32>
      }}""")
    x = np.random.default_rng(0).normal(size=[2, 3, 2, 2, 2, 2, 2, 2]).astype(np.float32)
    np.testing.assert_array_equal(m.run("f", x), np.sort(x, axis=-1 if dimension is None else dimension))


def test_backends_describe_themselves():
    for name in BACKENDS:
        chosen = backend(name)
        assert chosen.name == name
        if chosen.available():
            assert chosen.describe()


def test_iree_draws_the_random_numbers_of_jax() -> None:
    pytest.importorskip("iree.compiler")

    def shuffled(epoch: jax.Array) -> jax.Array:
        return jax.random.permutation(jax.random.fold_in(jax.random.key(3), epoch), 53)

    module = gradir.load(jax.jit(shuffled).lower(jnp.int32(0))).optimize()
    np.testing.assert_array_equal(module.run("main", np.int32(5), backend="iree"), shuffled(jnp.int32(5)))


@needs_iree
@pytest.mark.parametrize("words", ["LLVM ERROR: out of memory", "#0 0x00007f llvm::sys::PrintStackTrace"])
def test_a_compiler_that_crashes_is_told_from_one_that_refuses(monkeypatch: pytest.MonkeyPatch, words: str):
    from iree import compiler

    def crash(*_: object, **__: object) -> bytes:
        class Ended:
            args = ("iree-compile",)
            returncode = -6
            stderr = words.encode()

        raise compiler.CompilerToolError(Ended())

    monkeypatch.setattr(compiler, "compile_str", crash)
    with pytest.raises(BackendError, match=r"IREE's compiler crashed on f.*: a bug of its own") as caught:
        identity("f32").run("f", np.zeros(3, np.float32), backend="iree")
    assert "'reference'" in str(caught.value.hint)

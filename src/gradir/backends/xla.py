"""XLA through jax's client: CPU and GPU, one or several devices.

jax's own `jit` is not in the way: a module goes to the client as it is, so 64-bit types work whether or not
`jax_enable_x64` is set, and a call costs no more than a jitted function's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jaxlib import xla_client as xc
from jaxlib.mlir import ir

from gradir.backends import Array, Runner
from gradir.errors import BackendError, InputError
from gradir.jax_internals import GSPMDSharding
from gradir.tensor.ir.module import operations

if TYPE_CHECKING:
    from gradir.tensor.ir.entry import Program
    from gradir.tensor.ir.signature import TensorSpec

__all__ = ["BACKEND", "XLA", "on_host"]

MANY = 1000
"""How many shardings a compiled program remembers."""


class XLA:
    """jax's client."""

    name = "xla"
    extra = None

    def available(self) -> bool:
        return True

    def describe(self) -> str:
        kinds = ", ".join(f"{len(jax.local_devices(backend=p))} {p}" for p in _platforms())
        return f"jax {jax.__version__} with {kinds}"

    def compile(
        self,
        program: Program,
        *,
        platform: str | None = None,
        devices: Sequence[Any] | None = None,
        xla_options: Mapping[str, bool | int | float | str] | None = None,
    ) -> Runner:
        """`platform` ("cpu", "gpu", "tpu") or `devices` choose where; `xla_options` are XLA's debug options."""
        chosen = _devices(program, platform, devices)
        _prepare_custom_calls(program.module)
        options = _compile_options(program, chosen, xla_options or {})
        client = chosen[0].client
        try:
            executable = client.compile_and_load(program.module, xc.DeviceList(tuple(chosen)), options)
        except jax.errors.JaxRuntimeError as error:
            raise _error("XLA refused to compile", program, error) from None
        if program.replicas > 1:
            return _replicated(executable, program, chosen)
        if program.partitions > 1:
            return _partitioned(executable, program, chosen)
        return _single(executable, program, chosen[0])


BACKEND = XLA()


def _platforms() -> list[str]:
    found = []
    for platform in ("cpu", "gpu", "tpu"):
        try:
            jax.devices(platform)
        except RuntimeError:
            continue
        found.append(platform)
    return found


def _devices(program: Program, platform: str | None, devices: Sequence[Any] | None) -> list[Any]:
    need = program.replicas * program.partitions
    try:
        found = list(devices) if devices is not None else jax.devices(platform)
    except RuntimeError as error:
        raise BackendError(
            f"no platform '{platform}': {error}", hint=f"jax has {', '.join(_platforms())} here"
        ) from None
    if len(found) < need:
        there = "is" if len(found) == 1 else "are"
        raise BackendError(
            f"{program.signature.name} needs {need} devices and there {there} {len(found)}",
            hint=f"for a trial on the CPU, set XLA_FLAGS=--xla_force_host_platform_device_count={need} "
            "before Python starts",
        )
    return found[:need]


def _prepare_custom_calls(module: ir.Module) -> None:
    """jax looks up LAPACK's routines when it lowers a call to them; a module from elsewhere hasn't had that."""
    for op in operations(module):
        if op.name == "stablehlo.custom_call" and "lapack_" in ir.StringAttr(op.attributes["call_target_name"]).value:
            import_module("jaxlib.cpu._lapack").initialize()
            return


def _compile_options(program: Program, devices: Sequence[Any], overrides: Mapping[str, Any]) -> xc.CompileOptions:
    grid = np.array([d.id for d in devices]).reshape(program.replicas, program.partitions)
    assignment = xc.DeviceAssignment.create(grid)
    options = xc.CompileOptions()
    options.num_replicas, options.num_partitions = grid.shape
    options.device_assignment = assignment
    options.env_option_overrides = list(overrides.items())
    build = options.executable_build_options
    build.num_replicas, build.num_partitions = grid.shape
    build.device_assignment = assignment
    build.use_spmd_partitioning = program.partitions > 1
    build.use_shardy_partitioner = any(op.name.startswith("sdy.") for op in operations(program.module))
    return options


def _single(executable: Any, program: Program, device: Any) -> Runner:
    sharding = jax.sharding.SingleDeviceSharding(device)
    arguments = [_aval(spec) for spec in program.signature.arguments]
    handlers = [_handler(spec, sharding) for spec in program.signature.results]

    here: dict[int, Any] = {}  # shardings known to mean this device, since comparing them takes time

    def place(value: Array, aval: Any) -> Any:
        if type(value) is xc.ArrayImpl:
            found = value.sharding
            if here.get(id(found)) is found:
                return value
            if found == sharding and len(here) < MANY:
                here[id(found)] = found
        return _put(value, aval, sharding, device)

    def run(values: list[Array]) -> list[Array]:
        placed = list(map(place, values, arguments))
        results = _execute(executable, program, placed).consume_with_handlers(handlers)
        return _settled(program, list(results), values)

    return run


def _partitioned(executable: Any, program: Program, devices: Sequence[Any]) -> Runner:
    """Arrays have their global shape; the partitioner's shardings say which part goes where."""

    def shardings(found: Sequence[Any] | None, count: int) -> list[Any]:
        if found is None:
            return [GSPMDSharding.get_replicated(tuple(devices))] * count
        return [GSPMDSharding(tuple(devices), s) for s in found]

    signature = program.signature
    inputs = shardings(executable.get_parameter_shardings(), len(signature.arguments))
    outputs = shardings(executable.get_output_shardings(), len(signature.results))
    handlers = [_handler(spec, sharding) for spec, sharding in zip(signature.results, outputs, strict=True)]

    def run(values: list[Array]) -> list[Array]:
        with jax.enable_x64(True):
            placed = [jax.device_put(x, sharding) for x, sharding in zip(values, inputs, strict=True)]
        return _settled(program, list(_execute(executable, program, placed).consume_with_handlers(handlers)), values)

    return run


def _replicated(executable: Any, program: Program, devices: Sequence[Any]) -> Runner:
    """Each replica has arguments of its own: a list of one array a replica, or one array for all.

    Each result is a list of one array a replica.
    """
    everywhere = GSPMDSharding.get_replicated(tuple(devices))
    specs = program.signature.arguments

    def place(value: Array, spec: TensorSpec) -> Any:
        parts = value if isinstance(value, list) else [value] * len(devices)
        aval = _aval(spec)
        shards = [_put(x, aval, jax.sharding.SingleDeviceSharding(d), d) for x, d in zip(parts, devices, strict=True)]
        # To jax these are copies of one array; that they differ is the replicas' own affair.
        return jax.make_array_from_single_device_arrays(aval.shape, everywhere, shards)

    def run(values: list[Array]) -> list[Array]:
        placed = [place(x, spec) for x, spec in zip(values, specs, strict=True)]
        results = _execute(executable, program, placed).disassemble_into_single_device_arrays()
        return _settled(program, [list(r) for r in results], values)

    return run


def _aval(spec: TensorSpec) -> Any:
    return jax.core.ShapedArray(spec.shape, spec.dtype)


def _handler(spec: TensorSpec, sharding: Any) -> Any:
    """What makes a JAX array of a result's buffers."""
    try:
        return xc.array_result_handler(_aval(spec), sharding, True, True)  # without checks of its own
    except TypeError:  # from jax 0.11 on there are none
        return xc.array_result_handler(_aval(spec), sharding, True)


def _put(value: Array, aval: Any, sharding: Any, device: Any) -> Any:
    """A JAX array on `device`. NumPy memory that is aligned as XLA likes it is used where it lies."""
    if type(value) is xc.ArrayImpl:
        if value.sharding == sharding:
            return value
        with jax.enable_x64(True):
            return jax.device_put(value, sharding)
    return xc.batched_device_put(aval, sharding, [value], [device], enable_x64=True)


def on_host(array: np.ndarray[Any, Any]) -> Any:
    """A NumPy array as a JAX array on the CPU: the same memory, if that is aligned as XLA likes it."""
    device, sharding = _host()
    return _put(array, _aval_of(array.shape, array.dtype), sharding, device)


@lru_cache(MANY)
def _aval_of(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return jax.core.ShapedArray(shape, dtype)


@cache
def _host() -> tuple[Any, Any]:
    device = jax.local_devices(backend="cpu")[0]
    return device, jax.sharding.SingleDeviceSharding(device)


def _execute(executable: Any, program: Program, placed: Sequence[Any]) -> Any:
    try:
        return executable.execute_sharded(placed)
    except RuntimeError as error:  # JAX's own errors are of this kind
        for i, array in enumerate(placed):
            if array.is_deleted():
                raise InputError(
                    f"argument {i} of {program.signature.name} has been deleted (donated to another call?)"
                ) from None
        raise _error("XLA failed to run", program, error) from None


def _settled(program: Program, results: list[Array], values: Sequence[Array]) -> list[Array]:
    """Wait for the results if the program may still be reading memory that the caller can write to."""
    if any(type(v) is not xc.ArrayImpl for v in values):
        try:
            jax.block_until_ready(results)
        except RuntimeError as error:
            raise _error("XLA failed to run", program, error) from None
    return results


def _error(what: str, program: Program, error: Exception) -> BackendError:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return BackendError(f"{what} {program.signature.name}: " + "\n  ".join(lines[:5]))

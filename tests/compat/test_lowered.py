"""Private names of what compiled programs are for XLA: tiles, windows, the machine; data of JAX's tests."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.recorded import jax

from adjoint import compat
from adjoint.compat import private

from .inside import ours, told

pytest.importorskip("jaxlib")


def auto(m):
    return m.sharding.AbstractMesh((4, 2), ("x", "y"))


def keys(m, prng, key):
    threefry = prng.prngs["threefry2x32"]
    return (
        [isinstance(x, prng.PRNGKeyArray) for x in (key, m.numpy.ones(2), m.random.PRNGKey(1))], sorted(prng.prngs),
        isinstance(key.dtype, prng.KeyTy), prng.KeyTy(threefry) == key.dtype, isinstance(threefry, prng.PRNGImpl),
        prng.random_unwrap(prng.PRNGKeyArray(threefry, np.arange(2, dtype=np.uint32))), prng.UINT_DTYPES[16],
        [prng.random_unwrap(k) for k in (prng.random_split(key, (2,)), prng.random_fold_in(key, np.uint32(3)))],
        prng.random_bits(key, 16, (3,)), m.make_jaxpr(lambda w: prng.random_split_p.bind(
            prng.random_wrap(w, impl=threefry), shape=(3,)))(np.arange(2, dtype=np.uint32)),
        m.jit(lambda k: isinstance(k, prng.PRNGKeyArray))(key))


def tiles(m, *spec, mesh=auto, ndim=2, **sums):
    return m.sharding.NamedSharding(mesh(m), m.P(*spec, **sums))._to_xla_hlo_sharding(ndim)


def explicit(m):
    return m.sharding.AbstractMesh((4, 2), ("x", "y"), axis_types=(m.sharding.AxisType.Explicit,) * 2)


def one(m, **kind):
    return m._src.sharding_impls.GSPMDSharding(m.devices()[:1], m._src.lib.xla_client.HloSharding.replicate(), **kind)


def windows(m):
    return m._src.lax.windowed_reductions


def segments(m):
    made = m._src.sourcemap.MappingsGenerator()
    for line in ([(0, 0, 1, 2), (5, 0, 3, 1)], [(2, 1, 0, 0, 3), (7,)], []):
        made.new_group()
        for segment in line:
            made.new_segment(*segment)
    return made.mappings()


def fits(m, *shapes, dtype="bfloat16", lengths=None, layout="BTNH", **given):
    cudnn = m._src.cudnn.fused_attention_stablehlo
    operands = [m.ShapeDtypeStruct(shape, dtype) for shape in (*shapes, *[shapes[-1]] * (3 - len(shapes)))]
    names = ("bias", "q_seqlen", "kv_seqlen", "q_offsets", "kv_offsets", "page_table_k", "page_table_v")
    others = [name in given and m.ShapeDtypeStruct(*given[name]) or None for name in names]
    return told(lambda _: cudnn.check_layout(*operands, *others, cudnn._normalize_layout(layout)), m)


HEADS = (2, 8, 4, 64)
SPECS = (("x",), (), ("x", "y"), (None, "x"), (("x", "y"),), (("y", "x"), None), ("y",))
SQUARE = ((2, 2), (2, 2), ((0, 0), (0, 0)))
PROBES = {
    "tiles": lambda m: [str(tiles(m, *spec, ndim=n)) for spec in SPECS for n in (2, 3)],
    "tiles of sums": lambda m: [
        str(tiles(m, "x", mesh=explicit, unreduced={"y"})), str(tiles(m, mesh=explicit, unreduced={"y"}))],
    "too few axes": lambda m: tiles(m, None, "x", ndim=1),
    "on one device": lambda m: str(m.sharding.SingleDeviceSharding(m.devices()[0])._to_xla_hlo_sharding(2)),
    "specs": lambda m: [
        m._src.sharding_impls.parse_flatten_op_sharding(tiles(m, *spec, ndim=3), auto(m)) for spec in SPECS],
    "parts": lambda m: [
        (m._src.op_shardings.op_sharding_to_indices(t, (8, 4), 8), m._src.op_shardings.get_num_ways_dim_sharded(t),
            m._src.op_shardings.is_hlo_sharding_replicated(t), m._src.op_shardings.are_hlo_shardings_equal(t, t))
        for t in [tiles(m, *spec) for spec in SPECS]],
    "equivalent": lambda m: (
        one(m).is_equivalent_to(m.sharding.SingleDeviceSharding(m.devices()[0]), 2),
        m.sharding.NamedSharding(m.make_mesh((1,), "x"), m.P("x")).is_equivalent_to(one(m), 1)),
    "sum": lambda m: m.make_jaxpr(lambda x: windows(m)._reduce_window_sum(x, *SQUARE))(m.numpy.ones((4, 4))),
    "largest": lambda m: windows(m)._reduce_window_max(m.numpy.arange(16.0).reshape(4, 4), *SQUARE, (1, 1), (1, 1)),
    "winners": lambda m: windows(m)._select_and_gather_add(
        *[m.numpy.arange(16.0).reshape(4, 4)] * 2, m.lax.ge_p, *SQUARE, (1, 1), (1, 1)),
    "winners of booleans": lambda m: [windows(m)._select_and_gather_add(
        *[m.numpy.arange(16).reshape(4, 4) % 3 == 0] * 2, p, *SQUARE, (1, 1), (1, 1))
        for p in (m.lax.ge_p, m.lax.le_p)],
    "winners of integers": lambda m: windows(m)._select_and_scatter_add(
        m.numpy.ones((2, 2), int), m.numpy.arange(16).reshape(4, 4), m.lax.le_p, *SQUARE),
    "counts": lambda m: (
        m._src.random.prng.iota_2x32_shape((2, 3)),
        m.make_jaxpr(lambda: m._src.random.prng.iota_2x32_shape_p.bind(shape=(2, 3)))()),
    "keys": lambda m: keys(m, m._src.random.prng, m.random.key(7)),
    "bytes of shardings": lambda m: [
        (data, str(s.get_hlo_sharding_from_serialized_proto(data)), s.get_op_sharding_from_serialized_proto(data).type)
        for s in [m.extend.sharding]
        for data in [s.get_serialized_proto_from_hlo_sharding(tiles(m, *spec)) for spec in SPECS]],
    "machine": lambda m: (
        m._src.cloud_tpu_init.running_in_cloud_tpu_vm, m._src.cloud_tpu_init.is_cloud_tpu_older_than(
            2025, 1, 1, m.devices()[0].client), m._src.path.make_jax_dump_dir(""), m._src.path.Path("a") / "b"),
    "lazy": lambda m: m._src.lazy_loader.attach("os", ["path"])[0]("path").join("a", "b"),
    "source map": lambda m: [
        m._src.sourcemap.SourceMap.from_json(made.to_json()) for made in [m._src.sourcemap.SourceMap(
            3, ["a.py"], ["text"], ["f"], segments(m))]],
    "source map as text": lambda m: (
        m._src.sourcemap.serialize_mappings(segments(m)), m._src.sourcemap.deserialize_mappings("AAAA;;CAAC,EAAE;"),
        [m._src.sourcemap.encode_vlq(n) for n in (0, -1, 15, 16, -16, 123456)],
        m._src.sourcemap.decode_segment(b"gkxH/pjGCA")),
    "source map, no digit": lambda m: m._src.sourcemap.decode_vlq(iter(b"g")),
    "source map, no line": lambda m: m._src.sourcemap.MappingsGenerator().new_segment(1),
    "attention that fits": lambda m: [
        fits(m, HEADS), fits(m, HEADS, (2, 16, 2, 64)), fits(m, (2, 4, 8, 64), (2, 2, 16, 64), layout="bnsh"),
        fits(m, HEADS, bias=((1, 1, 8, 8), "float32"), q_seqlen=((2,), "int32"), kv_seqlen=((2,), "int32"))],
    "attention that does not fit": lambda m: [
        fits(m, HEADS[1:], HEADS), fits(m, HEADS, dtype="float32"), fits(m, HEADS, (3, 8, 4, 64)),
        fits(m, HEADS, (2, 16, 4, 64), HEADS), fits(m, HEADS, (2, 8, 4, 32)), fits(m, HEADS, layout="THNB"),
        fits(m, HEADS, bias=((2, 4, 8, 16), "float32")), fits(m, HEADS, q_seqlen=((2, 1), "int32")),
        fits(m, HEADS, kv_seqlen=((3,), "int32")), fits(m, HEADS, q_seqlen=((2,), "int64")),
        fits(m, HEADS, q_offsets=((3,), "int32"))],
    "attention of GPUs": lambda m: [
        told(ask, m._src.cudnn.fused_attention_stablehlo) for ask in (
            lambda c: c.check_compute_capability("8.0"), lambda c: c.check_cudnn_version(), lambda c: [*c.MaskType],
            lambda c: c.dot_product_attention(*[m.numpy.ones(HEADS, "bfloat16")] * 3), lambda c: [*c.AttentionLayout])],
    "lazy, unknown": lambda m: m._src.lazy_loader.attach("os", ["path"])[0]("pat"),
}


@pytest.mark.parametrize("name", PROBES)
def test_private_names_of_compiled_programs_do_what_those_of_jax_do(name):
    assert told(PROBES[name], ours) == told(PROBES[name], jax)


def test_a_sharding_of_xla_by_which_a_device_holds_the_whole():
    whole = one(ours)
    assert repr(whole) == "GSPMDSharding({replicated}, memory_kind=device)"
    assert "pinned_host" in repr(one(ours, memory_kind="pinned_host"))
    assert whole == one(ours)
    assert hash(whole) == hash(one(ours))
    assert whole.is_fully_replicated
    assert whole.shard_shape((3,)) == (3,)
    assert list(whole.devices_indices_map((2, 3)).values()) == [(slice(None), slice(None))]


@pytest.mark.skipif(compat.installed_jax() is None, reason="no JAX is installed")
def test_data_of_tests_is_that_of_an_installed_jax():
    for program, least in (("lax_test_util as t; print(len(t.lax_ops()))", 50),
                           ("test_harnesses as t; print(len(t.all_harnesses))", 5000)):
        command = [sys.executable, "-m", "adjoint", "-c", f"from jax._src.internal_test_util import {program}"]
        assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) > least
    assert private.is_installed("jax._src.internal_test_util.lax_test_util")
    assert not private.is_installed("jax._src.test_util")

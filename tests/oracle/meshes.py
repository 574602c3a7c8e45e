"""Random programs over meshes of devices, run by JAX and by adjoint, and compared.

A program is text: statements that make a mesh of 1 to 3 axes of random types, arrays that are divided over it, and a
function of them, which is called, jitted, differentiated, mapped, or run by `shard_map`. What is compared are the types
of the values inside (`note`), and types, shardings and numbers of the results, or the class of the error.

    python -m tests.oracle.meshes ask --count 2000 --seed 7     # JAX's answers, kept in a file
    python -m tests.oracle.meshes compare                       # ours beside them; prints what differs
    python -m tests.oracle.meshes keep --count 200              # the sample of test_meshes.py

Every program needs 8 devices.
"""

from __future__ import annotations

import functools
import importlib
import os
import random
import re
import warnings
from math import prod
from pathlib import Path

import numpy as np

from . import placements
from .answers import run_command
from .mesh_answers import difference

SAMPLE = Path(__file__).parent / "meshes.json.xz"

MESHES = [(2,), (4,), (8,), (2, 2), (2, 4), (2, 4), (4, 2), (4, 2), (1, 2), (2, 2, 2), (2, 2, 2), (2, 1, 4)]
NAMES = "xyz"
UNSPECIFIED = {"jax": "jax._src.sharding_impls", "adjoint": "adjoint.compat.private.shardings"}

# Statements on values of any shape: {v} is one, {w} another of the same shape; the result has the shape of {v}.
SAME = [
    "jnp.sin({v})", "jnp.tanh({v})", "-{v}", "{v} * 2", "{v} + 1", "jnp.exp(-abs({v}))", "{v} ** 2",
    "jax.nn.relu({v})", "{v} * {w}", "{v} + {w}", "{v} - {w}", "jnp.maximum({v}, {w})", "jnp.where({v} > 0, {v}, {w})",
    "{v} * jnp.sum({w})", "jnp.where({v} > 0, {w}, 0)", "lax.stop_gradient({v})",
    "{v}.astype('bfloat16').astype({v}.dtype)", "jnp.sign({v})", "jnp.zeros_like({v}) + {w}", "jnp.ones_like({v})",
    "jnp.full_like({v}, .5)", "jnp.clip({v}, -1, 1)", "jnp.flip({v}, {d})", "jnp.roll({v}, 1, {d})",
    "jnp.cumsum({v}, {d})", "lax.cummax({v}, axis={d})", "jnp.sort({v}, axis={d})", "jnp.argsort({v}, axis={d}) * 1.",
    "jax.nn.softmax({v}, axis={d})", "jax.nn.log_softmax({v}, axis={d})",
    "{v} - jnp.mean({v}, axis={d}, keepdims=True)", "{v} / (1 + jnp.max({v}))",
    "jax.jit(lambda u: u * jnp.cos(u))({v})", "jax.checkpoint(lambda u: u * jnp.sin(u))({v})", "jvp_rule({v})",
    "vjp_rule({v}, {w})", "lax.scan(lambda c, _: (c * .5, None), {v}, None, length=2)[0]",
    "lax.fori_loop(0, 2, lambda i, c: c + i, {v})", "lax.cond(True, jnp.sin, jnp.cos, {v})",
    "lax.cond(jnp.sum({v}) > 0, lambda u: u * 2, lambda u: u, {v})", "lax.optimization_barrier({v})",
    "lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, c[1] * 2), (0, {v}))[1]", "{v}.at[0].set(0)",
    "{v}.at[0].add({v}[0])", "{v}.at[..., 0].mul(2)", "lax.rev({v}, ({d},))", "jnp.concatenate([{v}, {w}], {d})",
    "jnp.stack([{v}, {w}]).sum(0)", "lax.associative_scan(jnp.add, {v}, axis={d})", "jax.vmap(jnp.sin, {d}, {d})({v})",
    "jax.vmap(lambda u: u - jnp.sum(u), {d}, {d})({v})", "jax.vmap(lambda u, t: u * t, ({d}, None), {d})({v}, 2.)",
    "lax.map(jnp.sin, {v})", "jnp.round({v})", "lax.reduce_precision({v}, 8, 7)",
    "lax.dynamic_update_slice({v}, {v} * 0, (0,) * {v}.ndim)", "jnp.nan_to_num({v})",
    "lax.convert_element_type({v} > 0, 'int32') * {v}", "lax.clamp(-1., {v}, 1.)", "lax.square({v})", "jnp.copy({v})",
    "jax.tree.map(lambda u: u * 2, [{v}])[0]", "lax.erf({v})", "jnp.logaddexp({v}, {w})", "{v} % 3", "{v} // 1",
    "jnp.isfinite({v}) * 1.", "jnp.real({v} + 1j)", "jax.grad(lambda u: jnp.sum(u * u))({v})",
    "jax.jvp(jnp.sin, ({v},), ({w},))[1]", "jax.vjp(jnp.sin, {v})[1]({v})[0]", "jnp.arctan2({v}, {w})",
    "jnp.linspace(0., 1., {n0}).reshape(({n0},) + (1,) * ({v}.ndim - 1)) + {v}",
    "jnp.arange({n1}, dtype={v}.dtype) * {v}", "jax.random.uniform(jax.random.key(1), {v}.shape) + {v} * 0",
    "lax.full_like({v}, 2)", "lax.add({v}, {w})", "{v}[tuple([slice(None)] * {v}.ndim)]", "jnp.expand_dims({v}, 0)[0]",
    "jnp.squeeze({v}[None])", "lax.expand_dims({v}, (0,))[0]", "jnp.transpose(jnp.transpose({v}))",
    "jnp.broadcast_to({v}, (2, *{v}.shape))[1]", "jnp.split({v}, 2, {d})[0]", "lax.cumprod({v} * .5, axis={d})",
    "lax.cumlogsumexp({v}, axis={d})", "lax.cummin({v}, axis={d}, reverse=True)",
    "lax.cumsum({v}, axis={d}, reverse=True)", "lax.sort({v}, dimension={d})",
    "lax.sort(({v}, {w}), dimension={d}, num_keys=2)[1]", "lax.sort([{v}, {w}], dimension={d}, is_stable=False)[0]",
    "jnp.partition({v}, 1, axis={d})[..., :1] + {v}",
    "lax.rng_bit_generator(jnp.zeros(4, 'uint32'), {v}.shape)[1] * 0 + {v}",
    "jax.random.normal(jax.random.key(3), {v}.shape) * {v}",
    "jax.random.permutation(jax.random.key(2), {v}, axis={d})",
    "jax.random.bernoulli(jax.random.key(1), .5, {v}.shape) * {v}",
    ("jax.vmap(jax.random.uniform)(jax.random.split(jax.random.key(0), {n0})).reshape(-1, *(1,) * ({v}.ndim - "
     "1)) * {v}"),
    "jax.random.normal(jax.random.fold_in(jax.random.key(0), 3), {v}.shape, 'bfloat16').astype('float32')",
    "abs({v} + 1j * {w})", "lax.complex({v}, {w}).real", "jnp.conj(lax.complex({v}, {w})).imag", "jnp.angle({v} + 0j)",
    "({v} > 0).astype('int8') * {v}", "(({v} > 0) & ~({w} > 0)) * 1.",
    "lax.population_count({v}.astype('int32')) * 1.", "({v}.astype('int32') << 2 | 1) * 1.",
    "lax.bitcast_convert_type({v}, 'int32') * 0 + {v}",
    "lax.scan(lambda c, u: (c + u, c * u), {w}, jnp.stack([{v}, {v}]))[0]",
    "lax.scan(lambda c, u: ((c[0] + u, c[1]), None), ({v}, {w}), jnp.arange(3.))[0][0]",
    "lax.fori_loop(0, 3, lambda i, c: (c[1], c[0] + i), ({v}, {w}))[0]",
    "lax.while_loop(lambda c: jnp.max(c) < 3, lambda c: c + 1, {v})", "lax.switch(1, [jnp.sin, jnp.cos], {v})",
    "lax.switch(jnp.argmax({v}.ravel()) % 2, [jnp.sin, lambda u: u * 2], {v})", "lax.map(jnp.sin, {v}, batch_size=2)",
    "jax.vmap(lambda u: u - lax.pmean(u, 'q'), {d}, {d}, axis_name='q')({v})",
    "jax.vmap(lambda u: lax.all_gather(u, 'q').sum(0), {d}, {d}, axis_name='q')({v})",
    "jax.vmap(lambda u: u * 2, {d}, {d}, spmd_axis_name={one})({v})",
    "jax.jit(lambda u, t: u + t, donate_argnums=0)({v} * 1, {w})",
    "jax.jit(jax.jit(lambda u: u * 3, inline=True))({v})",
    "jax.checkpoint(lambda u: jnp.sin(jnp.sin(u)), policy=jax.checkpoint_policies.dots_saveable)({v})",
    "jax.grad(jax.checkpoint(lambda u: jnp.sum(jnp.sin(u) ** 2)))({v})", "jax.linearize(jnp.sin, {v})[1]({w})",
    "jax.grad(lambda u: jnp.sum(jnp.sort(u, {d}) * {w}))({v})",
    "jax.grad(lambda u: jnp.sum(jnp.cumsum(u, {d}) * {w}))({v})", "jax.grad(lambda u: jnp.sum(u[0] * 2))({v})",
    "jax.grad(lambda u: jnp.sum(jnp.take(u, jnp.array([0, 0]), {d})))({v})", "{v}.at[jnp.array([0, 1])].add(1.)",
    "{v}.at[jnp.array([1, 0])].set({v}[:2])", "{v}.at[..., jnp.array([0])].max(1.)", "{v}.at[{v} > 0].set(0.)",
    "{v}.at[1:].multiply(2.)", "jnp.put_along_axis({v}, jnp.argmax({v}, {d}, keepdims=True), 9., {d}, inplace=False)",
    "lax.dynamic_update_slice_in_dim({v}, lax.slice_in_dim({v}, 0, 1, axis={d}), 1, {d})",
    "lax.dynamic_update_index_in_dim({v}, 0., 1, {d})",
    ("lax.scatter_add({v}, jnp.array([[0]]), {v}[:1], lax.ScatterDimensionNumbers(tuple(range({v}.ndim)), (), "
     "(0,)))"),
    "jnp.insert({v}, 1, 0., axis={d})[tuple([slice(0, n) for n in {v}.shape])]",
    "jnp.rot90({v}, 2) if {v}.ndim > 1 else {v}", "jax.nn.gelu({v})", "jax.nn.standardize({v}, {d})",
    "jnp.interp({v}, jnp.arange(3.), jnp.arange(3.))", "jnp.select([{v} > 0], [{v}], 1.)",
    "jnp.piecewise({v}, [{v} > 0], [jnp.sin, 0.])", "jnp.cross({v}[..., :3], {w}[..., :3])[..., :1] + {v}",
    "jnp.convolve({v}.ravel(), jnp.ones(3), 'same').reshape({v}.shape)",
    "lax.reduce_window({v}, -jnp.inf, lax.max, (2,) * {v}.ndim, (1,) * {v}.ndim, 'SAME')",
    "jnp.apply_along_axis(lambda u: u * 2, {d}, {v})", "jnp.vectorize(lambda u: u + 1)({v})",
    "jnp.vectorize(lambda u: u - jnp.sum(u), signature='(n)->(n)')({v})", "jax.tree.reduce(jnp.add, [{v}, {w}, 1.])",
    "jax.numpy.frompyfunc(lambda p, q: p + q, 2, 1)({v}, {w})",
    "jnp.fft.ifft(jnp.fft.fft({v}, axis={d}), axis={d}).real", "jax.scipy.special.expit({v})",
    "jax.hessian(lambda u: jnp.sum(u ** 3))({v}.ravel()[:2]).sum() + {v}",
]
# Statements whose result has another shape: (text, the new shape, or what shape the operand must have).
OTHER = [
    ("jnp.sum({v}, {d})", lambda s, d: drop(s, d)),
    ("jnp.max({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jnp.mean({v}, axis={d}, keepdims=True)", lambda s, d: put(s, d, 1)),
    ("jnp.sum({v})", lambda s, d: ()),
    ("jnp.prod({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jnp.argmax({v}, axis={d}) * .5", lambda s, d: drop(s, d)),
    ("jnp.any({v} > 0, axis={d}) * 1.", lambda s, d: drop(s, d)),
    ("jnp.var({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jax.nn.logsumexp({v}, axis={d})", lambda s, d: drop(s, d)),
    ("{v}.T", lambda s, d: s[::-1]),
    ("jnp.swapaxes({v}, 0, {d})", lambda s, d: swap(s, d)),
    ("jnp.moveaxis({v}, {d}, 0)", lambda s, d: (s[d], *drop(s, d))),
    ("{v}.reshape(-1)", lambda s, d: (prod(s),)),
    ("{v}.reshape({n0}, -1)", lambda s, d: (s[0], prod(s[1:]))),
    ("{v}.reshape(-1, {nl})", lambda s, d: (prod(s[:-1]), s[-1])),
    ("{v}.reshape(2, -1)", lambda s, d: (2, prod(s) // 2)),
    ("{v}.reshape(*{v}.shape, 1)", lambda s, d: (*s, 1)),
    ("jnp.expand_dims({v}, {d})", lambda s, d: (*s[:d], 1, *s[d:])),
    ("{v}.reshape(*{v}.shape[:-1], {nl} // 2, 2)", lambda s, d: (*s[:-1], s[-1] // 2, 2)),
    ("jnp.broadcast_to({v}, (4, *{v}.shape))", lambda s, d: (4, *s)),
    ("{v}[:{n0} // 2]", lambda s, d: (s[0] // 2, *s[1:])),
    ("{v}[::2]", lambda s, d: ((s[0] + 1) // 2, *s[1:])),
    ("{v}[0]", lambda s, d: s[1:]),
    ("{v}[..., 1]", lambda s, d: s[:-1]),
    ("{v}[..., ::-1]", lambda s, d: s),
    ("{v}[jnp.array([0, 1])]", lambda s, d: (2, *s[1:])),
    ("jnp.take({v}, jnp.array([1, 0, 1, 1]), axis={d})", lambda s, d: put(s, d, 4)),
    ("jnp.take_along_axis({v}, jnp.argsort({v}, axis={d}), axis={d})", lambda s, d: s),
    ("jnp.pad({v}, [(1, 1)] + [(0, 0)] * ({v}.ndim - 1))", lambda s, d: (s[0] + 2, *s[1:])),
    ("lax.pad({v}, 0., [(0, 0, 0)] * {v}.ndim)", lambda s, d: s),
    ("jnp.concatenate([{v}, {w}], axis={d})", lambda s, d: put(s, d, 2 * s[d])),
    ("jnp.stack([{v}, {w}], axis={d})", lambda s, d: (*s[:d], 2, *s[d:])),
    ("jnp.tile({v}, 2)", lambda s, d: put(s, -1, 2 * s[-1])),
    ("jnp.repeat({v}, 2, axis={d})", lambda s, d: put(s, d, 2 * s[d])),
    ("jnp.matmul({v}, {t})", "product"),
    ("jnp.dot({v}, {t})", "product"),
    ("jnp.einsum('...i,...i->...', {v}, {w})", lambda s, d: s[:-1]),
    ("jnp.einsum('...i,...j->...ij', {v}, {w})", lambda s, d: (*s, s[-1])),
    ("jnp.einsum('i...->...', {v})", lambda s, d: s[1:]),
    ("jnp.tensordot({v}, {w}, {v}.ndim)", lambda s, d: ()),
    ("jnp.vdot({v}, {w})", lambda s, d: ()),
    ("lax.top_k({v}, 2)[0]", lambda s, d: put(s, -1, 2)),
    ("jnp.diff({v}, axis={d})", lambda s, d: put(s, d, s[d] - 1)),
    ("lax.dynamic_slice({v}, (0,) * {v}.ndim, ({n0} // 2, *{v}.shape[1:]))", lambda s, d: (s[0] // 2, *s[1:])),
    ("lax.dynamic_index_in_dim({v}, 1, {d}, False)", lambda s, d: drop(s, d)),
    ("jnp.outer({v}, {w})", lambda s, d: (prod(s), prod(s))),
    ("lax.scan(lambda c, u: (c + jnp.sum(u), u * c), 0., {v})[1]", lambda s, d: s),
    ("jnp.ravel({v})", lambda s, d: (prod(s),)),
    ("lax.scan(lambda c, u: (c + u, c), {v}[0] * 0, {v})[1]", lambda s, d: s),
    ("lax.scan(lambda c, u: (c + u, None), {v}[0] * 0, {v})[0]", lambda s, d: s[1:]),
    ("jax.vmap(jnp.sum, {d})({v})", lambda s, d: (s[d],)),
    ("jax.vmap(lambda u: u * 2, {d})({v})", lambda s, d: (s[d], *drop(s, d))),
    ("jax.vmap(lambda u, s: u @ s.T if u.ndim > 1 else u * s)({v}, {w})", "mapped product"),
    ("jnp.linalg.norm({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jax.nn.one_hot(jnp.argmax({v}, -1), 4)", lambda s, d: (*s[:-1], 4)),
    ("jnp.fft.fft({v}, axis=-1).real", lambda s, d: s),
    ("jnp.linalg.cholesky(gram({v}))", "gram"),
    ("jnp.linalg.qr(gram({v}))[1]", "gram"),
    ("jnp.linalg.solve(gram({v}), gram({v}))", "gram"),
    ("jnp.linalg.det(gram({v}))", "det"),
    ("jnp.median({v}, axis={d})", lambda s, d: drop(s, d)),
    ("lax.reduce_window({v}, 0., lax.add, (1,) * ({v}.ndim - 1) + (2,), (1,) * {v}.ndim, 'SAME')", lambda s, d: s),
    ("lax.reduce({v}, np.float32(0), lax.add, ({d},))", lambda s, d: drop(s, d)),
    ("jnp.triu({v})", "matrix"),
    ("jnp.tril({v})", "matrix"),
    ("jnp.cumsum({v})", lambda s, d: (prod(s),)),
    ("lax.index_in_dim({v}, 0, {d}, True)", lambda s, d: put(s, d, 1)),
    ("jnp.searchsorted(jnp.arange(4.), {v}) * 1.", lambda s, d: s),
    ("jnp.ones({v}.shape)", lambda s, d: s),
    ("jnp.zeros((8, 4))", lambda s, d: (8, 4)),
    ("jnp.unstack({v}, axis={d})[1]", lambda s, d: drop(s, d)),
    ("jnp.squeeze(lax.slice_in_dim({v}, 0, 1, axis={d}), {d})", lambda s, d: drop(s, d)),
    ("convolved({v})", "matrix"),
    ("jnp.diagonal({v})", "diagonal"),
    ("jnp.average({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jnp.einsum('...i,...i->i', {v}, {w})", lambda s, d: s[-1:]),
    ("jnp.einsum('i...,i...->i...', {v}, {w})", lambda s, d: s),
    ("jnp.argsort({v}, axis={d})[..., :2] * 1.", lambda s, d: put(s, -1, 2)),
    ("jax.random.choice(jax.random.key(0), {v}, (4,))", lambda s, d: (4, *s[1:])),
    ("jax.random.categorical(jax.random.key(0), {v}) * 1.", lambda s, d: s[:-1]),
    ("jax.random.split(jax.random.key(0), {n0}).shape[0] * {v}", lambda s, d: s),
    (("lax.gather({v}, jnp.array([[0], [1]]), lax.GatherDimensionNumbers(tuple(range(1, {v}.ndim)), (0,), "
      "(0,)), (1, *{v}.shape[1:]))"),
     lambda s, d: (2, *s[1:])),
    ("lax.slice_in_dim({v}, 0, 2, axis={d})", lambda s, d: put(s, d, 2)),
    ("lax.dynamic_slice_in_dim({v}, jnp.argmin({v}.ravel()) % 2, 2, {d})", lambda s, d: put(s, d, 2)),
    ("lax.reduce_max({v}, axes=({d},))", lambda s, d: drop(s, d)),
    ("lax.reduce_and({v} > 0, axes=({d},)) * 1.", lambda s, d: drop(s, d)),
    ("lax.argmin({v}, {d}, 'int32') * 1.", lambda s, d: drop(s, d)),
    ("lax.collapse({v}, 0)", lambda s, d: (prod(s),)),
    ("lax.broadcast({v}, (2,))", lambda s, d: (2, *s)),
    ("jnp.concatenate([{v}, {w} * 1j], {d}).real", lambda s, d: put(s, d, 2 * s[d])),
    ("jnp.append({v}, {w}, {d})", lambda s, d: put(s, d, 2 * s[d])),
    ("jnp.kron({v}, jnp.ones((2,) * {v}.ndim))", lambda s, d: tuple([2 * n for n in s])),
    ("jnp.vstack([{v}[0], {v}[1]]) if {v}.ndim < 3 else {v}",
     lambda s, d: (2, *s[1:]) if len(s) == 2 else (2, 1) if len(s) == 1 else s),
    ("jnp.quantile({v}, .5, axis={d})", lambda s, d: drop(s, d)),
    ("jnp.ptp({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jnp.count_nonzero({v} > 0, axis={d}) * 1.", lambda s, d: drop(s, d)),
    ("jnp.trapezoid({v}, axis={d})", lambda s, d: drop(s, d)),
    ("jax.ops.segment_sum({v}, jnp.arange({n0}) // 2, {n0} // 2)", lambda s, d: (s[0] // 2, *s[1:])),
    ("jnp.bincount(jnp.abs({v}.ravel()).astype(int), length=4) * 1.", lambda s, d: (4,)),
    ("jnp.histogram({v}, 4)[0] * 1.", lambda s, d: (4,)),
    ("jax.vmap(lambda u, t: u[t], (0, None))({v}[None], 0)[0]", lambda s, d: s[1:]),
    ("jax.vmap(lambda u: u.reshape(-1))({v}[None])[0]", lambda s, d: (prod(s),)),
    ("jax.vmap(lambda k: jax.random.normal(k, (4,)))(jax.random.split(jax.random.key(0), {n0}))",
     lambda s, d: (s[0], 4)),
    ("lax.scan(lambda c, u: (c, u.sum()), 0., {v})[1]", lambda s, d: s[:1]),
    ("lax.conv({v}[:, None, :], jnp.ones((2, 1, 3)), (1,), 'SAME') if {v}.ndim == 2 else {v}",
     lambda s, d: (s[0], 2, s[1]) if len(s) == 2 else s),
    (("lax.conv_general_dilated({v}, jnp.ones(({v}.shape[1], 1, 3)), (1,), 'SAME', "
      "feature_group_count={v}.shape[1]) if {v}.ndim == 3 else {v}"),
     lambda s, d: s),
    ("lax.batch_matmul({v}, jnp.swapaxes({w}, -1, -2)) if {v}.ndim > 1 else {v}",
     lambda s, d: (*s[:-1], s[-2]) if len(s) > 1 else s),
    ("jnp.jacobian if 0 else jax.jacrev(lambda u: u * 2)({v}.ravel()[:2])", lambda s, d: (2, 2)),
]
# Statements that say how a result is divided: {s} is a spec of the shape of {v}.
STATED = [
    ("jax.reshard({v}, {s})", 6),
    ("jax.sharding.auto_axes(lambda u: jnp.sin(u) * 2, out_sharding={s})({v})", 2),
    ("lax.with_sharding_constraint({v}, {s})", 1),
    ("jax.sharding.auto_axes(lambda u: u[::-1] + u, axes={axes}, out_sharding={s})({v})", 1),
    ("jnp.ones({v}.shape, out_sharding={s}) * {v}", 1),
    ("jnp.zeros({v}.shape, 'int32', out_sharding={s}) + {v}", 1),
    ("lax.broadcasted_iota('float32', {v}.shape, 0, out_sharding={s})", 1),
    ("jnp.full({v}.shape, 2., out_sharding={s})", 1),
    ("jax.random.normal(jax.random.key(0), {v}.shape, out_sharding={s})", 1),
    ("jnp.reshape({v}, {v}.shape, out_sharding={s})", 1),
    ("jax.device_put({v}, {s})", 1),
    ("jax.random.uniform(jax.random.key(0), {v}.shape, out_sharding={s})", 1),
    ("jax.jit(lambda u: u + 1, out_shardings={s})({v})", 1),
    ("jnp.einsum('...i,ij->...j', {v}, jnp.ones(({nl}, {nl})), out_sharding={s})", 2),
    ("jnp.matmul({v}, jnp.ones(({nl}, {nl})), out_sharding={s})", 1),
    ("lax.with_sharding_constraint({v}, NS(m, {s}))", 1),
    ("jax.device_put({v}, NS(m, {s}))", 1),
    ("jax.sharding.explicit_axes(lambda u: note(u) * 2, in_sharding={s})({v})", .7),
    ("{v}.at[jnp.arange({n0})].get(out_sharding={s})", 1),
    ("{v}.at[jnp.arange({n0})].set({v}, out_sharding={s})", 1),
    ("lax.full({v}.shape, 1., sharding=NS(m, {s}))", .5),
    ("lax.broadcast_in_dim({v}, {v}.shape, range({v}.ndim), out_sharding={s})", .5),
    ("jax.nn.one_hot(jnp.arange({n0}), {nl})", .3),
    ("jax.vmap(lambda u: u * 2, spmd_axis_name={one})({v})", 1),
    ("jnp.dot({v}.T, {v}, out_sharding={s2})", 1),
    ("jnp.tensordot({v}, {v}, {v}.ndim, out_sharding=P())", .5),
    ("jnp.einsum('...i,...i->...i', {v}, {w}, out_sharding={s})", 1),
    ("jax.nn.relu(jax.reshard({v}, {s})) + {v}", 1),
    ("jax.vmap(lambda u: jax.reshard(u, P()))({v})", 1),
    ("jax.vmap(lambda u: lax.with_sharding_constraint(u, P()), spmd_axis_name={one})({v})", 1),
    ("jax.vmap(lambda u: u + 1, {d}, {d}, spmd_axis_name={one})({v})", 1),
    ("lax.scan(lambda c, _: (jax.reshard(c * 2, {s}), None), jax.reshard({v}, {s}), None, length=2)[0]", 1),
    ("lax.scan(lambda c, _: (jax.reshard(c * 2, {s}), None), {v}, None, length=2)[0]", .5),
    ("jax.jit(lambda u: u + 1, in_shardings=NS(m, {s}), out_shardings=NS(m, {s}))({v})", 1),
    ("jax.jit(lambda u: jax.reshard(u, {s}) * 2)({v})", 1),
    ("jax.checkpoint(lambda u: jnp.sin(jax.reshard(u, {s})))({v})", 1),
    ("jax.grad(lambda u: jnp.sum(jax.reshard(u, {s}) ** 2))({v})", 1),
    ("jax.random.randint(jax.random.key(0), {v}.shape, 0, 9, out_sharding={s}) * 1.", .5),
    ("jax.random.bernoulli(jax.random.key(0), .5, {v}.shape, out_sharding={s}) * 1.", .5),
    ("jnp.arange({n0}, out_sharding=P()) * 1. * jnp.sum({v})", .2),
    ("jnp.zeros_like({v}, out_sharding={s})", .5),
    ("jnp.asarray({v}, out_sharding={s})", .5),
    ("lax.dot_general({v}, jnp.ones(({nl}, {nl})), ((({v}.ndim - 1,), (0,)), ((), ())), out_sharding={s})", 1),
    ("jax.shard_map(lambda u: u * 2, in_specs={s}, out_specs={s})({v})", 1),
    ("jax.shard_map(lambda u: vjp_rule(jvp_rule(u), u), mesh=m, in_specs={s}, out_specs={s})({v})", 1),
    ("jax.shard_map(jax.checkpoint(lambda u: jnp.sin(u) * 2), mesh=m, in_specs={s}, out_specs={s})({v})", .5),
    ("jnp.sort({v}.at[0].set(0), {d}) + jnp.zeros({v}.shape, out_sharding={s})", .5),
]
# How the function of a program is run. {f} is it, {a} are the arguments.
AROUND = ["f({a})"] * 5 + ["jax.jit(f)({a})"] * 6 + [
    "jax.jit(f, out_shardings={o})({a})", "jax.jit(f, in_shardings={i})({a})",
    "jax.jit(f, in_shardings={i}, out_shardings={o})({a})",
    "jax.grad(lambda *s: jnp.sum(f(*s) * .1))({a})", "jax.jit(jax.grad(lambda *s: jnp.sum(f(*s) * .1)))({a})",
    "jax.jit(jax.grad(lambda *s: jnp.sum(f(*s) * .1)))({a})",
    "jax.jit(jax.grad(lambda *s: jnp.sum(jnp.sin(f(*s)))))({a})",
    "jax.jit(jax.value_and_grad(lambda *s: jnp.sum(f(*s) ** 2)))({a})", "jax.eval_shape(f, {a})",
    "jax.jit(jax.vmap(f))({a})",
    "jax.vmap(f)({a})", "jax.jit(jax.vmap(f, spmd_axis_name={one}))({a})", "jax.jvp(f, ({a},), ({a},))",
    "jax.jit(jax.checkpoint(f))({a})",
    "jax.jit(lambda *s: jax.jvp(f, s, s))({a})", "jax.jit(lambda *s: jax.linearize(f, *s)[1](*s))({a})",
    "jax.jit(f, donate_argnums=0)({a})",
    "jax.jit(f).lower({a}).compile()({a})", "jax.jit(jax.vmap(jax.grad(lambda *s: jnp.sum(f(*s)))))({a})",
    "jax.eval_shape(jax.grad(lambda *s: jnp.sum(f(*s))), {a})",
    "jax.jit(jax.vmap(f, in_axes=-1, out_axes=-1))({a})", "jax.eval_shape(jax.vmap(f), {a})",
    "jax.eval_shape(f, {a})", "jax.eval_shape(f, {a})",
]
# Statements inside of `shard_map`: {n} is a mesh axis that is mapped over, {k} its size.
COLLECTIVES = [
    ("lax.psum({v}, {n})", lambda s, k: s),
    ("lax.pmean({v}, {n})", lambda s, k: s),
    ("lax.pmax({v}, {n})", lambda s, k: s),
    ("lax.psum({v} * 2, {ns})", lambda s, k: s),
    ("lax.all_gather({v}, {n})", lambda s, k: (k, *s)),
    ("lax.pmin({v}, {n})", lambda s, k: s),
    ("lax.all_gather({v}, {n}, tiled=True)", lambda s, k: (k * s[0], *s[1:])),
    ("lax.psum_scatter({v}, {n}, tiled=True)", "scatter"),
    ("lax.all_gather({v}, {n}, axis=0, tiled=True, to='reduced')", lambda s, k: (k * s[0], *s[1:])),
    ("lax.ppermute({v}, {n}, [(i, (i + 1) % {k}) for i in range({k})])", lambda s, k: s),
    ("lax.all_to_all({v}, {n}, 0, 0, tiled=True)", "divides"),
    ("{v} + lax.axis_index({n})", lambda s, k: s),
    ("lax.axis_size({n}) * {v}", lambda s, k: s),
    ("{v} * jnp.float32(lax.axis_index({n}) + 1)", lambda s, k: s),
    ("lax.pcast({v}, {n}, to='varying')", lambda s, k: s),
    ("lax.psum(1, {n}) * {v}", lambda s, k: s),
    ("jax.grad(lambda u: jnp.sum(lax.psum(u * u, {n})))({v})", lambda s, k: s),
    ("lax.psum(jnp.sum({v}), {n}) + {v}", lambda s, k: s),
    (("lax.scan(lambda c, _: (lax.ppermute(c, {n}, [(i, (i + 1) % {k}) for i in range({k})]), None), {v}, None, "
      "length=2)[0]"),
     lambda s, k: s),
    ("lax.fori_loop(0, 2, lambda i, c: c + lax.psum(c, {n}), {v})", lambda s, k: s),
    ("lax.pbroadcast({v}, {n}, 0)", lambda s, k: s),
    ("jax.vmap(lambda u: lax.psum(u, {n}))({v})", lambda s, k: s),
    ("lax.cond(lax.axis_index({n}) > 0, jnp.sin, jnp.cos, {v})", lambda s, k: s),
    ("jax.jit(lambda u: lax.psum(u, {n}))({v})", lambda s, k: s),
    ("jax.checkpoint(lambda u: jnp.sin(lax.psum(u, {n})))({v})", lambda s, k: s),
    ("lax.pcast({v}, {n}, to='reduced')", lambda s, k: s),
    ("lax.pcast({v}, {n}, to='unreduced')", lambda s, k: s),
    ("lax.pshuffle({v}, {n}, list(range({k})))", lambda s, k: s),
    ("lax.all_gather({v}, {n}, axis={v}.ndim - 1, tiled=True)", "gathered last"),
    ("lax.psum({{'u': {v}}}, {n})['u']", lambda s, k: s),
]


def drop(s, d):
    """Return the shape without axis `d`."""
    return (*s[:d], *s[d + 1 :])


def put(s, d, n):
    """Return the shape with `n` as length of axis `d`."""
    d %= len(s)
    return (*s[:d], n, *s[d + 1 :])


def swap(s, d):
    """Return the shape with the first axis and axis `d` in each other's place."""
    s = list(s)
    s[0], s[d] = s[d], s[0]
    return tuple(s)


# ---- making programs -----------------------------------------------------------------------------------


class Maker:
    """Makes the text of one program, by a seed."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.sizes = self.random.choice(MESHES)
        self.names = NAMES[: len(self.sizes)]
        explicit = self.random.random()
        kind = lambda: self.random.choice("EA") if explicit < .3 else "E" if explicit < .8 else "A"
        self.types = "".join([kind() for _ in self.sizes])
        self.values: list = []  # (name, shape) of what the function has so far
        self.lines: list = []

    def program(self) -> str:
        kind = self.random.random()
        if kind < .42:
            return self.whole()
        if kind < .66:
            return self.mapped()
        return (placements.unreduced if kind < .76 else placements.placed if kind < .9 else placements.nested)(self)

    def shape(self) -> tuple:
        return tuple([self.random.choice([4, 8, 8, 16]) for _ in range(self.random.choice([1, 2, 2, 2, 3]))])

    def spec(self, shape, often: float = .5, names=None, sizes=None) -> str:
        """The text of a spec that mostly fits."""
        pick, free = self.random.random, list(self.names if names is None else names)
        self.random.shuffle(free)
        entries = []
        for n in shape:
            entry, parts = [], 1
            while free and pick() < (often if not entry else .15):
                k = self.sizes[self.names.index(free[0])]
                if n % (parts * k) and pick() < .97:
                    break
                parts *= k
                entry.append(free.pop(0))
            entries.append("None" if not entry else repr(entry[0]) if len(entry) == 1 else repr(tuple(entry)))
        if pick() < .25:
            while entries and entries[-1] == "None":
                entries.pop()
        return f"P({', '.join(entries)})"

    def arguments(self, shapes, specs=(None, None)) -> list[str]:
        lines = [f"m = mesh({self.sizes}, {self.names!r}, {self.types!r})"]
        for name, shape, spec in zip("ab", shapes, specs):
            kind = self.random.random()
            same = spec is not None and self.random.random() < .9
            where = f"NS(m, {spec if same else self.spec(shape)})" if kind < .85 else "None"
            lines.append(f"{name} = arg({name!r}, {shape}, {where})")
        return lines

    def statement(self, collectives=()) -> None:
        """Add a line that makes one more value."""
        pick = self.random.random
        v, shape = self.values[-1] if pick() < .75 else self.random.choice(self.values)
        if not shape or prod(shape) > 1024 or 0 in shape:
            v, shape = self.values[0]
        others = [name for name, s in self.values if s == shape]
        w = self.random.choice(others)
        d = self.random.randrange(len(shape))
        kind, found = pick(), None
        if collectives and kind < .4:
            n = self.random.choice(collectives)
            k = self.sizes[self.names.index(n)]
            text, found = self.random.choice(COLLECTIVES)
            if isinstance(found, str):
                found = {"scatter": (lambda s, k: (s[0] // k, *s[1:])) if shape[0] % k == 0 and shape[0] > k else None,
                         "divides": (lambda s, k: s) if shape[0] % k == 0 else None,
                         "gathered last": lambda s, k: put(s, -1, k * s[-1])}[found]
                if found is None:
                    return self.statement(collectives)
            text = text.replace("{ns}", repr(tuple(collectives))).replace("{n}", repr(n)).replace("{k}", str(k))
            new = found(shape, k)
        elif kind < .55:
            text, new = self.random.choice(SAME), shape
            if "concatenate" in text:
                new = put(shape, d, 2 * shape[d])
            if "split" in text:
                new = put(shape, d, shape[d] // 2)
                if shape[d] % 2:
                    return self.statement(collectives)
        elif kind < (1 if collectives else .85):
            text, found = self.random.choice(OTHER)
            new = self.other(found, shape, d)
            if new is None or (not shape[-1] % 2 == 0 and "// 2" in text) or any(n < 2 for n in shape) and "2" in text:
                return self.statement(collectives)
        else:
            texts, weights = zip(*STATED)
            text, new = self.random.choices(texts, weights)[0], shape
            if "arange({n0}, out_sharding" in text:
                new = shape[:1]
            if "{v}.T" in text:
                new = (shape[-1],) * 2
                if len(shape) != 2:
                    return self.statement(collectives)
            if "tensordot" in text:
                new = ()
            if "one_hot" in text:
                new = (shape[0], shape[-1])
            text = text.replace("{s2}", self.spec(new)).replace("{s}", self.spec(new if new else shape))
        if "{t}" in text:
            other = f"jnp.swapaxes({w}, -1, -2)" if len(shape) > 1 else w
            text = text.replace("{t}", self.random.choice([f"jnp.ones(({shape[-1]}, 4))", other]))
            new = (*shape[:-1], 4) if "ones" in text else (*shape[:-1], shape[-2]) if len(shape) > 1 else ()
            if "dot(" in text and len(shape) > 2 and "ones" not in text:
                return self.statement(collectives)
        name = f"v{len(self.lines)}"
        axes, one = [repr(self.random.choice(self.names)) for _ in range(2)]
        text = text.format(v=v, w=w, d=d, n0=shape[0], n1=shape[-1], nl=shape[-1], axes=axes, one=one)
        line = f"{name} = {text}"
        if pick() < .5:
            line += f"; note({name})"
        self.lines.append(line)
        self.values.append((name, new))

    @staticmethod
    def other(found, shape, d):
        """The shape of the result of a row of `OTHER`; None if the operand does not suit."""
        if callable(found):
            return found(shape, d)
        if found == "product":
            return shape
        if found == "mapped product":
            return (shape[0], *shape[1:-1], shape[-2]) if len(shape) > 2 else shape
        if len(shape) < 2:
            return None
        if found == "gram":
            return (*shape[:-1], shape[-2])
        if found == "det":
            return shape[:-2]
        return shape if found == "matrix" else (*shape[2:], min(shape[:2]))

    def whole(self) -> str:
        """A program of whole arrays."""
        count = self.random.choice([1, 1, 2])
        first = self.shape()
        shapes = [first] * count
        lines = self.arguments(shapes)
        self.values = list(zip("ab", shapes))
        around = self.random.choice(AROUND)
        if "vmap" in around:
            self.values = [(name, s[:-1] if "in_axes=-1" in around else s[1:]) for name, s in self.values]
            if not self.values[0][1]:
                around = "jax.jit(f)({a})"
                self.values = list(zip("ab", shapes))
        for _ in range(self.random.choice([1, 1, 2, 2, 3])):
            self.statement()
        names = ", ".join("ab"[:count])
        body = "\n".join([f"    {line}" for line in self.lines])
        last, shape = self.values[-1]
        ins = f"({''.join([f'NS(m, {self.spec(first)}), ' for _ in range(count)])})"
        run = around.replace("{a}", names).replace("{i}", ins).replace("{o}", f"NS(m, {self.spec(shape)})")
        run = run.replace("{one}", repr(self.random.choice(self.names)))
        call = f"out = {run}"
        if self.random.random() < .75:
            call = f"with jax.set_mesh(m): {call}"
        return "\n".join([*lines, f"def f({names}):", body, f"    return {last}", call])

    def mapped(self) -> str:
        """A program of `shard_map`."""
        count = self.random.choice([1, 1, 2])
        shape = self.shape()
        some = lambda: self.random.sample(self.names, self.random.randint(1, len(self.names)))
        over = list(self.names) if self.random.random() < .7 else some()
        spec = self.spec(shape, .8, over)
        specs = [spec] + [spec if self.random.random() < .8 else self.spec(shape, .5, over)] * (count - 1)
        lines = self.arguments([shape] * count, specs)
        sizes = dict(zip(self.names, self.sizes))
        entries = [eval(s, {"P": lambda *e: e}) for s in specs]
        parts = lambda e: prod([sizes[m] for m in e or ()])
        local = [tuple([n // parts(e) for n, e in zip(shape, (*spec, *[None] * len(shape)))]) for spec in entries]
        self.values = list(zip("ab", local))
        if count == 2 and local[0] != local[1]:
            self.values = self.values[:1]
        for _ in range(self.random.choice([1, 2, 2, 3])):
            self.statement(over)
        last, result = self.values[-1]
        names = ", ".join("ab"[:count])
        body = "\n".join([f"    {line}" for line in self.lines])
        out = spec if self.random.random() < .5 else self.spec([8] * len(result), .5, over)
        if len(eval(out, {"P": lambda *e: e})) > len(result):
            out = f"P({tuple(over)!r})" if result else "P()"
        if self.random.random() < .3 and result:
            out = f"P({tuple(over)!r})"
        extra = f", axis_names={set(over)!r}" if len(over) < len(self.names) else ""
        extra = re.sub(r"\{(.*)\}", lambda g: "{" + ", ".join(sorted(g[1].split(", "))) + "}", extra)
        if self.random.random() < .3:
            extra += ", check_vma=False"
        given = f"in_specs=({', '.join(specs)},), " if self.random.random() < .9 else ""
        g = f"jax.shard_map(f, mesh=m, {given}out_specs={out}{extra})"
        run = self.random.choice([
            f"{g}({names})", f"jax.jit({g})({names})", f"jax.jit({g})({names})", f"jax.jit({g})({names})",
            f"jax.jit(jax.grad(lambda *s: jnp.sum({g}(*s) * .1)))({names})",
            f"jax.grad(lambda *s: jnp.sum({g}(*s) * .1))({names})",
            f"jax.eval_shape({g}, {names})", f"jax.jit(lambda *s: jax.jvp({g}, s, s))({names})",
            f"jax.jit(jax.vmap({g}))({', '.join([f'jnp.stack([{n}, {n}])' for n in names.split(', ')])})",
            f"jax.jit(jax.checkpoint({g}))({names})",
        ])
        call = f"out = {run}"
        if self.random.random() < .6:
            call = f"with jax.set_mesh(m): {call}"
        return "\n".join([*lines, f"def f({names}):", body, f"    return {last}", call])


def programs(seed: int, count: int) -> list[str]:
    """Return the texts of different programs."""
    found: dict[str, None] = {}
    number = seed * 1_000_000
    while len(found) < count:
        number += 1
        found[Maker(number).program()] = None
    return list(found)


# ---- running them --------------------------------------------------------------------------------------


@functools.cache
def library(name: str):
    """Return the library, with 8 devices."""
    flags = os.environ.get("XLA_FLAGS", "")
    if "device_count" not in flags:
        flags += " --xla_force_host_platform_device_count=8"
    if name == "jax":  # it compiles for most of the time
        flags += " --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    os.environ["XLA_FLAGS"] = flags
    root = importlib.import_module(name)
    importlib.import_module(f"{name}.numpy")
    return root


def names_of(root, notes: list) -> dict:
    """Return the names that texts use."""
    jnp, layout = root.numpy, importlib.import_module(f"{root.__name__}.experimental.layout")

    def mesh(sizes, names, types, back=False):
        kinds = root.sharding.AxisType
        devices = np.array(root.devices()[: prod(sizes)][:: -1 if back else 1]).reshape(sizes)
        given = tuple([kinds.Explicit if t == "E" else kinds.Auto for t in types])
        return root.sharding.Mesh(devices, tuple(names), axis_types=given)

    def arg(name, shape, where):
        n = prod(shape)
        data = (np.cos(np.arange(n) * (1.7 if name == "a" else 2.3)) * 1.5).reshape(shape).astype("float32")
        return jnp.asarray(data) if where is None else root.device_put(data, where)

    def note(x):
        notes.append(str(root.typeof(x)))
        return x

    def tell(*what):
        notes.extend([_shown(w) for w in what])

    def tell_stages(jitted, *args):
        traced = jitted.trace(*args)
        lowered = traced.lower()
        compiled = lowered.compile()
        tell(traced.out_info, lowered.args_info, lowered.out_info, compiled.in_avals, compiled.args_info,
             compiled.out_info, lowered.donate_argnums, lowered.in_tree, lowered.out_tree, compiled.input_shardings,
             compiled.output_shardings, compiled.input_formats, compiled.output_formats, traced.fun_name)
        return 0. if any([isinstance(a, root.ShapeDtypeStruct) for a in args]) else compiled(*args)

    def gram(x):
        return x @ jnp.swapaxes(x, -1, -2) * .1 + 4 * jnp.eye(x.shape[-2])

    def convolved(x):
        return root.lax.conv_general_dilated(x[:, None], jnp.ones((1, 1, 3)), (1,), "SAME")[:, 0] if x.ndim == 2 else x

    @root.custom_jvp
    def jvp_rule(x):
        return x * 2
    jvp_rule.defjvp(lambda p, t: (jvp_rule(*p), 3 * t[0]))

    @root.custom_vjp
    def vjp_rule(x, y):
        return x * y
    vjp_rule.defvjp(lambda x, y: (x * y, (x, y)), lambda r, ct: (r[1] * ct, r[0] * ct))
    return {"jax": root, "jnp": jnp, "lax": root.lax, "np": np, "P": root.sharding.PartitionSpec,
            "NS": root.sharding.NamedSharding, "mesh": mesh, "arg": arg, "note": note, "gram": gram,
            "convolved": convolved, "jvp_rule": jvp_rule, "vjp_rule": vjp_rule,
            "tell": tell, "tell_stages": tell_stages,
            "SD": root.sharding.SingleDeviceSharding, "Format": layout.Format, "Layout": layout.Layout,
            "UNSPECIFIED": importlib.import_module(UNSPECIFIED[root.__name__]).UNSPECIFIED,
            "gone": lambda x: x.is_deleted(), "sds": lambda x, s: root.ShapeDtypeStruct(x.shape, x.dtype, sharding=s)}


def _shown(what) -> str:
    """Return the text of an object, without the names of classes and numbers in which libraries may differ."""
    text = str(what).replace("adjoint", "jax").replace("CpuDevice(id=", "TFRT_CPU_")
    return re.sub(r"TFRT_CPU_(\d+)\)", r"TFRT_CPU_\1", text)


def answer(root, text: str):
    """Return the types of the values inside, and [type, weak type, sharding, numbers] of each result, or the error."""
    notes: list = []
    names = names_of(root, notes)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(text, names)
            return {"notes": notes, "out": [_leaf(root, x) for x in root.tree.leaves(names["out"])]}
    except Exception as error:
        return {"notes": notes, "error": [c.__name__ for c in type(error).__mro__[:-2]], "text": str(error)[:240]}


def _leaf(root, x):
    if not hasattr(x, "addressable_shards"):  # a type
        sharding = getattr(x, "sharding", None)
        spec = "" if sharding is None else str(getattr(sharding, "spec", ""))
        return [str(x.dtype), list(x.shape), bool(getattr(x, "weak_type", False)), spec, [], ""]
    spec = str(x.sharding.spec) if hasattr(x.sharding, "spec") else type(x.sharding).__name__
    numbers = np.asarray(x).astype("float64").ravel().tolist()
    digits = [float(f"{n:.5g}") for n in numbers[:64]]
    devices = x.sharding.mesh.devices.flat if spec[:1] == "P" else x.devices()
    where = f"{x.committed} {x.sharding.memory_kind} {[d.id for d in devices]}"
    return [str(root.typeof(x)), list(x.shape), bool(x.weak_type), spec, digits, where]


if __name__ == "__main__":
    run_command(SAMPLE, "/tmp/meshes/answers.json.xz", programs, library, answer, difference, 25, 500)

"""Programs about where arrays are, for `meshes.py`: what is put where, and what the stages of `jit` say of it.

Three families: values that are unreduced or reduced over explicit axes, trees of arrays that are put on devices and go
through `jit` with shardings, and `shard_map` in `shard_map`. Each is a function of the maker of one program, which
has its random numbers, its mesh and its specs.
"""

from __future__ import annotations

__all__ = ["nested", "placed", "unreduced"]

# Statements on an unreduced value {u} of the shape (8, 8), whose results are of any shape; {w} is another.
ON_UNREDUCED = [
    "{u} + {w}", "{u} - {w}", "{u} * 2", "-{u}", "{u} / 2", "{u}.T", "{u}.reshape(-1)", "{u}[0]", "{u}[:4]",
    "{u}[..., 1]", "jnp.sum({u}, 0)", "jnp.sum({u}, 1)", "jnp.sum({u})", "jnp.stack([{u}, {w}])",
    "jnp.concatenate([{u}, {w}], 1)", "jax.jit(lambda q: q + q)({u})", "jax.vmap(lambda q: q + q)({u})",
    "jax.checkpoint(lambda q: q * 3)({u})", "lax.scan(lambda c, _: (c + c, None), {u}, None, length=2)[0]",
    "lax.scan(lambda c, q: (c, q + q), 0., {u})[1]", "lax.cond(True, lambda q: q * 2, lambda q: q, {u})",
    "lax.optimization_barrier({u})", "jnp.sin({u})", "{u} * {u}", "jnp.max({u})", "{u}.astype('bfloat16')",
    "jnp.broadcast_to({u}, (2, *{u}.shape))", "jnp.squeeze({u}[None])", "lax.fori_loop(0, 2, lambda i, c: c + c, {u})",
    "jnp.where(jnp.ones({u}.shape, bool), {u}, {w})", "{u} + 1", "jnp.real({u})", "jnp.copy({u})", "lax.add({u}, {w})",
    "lax.mul({u}, 2.)", "jnp.add({u}, a)", "{u} * a", "{u} @ a",
    "lax.reduce_sum_p.bind({u}, axes=(0,), out_sharding=None)", "jnp.swapaxes({u}, 0, 1)", "jnp.expand_dims({u}, 0)",
    "lax.slice({u}, (0,) * {u}.ndim, {u}.shape)", "lax.dynamic_slice({u}, (0, 0), (4, 8))", "jnp.zeros_like({u})",
    "jax.tree.map(lambda q: q + q, [{u}])[0]", "lax.stop_gradient({u})", "jvp_rule({u})",
    "jax.jvp(lambda q: q * 2, ({u},), ({w},))[1]", "jax.vjp(lambda q: q * 2, {u})[1]({u})[0]", "jax.reshard({u}, P())",
    "jax.reshard({u}, P({n!r}))", "jax.reshard({u}, P(None, {n!r}))", "jax.reshard({u}, P(unreduced={{{n!r}}}))",
    "jnp.cumsum({u}, 0)", "jnp.flip({u}, 0)", "jnp.pad({u}, 1)", "abs({u})", "{u} ** 2",
]
ON_REDUCED = [
    "{u} * 2", "-{u}", "{u} + {w}", "{u} * {w}", "{u} * a", "{u} @ a", "a @ {u}", "jnp.sin({u})", "{u}.T",
    "{u}.reshape(-1)", "{u}[0]", "{u}[:4]", "jnp.sum({u}, 0)", "jnp.sum({u})", "jnp.stack([{u}, {w}])",
    "jnp.where({u} > 0, {u}, {w})", "{u} + 1", "jax.vmap(lambda q: q * 2)({u})",
    "lax.scan(lambda c, _: (c * 2, None), {u}, None, length=2)[0]", "{u}.astype('bfloat16')", "jax.reshard({u}, P())",
    "jax.reshard({u}, P({n!r}))", "jnp.concatenate([{u}, {w}], 0)", "jnp.max({u}, 0)", "jnp.exp({u})",
    "jax.checkpoint(lambda q: jnp.sin(q))({u})", "jax.jit(lambda q: q * q)({u})",
    "jnp.broadcast_to({u}, (2, *{u}.shape))", "jnp.einsum('ij,kj->ik', {u}, a)", "jnp.einsum('ij,jk->ik', {u}, a)",
    "jnp.einsum('ij,ij->', {u}, a)", "a[:, :8] + {u}", "vjp_rule({u}, {w})", "jax.grad(lambda q: jnp.sum(q * q))({u})",
    "jax.grad(lambda q: jnp.sum(q * a))({u})", "jax.grad(lambda q: jnp.sum(jnp.sin(q @ a)))({u})",
]


def unreduced(make) -> str:
    """A program of values that are unreduced or reduced over an axis."""
    pick = make.random.choice
    make.types = "E" * len(make.sizes)
    n = pick(make.names)
    others = [o for o in make.names if o != n]
    first = pick(["None", *map(repr, others)])
    lines = [f"m = mesh({make.sizes}, {make.names!r}, {make.types!r})"]
    body = []
    if make.random.random() < .6:
        lines += [f"a = arg('a', (8, 8), NS(m, P({first}, {n!r})))", f"b = arg('b', (8, 8), NS(m, P({n!r}, None)))"]
        body.append(f"u = jnp.matmul(a, b, out_sharding=P({first}, None, unreduced={{{n!r}}})); note(u)")
        rows = ON_UNREDUCED
    else:
        lines += [f"a = arg('a', (8, 8), NS(m, {make.spec((8, 8))}))", f"b = arg('b', (8, 8), NS(m, P({first}, None)))"]
        body.append(f"u = jax.reshard(b, P({first}, None, reduced={{{n!r}}})); note(u)")
        rows = ON_REDUCED
    names = ["u"]
    for i in range(pick([1, 1, 2, 2, 3])):
        u = names[-1] if make.random.random() < .8 else "u"
        body.append(f"v{i} = {pick(rows).format(u=u, w=u, n=pick(make.names))}; note(v{i})")
        names.append(f"v{i}")
    last = names[-1]
    end = pick(["", "", "", f"jax.reshard({last}, P())"])
    run = pick([
        "f(a, b)", "jax.jit(f)(a, b)", "jax.jit(f)(a, b)", "jax.eval_shape(f, a, b)", "jax.eval_shape(f, a, b)",
        "jax.jit(jax.grad(lambda *s: jnp.sum(jax.reshard(f(*s), P()) * .1), (0, 1)))(a, b)",
        "jax.grad(lambda *s: jnp.sum(jax.reshard(f(*s), P()) * .1), (0, 1))(a, b)",
        "jax.jit(jax.grad(lambda *s: jnp.sum(f(*s) * .1), (0, 1)))(a, b)",
        "jax.jit(lambda *s: jax.jvp(f, s, s))(a, b)",
        "jax.eval_shape(jax.vmap(f), jnp.stack([a, a]), jnp.stack([b, b]))",
        "jax.jit(f)(a, b).sharding.spec.unreduced and 0.", "jax.vjp(f, a, b)[1](f(a, b))",
    ])
    lines += ["def f(a, b):", *[f"    {line}" for line in body], f"    return {end or last}"]
    return "\n".join([*lines, f"with jax.set_mesh(m): out = {run}"])


# What is put where: {s} is a sharding, {t} another, {d} a device.
PUT = [
    "jax.device_put(x, {s})", "jax.device_put(x, {d})", "jax.device_put({{'p': x, 'q': (y, 1.)}}, {s})",
    "jax.device_put({{'p': x, 'q': (x, y)}}, {{'p': {s}, 'q': {t}}})", "jax.device_put((x, y), ({s}, None))",
    "jax.device_put((x, y), ({s}, {d}))", "jax.device_put([x, y], {s}, donate=True)",
    "jax.device_put(x, {s}, may_alias=False)", "jax.device_put((x, y), {s}, src=(x.sharding, y.sharding))",
    "jax.device_put(x, {s}.with_memory_kind('pinned_host'))",
    "jax.device_put(x, {s}.with_memory_kind('unpinned_host'))", "jax.device_put(x, {s}.with_memory_kind('device'))",
    "jax.device_put(x, jax.memory.Space.Host)", "jax.device_put(x, jax.memory.Space.Device)",
    "jax.device_put(x, Format(Layout((1, 0)), {s}))", "jax.device_put(x, Format(Layout((0, 1)), {s}))",
    "jax.device_put(x, x.format)", "jax.device_put(x, y.sharding)", "jax.device_put(np.asarray(x), {s})",
    "jax.device_put(x, P({n!r}))", "jax.device_put((x, y), [{s}, {t}])", "jax.device_put((x, y), ({s},))",
    "jax.device_put(x, {s}).at[0].set(1)", "jax.device_put(x, {s})[0]", "jax.device_put(x, {s})[:2]",
    "jax.device_put(x, {s}).T", "jax.device_put(x, {s}).copy()", "jnp.zeros_like(jax.device_put(x, {s}))",
    "jnp.full_like(x, 2., device={s})", "jnp.ones_like(jax.device_put(x, {s}), shape=(4,))",
    "jnp.asarray(x, device={s})", "jnp.array(x, device={s})", "jnp.zeros((8, 8), device={s})",
    "jnp.arange(8, device={s})", "jnp.full((8, 8), x[0, 0], device={s})", "jnp.eye(8, device={s})",
    "jnp.ones((8, 8), device={d})", "jnp.linspace(0, 1, 8, device={s})", "jnp.empty((8, 8), device={s})",
    "x.to_device({s})", "x.to_device({d})", "jnp.copy(jax.device_put(x, {s}))",
    "jax.make_array_from_callback((8, 8), {s}, lambda i: np.asarray(x)[i])",
    "jax.make_array_from_callback((8, 8), {s}, lambda i: np.zeros((3, 3)))",
    "jax.make_array_from_callback((8, 8), {s}, lambda i: np.asarray(x)[i], dtype='bfloat16')",
    "jax.make_array_from_process_local_data({s}, np.asarray(x))",
    "jax.make_array_from_process_local_data({s}, np.asarray(x), (8, 8))",
    "jax.make_array_from_process_local_data({s}, {{'u': np.asarray(x)}})",
    "jax.make_array_from_process_local_data({s}, np.asarray(x), (16, 8))",
    ("jax.make_array_from_single_device_arrays((8, 8), {s}, [s.data for s in jax.device_put(x, "
     "{s}).addressable_shards])"),
    "jax.make_array_from_single_device_arrays((8, 8), {s}, [x])",
    ("jax.make_array_from_single_device_arrays((8, 8), {s}, [s.data for s in jax.device_put(x, "
     "{t}).addressable_shards])"),
    "[s.data for s in x.addressable_shards]", "[x.addressable_data(0), x.addressable_data(-1)]",
    "[tell(s.index, s.replica_id, s.device.id) for s in jax.device_put(x, {s}).addressable_shards] and 0.",
    "jnp.stack([x, jax.device_put(x, {s})])", "jax.device_put(x, {s}) + jax.device_put(y, {t})",
    "jax.device_put(x, {s}) @ y", "jax.device_put(x, {s}) + 1", "jnp.sum(jax.device_put(x, {s}), 0)",
    "jax.device_put(x, {s}) + np.ones(8, 'float32')", "jax.device_put(x, {s}).reshape(-1)",
    "jax.device_put(x, {s}).astype(int)", "lax.full_like(jax.device_put(x, {s}), 1)", "jax.device_put(x[0, 0], {s})",
    "jax.device_put(jax.random.key(0), {s})",
    "jax.device_put(jax.random.split(jax.random.key(0), 8), {s}).shape and 0.",
    "jax.block_until_ready(jax.device_put(x, {s}))", "tell({s}.devices_indices_map((8, 8))) or 0.",
    "tell({s}.shard_shape((8, 8))) or 0.",
    "tell({s}.is_equivalent_to({t}, 2), {s} == {t}, {s}.is_fully_replicated) or 0.", "tell({s}) or 0.",
    "tell(x.sharding, x.format, x.committed, x.is_fully_addressable, x.is_fully_replicated) or 0.",
    "tell(jax.device_put(x, {s}).format) or 0.",
]
# What `jit` is told of where arguments and results are.
JITTED = [
    "jax.jit(f, in_shardings={i}, out_shardings={o})(x, y)", "jax.jit(f, in_shardings={i})(x, y)",
    "jax.jit(f, out_shardings={o})(x, y)", "jax.jit(f, out_shardings={o})(x, y)",
    "jax.jit(f, in_shardings={i}, donate_argnums=0)(x, y)",
    "jax.jit(f, out_shardings={o}, donate_argnums=(0, 1))(x, y)",
    "jax.jit(f, in_shardings={i}, out_shardings={o}).lower(x, y).compile()(x, y)",
    "tell_stages(jax.jit(f, in_shardings={i}, out_shardings={o}), x, y)",
    "tell_stages(jax.jit(f, out_shardings={o}), x, y)", "tell_stages(jax.jit(f), sds(x, {s}), sds(y, {t}))",
    "tell_stages(jax.jit(f, donate_argnums=1), x, y)", "jax.jit(f).lower(sds(x, {s}), y).compile()(x, y)",
    "jax.eval_shape(jax.jit(f, out_shardings={o}), x, y)",
    "jax.jit(f).lower(x, y).compile()(jax.device_put(x, {s}), y)",
    "jax.jit(lambda *s: jax.jit(f, out_shardings={o})(*s))(x, y)",
    "jax.jit(lambda *s: jax.jit(f, in_shardings={i})(*s))(x, y)",
    "jax.jit(lambda p, q: f(lax.with_sharding_constraint(p, {s}), q))(x, y)",
    "jax.jit(lambda p, q: lax.with_sharding_constraint(f(p, q), {o}))(x, y)",
    "lax.with_sharding_constraint((x, y), {s})",
    "jax.jit(jax.vmap(lambda p, q: lax.with_sharding_constraint(p + q, {s1})))(x, y)",
    "jax.jit(jax.vmap(lambda p, q: lax.with_sharding_constraint(p + q, {s1}), spmd_axis_name={n!r}))(x, y)",
    "jax.jit(jax.vmap(lambda p: lax.with_sharding_constraint(p, {s})))(jnp.stack([x, y]))",
    "jax.jit(lambda p, q: (jax.device_put(p, {s}), jax.device_put(q, {t})))(x, y)",
    "jax.jit(jax.grad(lambda p, q: jnp.sum(jax.tree.leaves(f(p, q))[0]), (0, 1)), out_shardings=({s}, {t}))(x, y)",
    "jax.jit(f, in_shardings={i}, out_shardings={o}, keep_unused=True)(x, y)",
    "jax.jit(lambda p, q: f(jax.device_put(p, jax.memory.Space.Host), q))(x, y)",
    "jax.jit(lambda p, q: jax.device_put(f(p, q), jax.memory.Space.Host))(x, y)",
    "jax.pjit.pjit(f, in_shardings={i})(x, y) if 0 else jax.jit(f)(x, y)",
    "jax.jit(f)(jax.device_put(x, {s}), jax.device_put(y, {t}))",
    "jax.jit(f)(jax.device_put(x, {d}), jax.device_put(y, {t}))", "jax.jit(f, device={d})(x, y)",
    "jax.jit(f)(np.asarray(x), jax.device_put(y, {t}))", "jax.jit(lambda p, q: (f(p, q), big))(x, y)",
    "jax.jit(lambda q: f(big, q))(y)", "jax.linearize(jax.jit(f, out_shardings={o}), x, y)[0]",
    "jax.jvp(jax.jit(f, out_shardings={o}), (x, y), (x, y))",
    "jax.vmap(jax.jit(f, in_shardings={i}))(jnp.stack([x, x]), jnp.stack([y, y]))",
]
FUNCTIONS = [
    "p + q", "(p, q)", "{'r': p * 2, 's': [q, p]}", "p @ q", "(jnp.sum(p), q)", "(p + 1, None, q)", "p[0]",
    "(p * 2, p.T)", "jnp.ones((8, 8))", "(q, 3.)", "p * 1", "q",
]


def placed(make) -> str:
    """A program about where arrays are."""
    pick = make.random.choice

    def sharding(shape=(8, 8)) -> str:
        chosen = make.random.random()
        spec = make.spec(shape)
        if chosen < .65:
            return f"NS(m, {spec})"
        if chosen < .75:
            return f"SD(jax.devices()[{pick([0, 0, 1, 5])}])"
        if chosen < .82:
            return f"NS(back, {spec})"
        if chosen < .87:
            return f"NS(m, {spec}, memory_kind={pick(['device', 'pinned_host', 'unpinned_host'])!r})"
        if chosen < .92:
            return f"NS(m, {make.spec((8, 8, 8), .9)})"
        return "NS(m, P())"

    def tree(text, depth=0) -> str:
        chosen = make.random.random()
        if chosen < .35:
            return sharding()
        if chosen < .45:
            return "None"
        if chosen < .5:
            return "UNSPECIFIED"
        if chosen < .55 and depth:
            return make.spec((8, 8))
        if text[0] == "(" and text[-1] == ")":
            return f"({tree('p', 1)}, {tree('p', 1)})" if "None" not in text else f"({sharding()}, None, {sharding()})"
        if text[0] == "{":
            return f"{{'r': {tree('p', 1)}, 's': {pick([sharding(), f'[{sharding()}, {sharding()}]'])}}}"
        return sharding()

    mesh = f"{make.sizes}, {make.names!r}, {make.types!r}"
    lines = [f"m = mesh({mesh})", f"back = mesh({mesh}, True)"]
    for name, key in ("x", "a"), ("y", "b"):
        where = f"{sharding()}" if make.random.random() < .6 else "None"
        lines.append(f"{name} = arg({key!r}, (8, 8), {where})")
    function = pick(FUNCTIONS)
    lines.append(f"big = arg('a', (8, 8), {pick(['None', sharding()])})")
    lines.append(f"f = lambda p, q: {function}")
    row = pick(PUT) if make.random.random() < .45 else pick(JITTED)
    ins = pick([sharding(), f"({tree('p', 1)}, {tree('p', 1)})", f"({sharding()}, {sharding()})"])
    run = row.format(
        s=sharding(), t=sharding(), d=f"jax.devices()[{pick([0, 1, 3])}]", n=pick(make.names), i=ins, o=tree(function),
        s1=sharding((8,)))
    inside = make.random.random() < .3
    lines.append(f"with jax.set_mesh(m): out = {run}" if inside else f"out = {run}")
    return "\n".join([*lines, "tell(gone(x), gone(y))"])


INNER = [
    "lax.psum(u, {n})", "u * 2", "lax.all_gather(u, {n}, tiled=True)", "u + lax.axis_index({n})",
    "lax.ppermute(u, {n}, [(0, 0)])", "jnp.sin(lax.psum(u, {n}))", "lax.psum(u, {ns})",
    "lax.psum_scatter(lax.all_gather(u, {n}, tiled=True), {n}, tiled=True)", "lax.pmean(u * c, {n})", "u * c",
    "lax.cond(lax.axis_index({n}) > 0, lambda q: q * 2, lambda q: q, u)",
    "lax.scan(lambda s, q: (s + jnp.sum(q), q), jnp.sum(u[0]) * 0, u)[1]",
    "jax.checkpoint(lambda q: jnp.sin(q) * 2)(u)", "vjp_rule(u, u)", "jvp_rule(u)", "jnp.cumsum(u, 0)",
    "jax.grad(lambda q: jnp.sum(q * q))(u)", "jax.grad(lambda q: jnp.sum(lax.psum(q, {n})))(u)",
    "lax.fori_loop(0, 3, lambda i, q: q * 2, u)", "jax.vmap(lambda q: lax.psum(q, {n}))(u)",
    "lax.while_loop(lambda s: jnp.max(s) < 4., lambda s: s + 1, lax.psum(u, {n}))", "jnp.zeros(u.shape) + u",
    "jax.jit(lambda q: q + 1)(u)", "lax.pcast(jnp.float32(1), {n}, to='varying') * u",
    "jax.random.normal(jax.random.key(1), u.shape) * u", "jax.jvp(lambda q: lax.psum(q * q, {n}), (u,), (u,))[1]",
    "jax.linearize(lambda q: lax.psum(jnp.sin(q), {n}), u)[1](u)",
]


def nested(make) -> str:
    """A program with `shard_map` in `shard_map`, or over some axes."""
    pick = make.random.choice
    if len(make.sizes) == 1:
        make.sizes, make.names, make.types = (2, 4), "xy", pick(["EE", "AA", "EA"])
    n = pick(make.names)
    rest = [o for o in make.names if o != n]
    spec = make.spec((8, 8), .7, make.names)
    over = make.spec((8, 8), .8, [n])
    inner = make.spec((8, 8), .8, rest)
    names = set if make.random.random() < .5 else (lambda s: {s[0]})
    shown = lambda s: "{" + ", ".join(map(repr, sorted(s))) + "}"
    within = names(rest)
    if within != set(rest):
        inner = make.spec((8, 8), .8, list(within))
    k = sorted(within)[0]
    vma = ", check_vma=False" if make.random.random() < .3 else ""
    given = ", mesh=m" if make.random.random() < .15 else ""
    row = lambda n, ns: pick(INNER).replace("{n}", repr(n)).replace("{ns}", repr(ns))
    lines = [f"m = mesh({make.sizes}, {make.names!r}, {make.types!r})", f"a = arg('a', (8, 8), NS(m, {spec}))"]
    lines += ["c = jnp.float32(3)"]
    lines += ["def g(u):", f"    u = {row(k, (k,))}; note(u)", "    return u"]
    out = pick([inner, inner, make.spec((8, 8), .6, list(within)), "P()"])
    lines += ["def f(u):", f"    u = {row(n, (n,))}; note(u)"]
    if make.random.random() < .75:
        specs = f"in_specs={inner}, out_specs={out}, axis_names={shown(within)}"
        lines.append(f"    u = jax.shard_map(g{given}, {specs}{vma})(u); note(u)")
    if make.random.random() < .5:
        lines.append(f"    u = {row(n, (n,))}; note(u)")
    lines.append("    return u")
    outer = pick([over, over, make.spec((8, 8), .6, [n]), "P()"])
    call = f"jax.shard_map(f, mesh=m, in_specs={over}, out_specs={outer}, axis_names={shown({n})}{vma})"
    run = pick([
        f"jax.jit({call})(a)", f"jax.jit({call})(a)", f"jax.eval_shape({call}, a)", f"{call}(a)",
        f"jax.jit(jax.grad(lambda q: jnp.sum({call}(q) * .1)))(a)",
        f"jax.jit(jax.vmap({call}))(jnp.stack([a, a]))", f"jax.jit(lambda q: jax.jvp({call}, (q,), (q,)))(a)",
        f"jax.jit(jax.checkpoint({call}))(a)",
        f"lax.scan(lambda s, _: ({call}(s), None), a, None, length=2)[0]",
        f"jax.jit(jax.vmap({call}, spmd_axis_name={pick(rest)!r}))(jnp.stack([a] * 8))",
    ])
    return "\n".join([*lines, f"with jax.set_mesh(m): out = {run}"])

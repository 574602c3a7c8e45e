"""Random nestings of transformations, run by JAX and by adjoint, and compared.

A program is text: an expression of `a`, the argument, in which functions are transformed, called and closed over in
one another. `HELPERS` are what the texts call beside the library: functions with rules of their own.

    python -m tests.oracle.nestings ask --count 2000 --seed 7     # JAX's answers, kept in a file
    python -m tests.oracle.nestings compare                       # ours beside them; prints what differs
    python -m tests.oracle.nestings keep --count 200              # the sample of test_nestings.py
"""

from __future__ import annotations

import functools
import importlib
import os
import random
import re
import warnings
from pathlib import Path

import numpy as np

from .answers import run_command

SAMPLE = Path(__file__).parent / "nestings.json.xz"

# The arguments of whole programs: what is differentiated, mapped and traced.
ARGUMENTS = {
    "row": [
        "np.array([.3, -.8, 1.2], 'float32')", "jnp.array([.5, .1, -.4])", "np.array([.7, -.2, .4], 'float16')",
        "jnp.array([.25, -.5, 1.5], 'bfloat16')", "jnp.arange(3.) / 4", "np.array([1, -2, 3], 'int32')",
    ],
    "one": [
        ".7", "jnp.asarray(.4)", "np.float32(-.6)", "jnp.bfloat16(.5)", "-.9", "jnp.float32(1.1)", "2", "jnp.int32(3)",
    ],
}

# How a program is run as a whole.
AROUND = ["{f}({a})"] * 3 + [
    "jax.jit({f})({a})", "jax.grad(lambda a: jnp.sum({f}(a)))({a})",
    "jax.jit(jax.grad(lambda a: jnp.sum({f}(a))))({a})",
    "jax.value_and_grad(lambda a: jnp.sum({f}(a)))({a})", "jax.jacfwd({f})({a})", "jax.jacrev({f})({a})",
    "jax.vmap({f})(jnp.stack([{a}, {a}]))", "jax.vmap(jax.grad(lambda a: jnp.sum({f}(a))))(jnp.stack([{a}, {a}]))",
    "jax.jvp({f}, ({a},), (jnp.ones_like({a}),))", "jax.vjp({f}, {a})[0]",
    "jax.hessian(lambda a: jnp.sum({f}(a)))({a})",
    "jax.grad(lambda a: jax.jvp(lambda a: jnp.sum({f}(a)), (a,), (jnp.ones_like(a),))[1])({a})",
    "jax.linearize({f}, {a})[1](jnp.ones_like({a}))", "jax.eval_shape({f}, {a})", "jax.checkpoint({f})({a})",
]

# Calls of a function `f` of a value `x`: of any rank, of a row (f gets its elements), of a single number.
CALLS = {
    "any": [
        "jax.jit({f})({x})", "jax.checkpoint({f})({x})", "jax.grad(lambda t: jnp.sum({f}(t)))({x})",
        "jax.value_and_grad(lambda t: jnp.sum({f}(t)))({x})[1]", "jax.jvp({f}, ({x},), (jnp.ones_like({x}),))[1]",
        "same(jax.linearize, {f}, {x})", "same(jax.vjp, {f}, {x})",
        "lax.scan(lambda c, _: (like(c, {f}(c)), None), {x}, None, length={n})[0]",
        "lax.scan(lambda c, y: (like(c, {f}(c) * y), c), {x}, jnp.array([.5, .25]))[1][0]",
        "lax.scan(lambda c, y: (c, {f}(y)), 0., jnp.stack([{x}, {x}]))[1].sum(0)",
        "lax.while_loop(lambda c: c[0] < {n}, lambda c: (c[0] + 1, like(c[1], {f}(c[1]))), (0, {x}))[1]",
        ("lax.while_loop(lambda c: (jnp.sum(c[1]) < {n}) & (c[0] < 3), lambda c: (c[0] + 1, like(c[1], {f}(c[1]))), "
         "(0, {x}))[1]"),
        "lax.fori_loop(0, {n}, lambda i, c: like(c, {f}(c) * i), {x})",
        "lax.cond(jnp.sum({x}) > .25, {f}, {g}, {x})", "lax.cond({t}, {f}, {g}, {x})",
        "lax.switch({n}, [{f}, {g}, lambda t: t], {x})", "with_jvp({f}, {g})({x})", "with_vjp({f}, {g})({x})",
        "with_vmap({f})({x})", "jax.vmap({f})(jnp.stack([{x}, {x}])).sum(0)", "lax.stop_gradient({f})({x})",
        "jax.jit(lambda d: {f}(d['a']) * d['b'][0])({{'a': {x}, 'b': (2., None)}})",
        "jax.jit(lambda t, h: h({f}(t)), static_argnums=1)({x}, jnp.sin)",
        "jax.vmap(lambda t, s, h: {f}(t) * len(s) + h(t), (0, None, None))(jnp.stack([{x}, {x}]), 'ab', jnp.cos)[1]",
        ("jax.vmap(lambda t, k: {f}(t) * jax.random.uniform(k), (None, 0))({x}, "
         "jax.random.split(jax.random.key({n})))[0]"),
        "({f}({x}) + jax.random.normal(jax.random.fold_in(jax.random.key(1), {n}), jnp.shape({x})))",
        "jax.vmap(lambda t: {f}(t) - lax.psum(t, 'i'), axis_name='i')(jnp.stack([{x}, {x}]))[0]",
        "jax.checkpoint({f}, policy=jax.checkpoint_policies.everything_saveable)({x})",
        "jax.named_call({f}, name='part')({x})", "jax.jit(jax.vmap({f}, in_axes=None, axis_size=2))({x})[0]",
        "(lambda h: h({x}) + h({x}))(jax.jit({f}))", "lax.map({f}, jnp.stack([{x}, {x}]))[1]",
        "jax.closure_convert({f}, {x})[0]({x}, *jax.closure_convert({f}, {x})[1])",
        "jax.tree.reduce(jnp.add, jax.jit(lambda t: {{'u': {f}(t), 'v': [None, {g}(t)]}})({x}))",
        # functions, strings, None and trees as arguments
        "jax.jit(lambda h, t: h(t))(jax.tree_util.Partial({f}), {x})",
        "jax.jit(lambda t, how=None: {f}(t) if how == 'f' else {g}(t), static_argnames='how')({x}, how={s})",
        "jax.checkpoint(lambda t, h: h({f}(t)), static_argnums=1)({x}, jnp.tanh)",
        ("(lambda p: p['w'] * 2 + p['b'][0])(jax.grad(lambda p: jnp.sum({f}(p['w']) * p['b'][0]))"
         "({{'w': {x}, 'b': (.5, None)}}))"),
        ("(lambda r: r[0][1] + r[1]['aux'])(jax.grad(lambda s, t: (jnp.sum({f}(s) * t), {{'aux': {g}(t)}}), (0, 1), "
         "has_aux=True)({x}, {x}))"),
        "jax.value_and_grad(lambda t, h: jnp.sum(h(t)), has_aux=False)({x}, {f})[1]",
        ("jax.vmap(lambda d, k: {f}(d['t']) * d['s'] + (0 if k is None else 1), ({{'t': None, 's': 0}}, None))"
         "({{'t': {x}, 's': jnp.array([1., .5])}}, None)[1]"),
        "jax.vmap({f}, out_axes=-1)(jnp.stack([{x}, {x}]))[..., 0]",
        "given_jvp({f}, {x}, {s})", "given_vjp({f}, {x}, {s})", "tree_jvp({f}, {g}, {x})", "tree_vjp({f}, {g}, {x})",
        "tree_vmap({f}, {g}, {x})", "jax.custom_batching.sequential_vmap({f})({x})", "with_gradient({f}, {g})({x})",
        # keys, traced, mapped and closed over
        "with_key(jax.random.key({n}), lambda k: {f}(jax.random.uniform(k, jnp.shape({x})) + {x}))",
        "jax.jit(lambda k: with_key(k, lambda k: {f}(jax.random.normal(k) * {x})))(jax.random.key({n}))",
        ("lax.scan(lambda c, _: ((jax.random.split(c[0])[0], like(c[1], {f}(c[1] * jax.random.uniform(c[0])))), None), "
         "(jax.random.key({n}), {x}), None, length=2)[0][1]"),
        "jax.vmap(lambda k: {f}({x} + jax.random.uniform(k)))(jax.random.split(jax.random.key({n}), 2)).sum(0)",
        "lax.cond({t}, lambda k: {f}({x}) * jax.random.uniform(k), lambda k: {x} * 1., jax.random.key({n}))",
        "jax.grad(lambda t, k: jnp.sum({f}(t) * jax.random.normal(k, jnp.shape(t))))({x}, jax.random.PRNGKey({n}))",
        # loops
        "lax.scan(lambda c, y: (like(c, {f}(c)), None), {x}, {{'a': jnp.arange(2.), 'b': None}}, reverse=True)[0]",
        "lax.scan(lambda c, i: (like(c, {f}(c) * i), {g}(c)), {x}, jnp.arange(3), unroll=2)[1][-1]",
        "lax.scan(lambda c, h: (like(c, {f}(c) + h), h), {x}, jnp.arange({n}.))[0]",
        ("lax.fori_loop({n}, jnp.int32(2), lambda i, c: {{'u': like(c['u'], {f}(c['u'])), 'v': None}}, "
         "{{'u': {x}, 'v': None}})['u']"),
        "lax.while_loop(lambda c: jnp.sum(jnp.abs(c)) > .5, lambda c: like(c, .4 * jnp.tanh({f}(c))), {x})",
        ("lax.fori_loop(0, {n}, lambda i, c: lax.cond(i > 0, lambda c: like(c, {f}(c)), lambda c: like(c, {g}(c)), c), "
         "{x})"),
        "lax.cond({t}, lambda: {f}({x}), lambda: {g}({x}))", "lax.cond({t}, {f}, {f}, operand={x})",
        "lax.switch(jnp.sum({x}).astype(int), [{f}, {g}], {x})", "lax.select(jnp.array({t}), {f}({x}), {f}({x}))",
        "jax.vmap(lambda i: lax.switch(i, [{f}, {g}, lambda t: t], {x}))(jnp.array([2, 0])).sum(0)",
        ("jax.vmap(lambda t, i: lax.fori_loop(0, i, lambda _, c: like(c, {f}(c)), t), (None, 0))"
         "({x}, jnp.array([0, 2]))[1]"),
        # derivatives
        "jax.jacfwd(lambda t: jnp.sum({f}(t)))({x})", "jax.jacrev(lambda t: jnp.sum({f}(t)))({x})",
        "jax.jvp(jax.grad(lambda t: jnp.sum({f}(t))), ({x},), (jnp.ones_like({x}),))[1]",
        "jax.vjp(lambda t: ({f}(t), {g}(t)), {x})[1]((jnp.ones_like({f}({x})), jnp.zeros_like({g}({x}))))[0]",
        "jax.vjp({f}, {x}, has_aux=False)[0]", "jax.linearize(lambda t: ({f}(t), {g}({x})), {x})[1]({x})[0]",
        "jax.linear_transpose(lambda t: t * {f}({x}), {x})({x} * {f}({x}))[0]",
        "jax.checkpoint(jax.checkpoint({f}), policy=jax.checkpoint_policies.dots_saveable, prevent_cse=False)({x})",
        ("jax.checkpoint(lambda t: {g}(checkpoint_name({f}(t), 'u')), "
         "policy=jax.checkpoint_policies.save_only_these_names('u'))({x})"),
        ("lax.custom_root(lambda r: like(r, r - .5 * jnp.tanh({f}(r)) - {x}), like({x}, {x}) * 1., "
         "lambda h, r: lax.fori_loop(0, 2, lambda _, r: r - h(r), r), lambda h, y: y / h(jnp.ones_like(y)))"),
        ("lax.custom_linear_solve(lambda v: v * (2. + jnp.abs(like({x}, {f}({x})))), {x} * 1., "
         "lambda h, b: b / h(jnp.ones_like(b)), symmetric=True)"),
        # functions from programs
        "jax.core.eval_jaxpr(jax.make_jaxpr({f})({x}).jaxpr, jax.make_jaxpr({f})({x}).consts, {x})[0]",
        "jnp.zeros(jax.eval_shape({f}, {x}).shape, jax.eval_shape({f}, {x}).dtype) + {x}",
        ("jax.pure_callback(lambda t: np.tanh(np.asarray(t, 'float32')), jax.ShapeDtypeStruct(jnp.shape({x}), "
         "jnp.float32), lax.stop_gradient({f}({x}) * 0 + {x}), vmap_method='sequential')"),
        "lax.optimization_barrier({f}({x}))", "lax.platform_dependent({x}, cpu={f}, default={g})",
        "jax.lax.associative_scan(lambda p, q: p * q, jnp.stack([{f}({x}), {x} * 1.]))[-1]",
        # named axes
        "jax.vmap(lambda t: {f}(t) * lax.axis_index('j') + lax.pmean(t, 'j'), axis_name='j')(jnp.stack([{x}, {x}]))[1]",
        "jax.vmap(lambda t: lax.all_gather({f}(t), 'k').sum(0), axis_name='k')(jnp.stack([{x}, {x} * 2]))[0]",
        "jax.vmap(lambda t: lax.ppermute({f}(t), 'k', [(0, 1), (1, 0)]), axis_name='k')(jnp.stack([{x}, {x} * 2]))[1]",
        ("jax.vmap(lambda t: lax.scan(lambda c, _: (like(c, lax.psum({f}(c), 'm')), None), t, None, length=2)[0], "
         "axis_name='m')(jnp.stack([{x}, {x} * .5]))[1]"),
    ],
    "row": [
        "jax.vmap({f})({x})", "lax.map({f}, {x})", "jax.jit(jax.vmap({f}))({x})",
        "lax.scan(lambda c, y: (like(c, c + {f}(y)), {f}(y)), 0., {x})[1]", "jax.vmap(jax.grad({f}))({x})",
        "jax.vmap(lambda t, k: {f}(t) * jax.random.uniform(k))({x}, jax.random.split(jax.random.key({n}), 3))",
        "jax.vmap(with_jvp({f}, {g}))({x})", "jax.vmap(with_vjp({f}, {g}))({x})", "jax.vmap(with_vmap({f}))({x})",
        "jax.vmap(lambda t: lax.cond(t > 0, {f}, {g}, t))({x})",
        ("jax.vmap(lambda t: lax.while_loop(lambda c: (c[0] * t < 2) & (c[0] < 4), "
         "lambda c: (c[0] + 1, like(c[1], {f}(c[1]))), (0, t))[1])({x})"),
        "jnp.vectorize({f})({x})", "lax.associative_scan(jnp.add, jax.vmap({f})({x}))",
        "jax.vmap(lambda t, i: lax.switch(i, [{f}, {g}], t))({x}, jnp.arange(3))",
        "jax.vmap(lambda t: given_jvp({f}, t, {s}))({x})", "jax.vmap(lambda t: tree_vjp({f}, {g}, t))({x})",
        "jax.vmap(lambda t: tree_vmap({f}, {g}, t))({x})", "jax.vmap(jax.checkpoint({f}))({x})",
        "jax.vmap(lambda t: lax.cond({t}, {f}, {g}, t))({x})", "lax.map({f}, {x}, batch_size=2)",
        "jax.vmap(lambda t: lax.fori_loop(0, (t > 0) + 1, lambda i, c: like(c, {f}(c)), t))({x})",
        ("jax.vmap(lambda t: lax.custom_root(lambda r: r - .5 * jnp.tanh(like(r, {f}(r))) - t, t * 1., "
         "lambda h, r: lax.while_loop(lambda r: jnp.abs(h(r)) > .1, lambda r: r - h(r), r), "
         "lambda h, y: y / h(1.)))({x})"),
        "jax.vmap(lambda t: lax.psum({f}(t), 'r') * t, axis_name='r')({x})",
        "jax.hessian(lambda t: jnp.sum(jax.vmap({f})(t)))({x}).sum(0)",
        "jax.jacfwd(jax.vmap({f}))({x}).sum(0)", "jax.vmap({f}, axis_size=3)(jnp.asarray({x}))",
        "lax.reduce(jax.vmap({f})({x}) + jnp.zeros(3), 0., lambda p, q: p + q, (0,)) * {x}",
        "jnp.apply_along_axis(lambda t: jax.vmap({f})(t), 0, {x})",
    ],
}

OPERATIONS = {
    1: ["jnp.sin({})", "jnp.cos({})", "jnp.tanh({})", ".5 * {}", "({} * jnp.float32(.5))", "-{}", "({} + 1)", "abs({})",
        "jnp.sqrt(abs({}) + 1)", "jnp.sum({})", "jnp.exp(-abs({}))", "lax.stop_gradient({})", "({} ** 2)"],
    2: ["({} * {})", "({} + {})", "({} - {})", "jnp.maximum({}, {})", "jnp.where({} > .1, {}, 0.)"],
}


# ---- the helpers that texts call -----------------------------------------------------------------------


def helpers(root):
    """Return the names that texts use."""
    jnp = root.numpy

    def like(c, x):
        return jnp.broadcast_to(jnp.sum(x) if jnp.ndim(x) > jnp.ndim(c) else x, jnp.shape(c)).astype(jnp.result_type(c))

    def with_jvp(f, g):
        h = root.custom_jvp(f)
        h.defjvp(lambda p, t: (f(*p), like(f(*p), g(*p)) * like(f(*p), t[0])))
        return h

    def with_vjp(f, g):
        h = root.custom_vjp(f)
        h.defvjp(lambda x: (f(x), (x, g(x))), lambda r, ct: (like(r[0], r[1]) * like(r[0], ct),))
        return h

    def with_vmap(f):
        h = root.custom_batching.custom_vmap(f)
        h.def_vmap(lambda n, flags, x: (root.vmap(f)(x) if flags[0] else f(x), flags[0]))
        return h

    def given_jvp(f, x, how):
        h = root.custom_jvp(lambda f, how, x: f(x) if how == "f" else x * f(x), nondiff_argnums=(0, 1))
        h.defjvp(lambda f, how, p, t: root.jvp(f if how else lambda x: x * f(x), p, t))
        return h(f, how, x)

    def given_vjp(f, x, how):
        h = root.custom_vjp(lambda f, x, how: f(x) if how == "f" else x * f(x), nondiff_argnums=(0, 2))
        h.defvjp(lambda f, x, how: (f(x) if how == "f" else x * f(x), {"x": x, "none": None}),
                 lambda f, how, r, ct: (like(r["x"], ct) * .5,))
        return h(f, x, how)

    def tree_jvp(f, g, x):
        h = root.custom_jvp(lambda d: (f(d["u"]), [None, g(d["v"])]))
        h.defjvp(lambda p, t: root.jvp(lambda d: (f(d["u"]), [None, g(d["v"])]), p, t))
        return sum(jnp.sum(leaf) for leaf in root.tree.leaves(h({"u": x, "v": x, "w": None}))) * x

    def tree_vjp(f, g, x):
        @root.custom_vjp
        def h(d, none):
            return f(d["u"]), {"a": g(d["v"])}

        h.defvjp(lambda d, none: (h(d, none), d), lambda d, ct: (
            {"u": like(d["u"], ct[0]) * d["v"], "v": None}, none))
        none = None
        u, a = h({"u": x, "v": x}, None)
        return like(x, u) + like(x, a["a"])

    def tree_vmap(f, g, x):
        h = root.custom_batching.custom_vmap(lambda d, s: {"a": f(d["u"]), "b": g(s)})

        @h.def_vmap
        def _(n, flags, d, s):
            axes = root.tree.map(lambda flag: 0 if flag else None, tuple(flags))
            out = root.vmap(lambda d, s: {"a": f(d["u"]), "b": g(s)}, axes, axis_size=n)(d, s)
            return out, {"a": True, "b": True}

        out = h({"u": x}, x)
        return like(x, out["a"]) * like(x, out["b"])

    def with_gradient(f, g):
        return root.custom_gradient(lambda x: (f(x), lambda ct: like(x, ct) * like(x, g(x))))

    def with_key(key, f):
        return f(root.random.split(key, 3)[1])

    def same(derive, f, x):
        out, back = derive(f, x)
        found = back(jnp.ones_like(x if derive is root.linearize else out))
        return found[0] if isinstance(found, tuple) else found

    return {"jax": root, "jnp": jnp, "lax": root.lax, "np": np, "like": like, "same": same,
            "with_jvp": with_jvp, "with_vjp": with_vjp, "with_vmap": with_vmap, "given_jvp": given_jvp,
            "given_vjp": given_vjp, "tree_jvp": tree_jvp, "tree_vjp": tree_vjp, "tree_vmap": tree_vmap,
            "with_gradient": with_gradient, "with_key": with_key,
            "checkpoint_name": root.ad_checkpoint.checkpoint_name}


# ---- making programs -----------------------------------------------------------------------------------


class Maker:
    """Makes texts, by a seed."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.names = 0

    def program(self) -> str:
        rank = self.random.choice(["row", "one"])
        argument = self.random.choice(ARGUMENTS[rank])
        f = self.function(rank, [], self.random.randint(1, 3))
        return self.random.choice(AROUND).format(f=f, a=argument)

    def function(self, rank: str, scope: list, depth: int) -> str:
        """The text of a function of one value of this rank, which may close over the names in scope."""
        name = f"v{self.names}"
        self.names += 1
        return f"(lambda {name}: {self.value(rank, [*scope, (name, rank)], depth)})"

    def value(self, rank: str, scope: list, depth: int) -> str:
        """The text of a value of this rank."""
        pick = self.random.random()
        if pick < .08:
            return self.name(rank, scope)
        if depth <= 0 or pick < .25:
            count = self.random.choice([1, 2])
            inner = self.value if depth > 0 else lambda rank, scope, _: self.name(rank, scope)
            parts = [inner(rank, scope, depth - 1) for _ in range(count)]
            text = self.random.choice(OPERATIONS[count]).format(*parts)
            return f"({text} * {self.name(rank, scope)})" if self.random.random() < .3 else text
        x = self.value(rank, scope, depth - 1) if self.random.random() < .4 else self.name(rank, scope)
        elements = rank == "row" and self.random.random() < .35
        inner = "one" if elements else rank
        call = self.random.choice(CALLS["row" if elements else "any"])
        # JAX's custom rules refuse what they close over when it is differentiated: most close over nothing
        closed = [] if re.search(r"(with|given|tree)_", call) and self.random.random() < .7 else scope
        f, g = (self.function(inner, closed, depth - 1) for _ in range(2))
        word = self.random.choice(["'f'", "'g'", "None"])
        truth = self.random.choice(["True", f"jnp.sum({self.name(rank, scope)}) > 0"])
        return call.format(f=f, g=g if "{g}" in call else "", x=x, n=self.random.randint(0, 2), t=truth, s=word)

    def name(self, rank: str, scope: list) -> str:
        """The text of a value in scope: mostly the last, else one that is closed over."""
        name, own = scope[-1] if self.random.random() < .6 else self.random.choice(scope)
        return f"jnp.sum({name})" if own == "row" and rank == "one" else name


def programs(seed: int, count: int) -> list[str]:
    """Return texts of different programs that are not too long."""
    found: dict[str, None] = {}
    number = seed * 1_000_000
    while len(found) < count:
        number += 1
        text = Maker(number).program()
        if len(text) < 700 and text.count("(lambda") > 1:
            found[text] = None
    return list(found)


# ---- running them --------------------------------------------------------------------------------------


@functools.cache
def library(name: str):
    """Return the library with the modules that texts use."""
    if name == "jax":  # it compiles for most of the time
        os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    root = importlib.import_module(name)
    for module in ("numpy", "custom_batching", "ad_checkpoint"):
        importlib.import_module(f"{name}.{module}")
    return root


def answer(root, text: str):
    """Return [[dtype, weak type, shape, numbers], ...] of the result, or the names of the classes of an error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [_leaf(x) for x in root.tree.leaves(eval(text, helpers(root)))]
    except Exception as error:
        return {"error": [c.__name__ for c in type(error).__mro__[:-2]], "text": str(error)[:160]}


def _leaf(x):
    weak = bool(getattr(x, "weak_type", False))
    if not hasattr(x, "dtype") or isinstance(x, np.generic):
        return [type(x).__name__, weak, [], [float(x)]]
    if not hasattr(x, "sum"):  # a type
        return [str(x.dtype), weak, list(x.shape), []]
    numbers = np.asarray(x).astype("float64").ravel().tolist() if str(x.dtype)[0] != "[" else []
    return [str(x.dtype), weak, list(x.shape), [float(f"{n:.7g}") for n in numbers]]


# Where JAX cannot go on, and why the answer given here is right.
ACCEPTED = {
    "Linearization failed to produce known values": "a function with its own rule for vmap has reverse derivatives",
    "[True]": "a function with its own rule for vmap may close over mapped values",
    "'TypedInt' object has no attribute": "a Python int is an array of one number, also in `checkpoint`",
}

# A class of JAX's that no user can name, and the one that JAX raises for the same mistake outside of loops and `vmap`.
NAMELESS = {"CustomVJPException": "UnexpectedTracerError"}

PRECISION = {"float16": 2e-2, "bfloat16": .1, "float32": 1e-3}


def difference(ours, theirs, text: str = "") -> str:
    """Return what differs, or an empty text."""
    if isinstance(theirs, dict) or isinstance(ours, dict):
        if not isinstance(theirs, dict):
            return f"refuses: {ours['error'][0]}: {ours['text']}"
        if not isinstance(ours, dict):
            if any(theirs["text"].startswith(known) for known in ACCEPTED):
                return ""
            return f"accepts: {theirs['error'][0]}: {theirs['text']}"
        same = NAMELESS.get(theirs["error"][0], theirs["error"][0]) in ours["error"]
        return "" if same else f"error: {ours['error'][0]}: {ours['text']} for {theirs['error'][0]}: {theirs['text']}"
    if len(ours) != len(theirs):
        return f"structure: {len(ours)} leaves for {len(theirs)}"
    loose = max([r for name, r in PRECISION.items() if name in text] + [1e-3])
    for a, b in zip(ours, theirs):
        if a[0] != b[0] or a[2] != b[2]:
            return f"dtype: {a[0]}{a[2]} for {b[0]}{b[2]}"
        x, y = np.array(a[3]), np.array(b[3])
        size = max([abs(n) for n in y if np.isfinite(n)] + [1e-3])
        if not np.allclose(x, y, rtol=loose, atol=loose * size, equal_nan=True):
            return f"value: {a[3]} for {b[3]}"
        if a[1] != b[1]:
            return f"weak: {a[1]} for {b[1]}"
    return ""


if __name__ == "__main__":
    run_command(SAMPLE, "/tmp/nestings/answers.json.xz", programs, library, answer, difference, 25, 200)

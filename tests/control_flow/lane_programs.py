"""Random programs with a loop for `vmap`: `make(seed, m)` gives a function of a count, a number and constants.

The body has numbers and short vectors, branches, and loops of known and unknown length.
"""

from __future__ import annotations

import random

__all__ = ["make", "make_branches"]

_FLOATS = (
    "({a}+{b})*0.5", "({a}-{b})", "jnp.sin({a}*{b})", "jnp.where({a}>{b},{a}*0.5,{b})", "jnp.tanh({a})",
    "jnp.minimum({a},{b})", "jnp.sqrt(jnp.abs({a})+0.1)", "({a}*0.9+0.1)", "jnp.exp(-jnp.abs({a}))",
)
_INTEGERS = (
    "({a}+{b})", "({a}-{b})", "({a}*3)%7", "jnp.where({a}>{b},{a},{b})", "jnp.abs({a})", "jnp.minimum({a},{b})",
    "({a}&{b})", "({a}^1)", "({a}//2)",
)
_CONDITIONS = ("s[0]<k", "s[0]<k", "(s[0]<k)&(jnp.sum(s[2])<50)", "s[0]<jnp.abs(k)%5")
_DTYPES = {"f": "jnp.float32", "i": "jnp.int32"}


def make(seed: int, m):
    """Return `f(k, x, w)` for an integer, a number and two constants; `m` is the module of `numpy` and `lax`."""
    r = random.Random(seed)
    names = [(f"v{i}", r.choice("ffi"), r.choice([(), (), (2,), (3,)])) for i in range(r.randrange(1, 4))]
    lines = ["def f(k, x, w):"]
    for name, kind, shape in names:
        start = "x*0.3" if kind == "f" else "k*2"
        lines.append(f"    {name} = (jnp.zeros({shape}, {_DTYPES[kind]}) + {start}).astype({_DTYPES[kind]})")
    carried = ", ".join([name for name, _, _ in names])
    lines += ["    def body(s):", f"        t, k, {carried} = s"]
    is_deep = r.random() < 0.6
    lines += ["        " + _assignment(r, *v, [*names, ("k", "i", ())], is_deep) for v in names]
    floats = [name for name, kind, _ in names if kind == "f"]
    if floats and r.random() < 0.4:
        lines.append(f"        {floats[0]} = {floats[0]} + w[0] * 0.1")
    lines.append(f"        return t + 1, k, {carried}")
    condition = r.choice(_CONDITIONS)
    lines.append(f"    return lax.while_loop(lambda s: {condition}, body, (0, k, {carried}))")
    scope = {"jnp": m.numpy, "lax": m.lax}
    text = "\n".join(lines)
    exec(text, scope)
    return scope["f"], text


def make_branches(seed: int, m):
    """Return a function like that of `make`, with such loops in two of three branches that the integer chooses from."""
    f, text = make(seed, m)
    least = lambda k, x, w: m.tree.map(lambda v: v * 2, f(k * 0, x, w))
    branches = [f, lambda k, x, w: f(k + 1, x * 0.5, w), least]
    random.Random(seed).shuffle(branches)
    return lambda k, x, w: m.lax.switch(k % 4, branches, k, x, w), text


def _expression(r, variables, depth: int, kind: str) -> str:
    own = [text for text, its_kind in variables if its_kind == kind]
    which = r.randrange(9) if depth else 0
    if which == 0 or not own:
        if own and r.random() < 0.8:
            return r.choice(own)
        return str(round(r.uniform(-2, 2), 2)) if kind == "f" else str(r.randrange(-3, 4))
    a, b = _expression(r, variables, depth - 1, kind), _expression(r, variables, depth - 1, kind)
    return (_FLOATS if kind == "f" else _INTEGERS)[which].format(a=a, b=b)


def _assignment(r, name: str, kind: str, shape: tuple, names, is_deep: bool) -> str:
    read = lambda v, its: v if its in (shape, ()) else f"{v}.sum()" if shape == () else f"{v}[:1]"
    variables = [(read(v, its), k) for v, k, its in names]
    cast = lambda e: f"(jnp.zeros({shape}, {name}.dtype) + ({e})).astype({name}.dtype)"
    which = r.randrange(6) if is_deep else 0
    if which < 3:
        return f"{name} = {cast(_expression(r, variables, 2, kind))}"
    counts = [v for v, k, its in names if k == "i" and its == ()]
    every = ", ".join([v for v, _, _ in names])
    if which == 3:
        branches = ", ".join([f"lambda {every}: {cast(_expression(r, variables, 2, kind))}" for _ in range(3)])
        return f"{name} = lax.switch(({r.choice(counts)} % 3).astype(jnp.int32), [{branches}], {every})"
    step = _expression(r, variables, 1, kind)
    if which == 4:
        more = "q * 0.1" if kind == "f" else "q"
        return f"{name} = lax.fori_loop(0, {r.randrange(1, 4)}, lambda q, {name}: {cast(f'{step} + {more}')}, {name})"
    test = f"lambda s: s[0] < jnp.abs({r.choice(counts)}) % 4"
    turn = f"lambda s: (s[0] + 1, (lambda {name}: {cast(step)})(s[1]))"
    return f"{name} = lax.while_loop({test}, {turn}, (0, {name}))[1]"

"""Programs of every kind are printed as real JAX prints them."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint


def programs(ax, np_):
    """(function, *arguments) by name."""
    lax, linalg = ax.lax, np_.linalg
    x, m, n = np_.ones(3), np_.ones((3, 3)), np_.arange(3)
    image, kernel = np_.ones((1, 2, 8, 8)), np_.ones((4, 2, 3, 3))
    grad = lambda f: ax.grad(lambda *args: f(*args).sum())
    policies = ax.checkpoint_policies

    images = np_.ones((2, 3, 4))
    h = ax.jit(lambda x: x + 1)
    h.__name__ = "h"
    twice = ax.jit(lambda x: h(h(x)))

    @ax.custom_jvp
    def cubed(x, y):
        return x**3 * y

    cubed.defjvp(lambda p, t: (cubed(*p), cubed(p[0], t[1]) + 3 * t[0]))

    @ax.custom_vjp
    def clipped(x):
        return np_.sin(x)

    clipped.defvjp(lambda x: (np_.sin(x), np_.cos(x)), lambda c, ct: (ct * c,))

    @ax.custom_batching.custom_vmap
    def doubled(x):
        return np_.sin(x) * 2

    doubled.def_vmap(lambda size, batched, xs: (np_.cos(xs), batched[0]))

    def converge(x, tol):
        return lax.while_loop(lambda s: (s * s).sum() > tol, lambda s: s * 0.5 + 0.0 * x, x)

    def host(x):
        return ax.pure_callback(lambda v: v, ax.ShapeDtypeStruct((3,), np_.float32), x, vmap_method="sequential")

    @partial(ax.checkpoint, policy=policies.dots_saveable)
    def kept(x, m):
        return np_.sin(m @ np_.sin(m @ x))

    step = lambda c, v: (np_.tanh(c * v), c + v)
    window = lambda init, op: lambda x: lax.reduce_window(x, init, op, (1, 1, 2, 2), (1, 1, 2, 2), "SAME")
    mean = lambda v: v - lax.pmean(v, "i")
    clip = lambda v: np_.clip(v, 0, 1)
    batches = lambda i, j: [np_.ones({0: (2, 5, 6), 1: (5, 2, 6), 2: (5, 6, 2), None: (5, 6)}[d]) for d in (i, j)]
    pairs = {
        "a sum of cotangents": lambda a, b: ax.vjp(lambda v: (v * 2, v * 3), a)[1]((a, b))[0],
        "clamp": lambda a, b: lax.clamp(a, b, b),
        "pad": lambda a, b: lax.pad(a, b[0, 0], [(1, 1, 0), (0, 0, 0)]),
        "sort": lambda a, b: lax.sort((a, b), num_keys=1),
        "concatenate": lambda a, b: lax.concatenate([a, b], 0),
        "solve_triangular": lambda a, b: ax.scipy.linalg.solve_triangular(a[:5, :5], b),
    }

    def over_ref(c, row):
        row[0] += c
        return c + row[1], None

    def into_ref(x):
        ref = ax.new_ref(x)
        out, pull = ax.vjp(lambda x, y: np_.sin(x) * y, x, 2.0)
        return out, pull.with_refs(ref, ax.ad.GradValue())(out)[1], ref[...]

    special, half, keys = ax.scipy.special, np_.ones((2, 3), "bfloat16"), ax.random.split(ax.random.key(0), 3)
    logs = {name: getattr(special, name) for name in ("xlogy", "xlog1py", "rel_entr", "kl_div", "boxcox", "boxcox1p")}
    mapped = lambda f: lambda x: ax.vmap(f, axis_name="i")(x)
    conv = lambda *args, **kwargs: lambda x, k: lax.conv_general_dilated(x, k, *args, **kwargs)
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    return {
        "convolution": (conv((1, 1), "SAME"), image, kernel),
        "dilated convolution": (conv((2, 1), [(1, 0), (0, 2)], (1, 2), (2, 1)), image, kernel),
        "grouped convolution": (conv((1, 1), "SAME", feature_group_count=2), image, kernel[:, :1]),
        "gradient of a convolution": (ax.grad(lambda x, k: conv((1, 1), "SAME")(x, k).sum(), 1), image, kernel),
        "transposed convolution": (
            lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NCHW", "IOHW", "NCHW")),
            image, kernel.swapaxes(0, 1),
        ),
        "max pooling": (window(-np_.inf, lax.max), image),
        "sum pooling": (window(0.0, lax.add), image),
        "gradient of max pooling": (grad(window(-np_.inf, lax.max)), image),
        "gradient of sum pooling": (grad(window(0.0, lax.add)), image),
        "patches": (lambda x: lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "VALID"), image),
        "reduce": (lambda x: lax.reduce(x, np_.float32(0), lax.add, (0,)), x),
        "reductions": (lambda m: (m.sum(0), m.prod(), m.max(1), np_.argmin(m, 0), np_.any(m > 0)), m),
        "cumulative": (lambda x: (lax.cumsum(x), lax.cummax(x, reverse=True), lax.cumlogsumexp(x)), x),
        "sort": (lambda x, n: lax.sort((x, n), num_keys=1, is_stable=False), x, n),
        "gradient of sort": (grad(np_.sort), x),
        "top_k": (lambda x: lax.top_k(x, 2), x),
        "dot_general": (
            lambda a, b: lax.dot_general(
                a, b, (((1,), (0,)), ((), ())), precision="highest", preferred_element_type=np_.float32
            ), m, x,
        ),
        "gradient of matmul": (ax.grad(lambda a, b: (a @ b).sum(), (0, 1)), m, m),
        "batched matmul": (ax.vmap(np_.matmul, (0, None)), np_.ones((2, 3, 3)), m),
        "gather": (lambda x, n: x.at[n].get(mode="fill", fill_value=0.0), x, n),
        "indexing": (lambda m: m[1:, ::2], m),
        "dynamic slices": (lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i,), (2,)), (i + 1,)), x, 1),
        "scatter": (lambda x, n: x.at[n].add(1.0, mode="drop").at[0].set(2.0), x, n),
        "scatter_mul": (lambda x, n: lax.scatter_mul(x, n[:, None], x, numbers), x, n),
        "gradient of a gather": (grad(lambda x, n: x[n]), x, n),
        "pad": (lambda x: lax.pad(x, 0.0, [(1, -1, 2)]), x),
        "where": (lambda x: np_.where(x > 0, x, 0.0), x),
        "weak types": (lambda x, y: (x + 1, y * 2, np_.sin(1)), x, 2.0),
        "complex": (lambda x: np_.abs(np_.exp(1j * x)) + np_.real(lax.complex(x, x)), x),
        "conversions": (
            lambda x: (x.astype(np_.bfloat16), lax.bitcast_convert_type(x, np_.int32), lax.reduce_precision(x, 5, 10)),
            x,
        ),
        "cholesky": (linalg.cholesky, m),
        "qr": (linalg.qr, m),
        "svd": (lambda m: linalg.svd(m, full_matrices=False), m),
        "eigh": (linalg.eigh, m),
        "triangular solve": (lambda m, x: ax.scipy.linalg.solve_triangular(m, x, lower=True), m, x),
        "fft": (lambda x: np_.fft.irfft(np_.fft.rfft(x), 3), x),
        "scan": (lambda x: lax.scan(step, x, m), x),
        "gradient of scan": (grad(lambda x: lax.scan(step, x, m)[0]), x),
        "batched scan": (ax.vmap(lambda x: lax.scan(step, x, x)), m),
        "while with constants": (converge, x, 0.1),
        "batched while": (ax.vmap(converge, (0, None)), m, 0.1),
        "fori_loop": (lambda x: lax.fori_loop(0, 3, lambda i, c: c * i, x), x),
        "cond": (lambda p, x: lax.cond(p, np_.sin, lambda v: v * x, x), True, x),
        "switch": (lambda i, x: lax.switch(i, [np_.sin, np_.cos, lambda v: v * 2], x), 1, x),
        "map": (lambda x: lax.map(lambda v: v * 2, x), x),
        "associative_scan": (lambda x: lax.associative_scan(np_.add, x), x),
        "custom_jvp": (lambda x: cubed(x, x), x),
        "gradient of custom_jvp": (grad(lambda x: cubed(x, x)), x),
        "custom_vjp": (clipped, x),
        "gradient of custom_vjp in jit": (grad(ax.jit(clipped)), x),
        "custom_vmap": (lambda x: doubled(x), x),
        "batched custom_vmap": (ax.vmap(doubled), x),
        "remat": (grad(ax.checkpoint(lambda x: ax.jit(np_.tanh)(np_.sin(ax.jit(np_.sin)(x))))), x),
        "remat of a custom_vjp": (grad(ax.checkpoint(lambda x: ax.jit(clipped)(x) * 2)), x),
        "remat with a policy": (grad(kept), x, m),
        "pure_callback": (host, x),
        "batched callback": (ax.vmap(host), m),
        "debug.print": (lambda x: (ax.debug.print("{}", x), x)[1], x),
        "collectives": (mapped(lambda v: lax.psum(v, "i") * mean(v)), m),
        "exchanges": (mapped(lambda v: lax.all_gather(lax.all_to_all(v, "i", 0, 0), "i")), m),
        "axis_index": (mapped(lambda v: v * lax.axis_index("i")), m),
        "random": (lambda k: ax.random.normal(ax.random.fold_in(k, 1), (3,)), ax.random.key(0)),
        "keys": (lambda k: ax.random.split(k, 2), ax.random.key(0)),
        "nested jit": (ax.jit(lambda x: ax.jit(np_.sin)(x) + ax.jit(np_.sin)(2 * x)), x),
        "jvp": (lambda x: ax.jvp(np_.sin, (x,), (x,)), x),
        "custom_linear_solve": (
            lambda x: lax.custom_linear_solve(lambda v: 2 * v, x, lambda f, b: b / 2, symmetric=True), x,
        ),
        "optimization_barrier": (lambda x: lax.optimization_barrier((x, 2 * x)), x),
        "stop_gradient": (grad(lambda x: x * lax.stop_gradient(x)), x),
        "power": (lambda x, i: (x**2, x**0.5, x**i, 2**x), x, 3),
        "jacfwd of a tree": (ax.jacfwd(lambda d: d["a"] * d["b"]), {"a": x, "b": 2.0}),
        "jacrev of a tree": (ax.jacrev(lambda d: {"u": d["a"] * d["b"], "v": d["b"]}), {"a": x, "b": 2.0}),
        "jacrev of two": (ax.jacrev(lambda a, b: a * b, (0, 1)), x, m),
        "jacrev of matrices": (ax.jacrev(lambda m: m @ m), m),
        "jacfwd of matrices": (ax.jacfwd(lambda m: m @ m), m),
        "jacobian of a scalar": (ax.jacfwd(np_.sin), 2.0),
        "jacobian of mixed floats": (ax.jacfwd(lambda d: d[0] * d[1]), [x.astype(np_.bfloat16), x]),
        "holomorphic jacobian": (ax.jacfwd(lambda a: a * a, holomorphic=True), lax.complex(0 * x, x)),
        "hessian": (ax.hessian(lambda x: (x**3).sum()), x),
        "gradient of a scan with constants": (
            ax.grad(lambda w, x: lax.scan(lambda c, v: (np_.tanh(np_.sin(w) @ c) * v, np_.cos(w) @ c), x, m)[1].sum(),
                    (0, 1)), m, x,
        ),
        "gradient of a recurrent network": (
            ax.value_and_grad(lambda p, xs: (
                lax.scan(lambda h, x: (np_.tanh(p["w"] @ h + p["b"] + x),) * 2, p["h"], xs)[1] ** 2
            ).mean()), {"w": m, "b": x, "h": x}, m,
        ),
        "gradient of a gradient of a scan": (
            grad(lambda x: ax.grad(lambda x: lax.scan(step, x, m)[0].sum())(x)), x,
        ),
        "gradient of a scan from zero": (ax.grad(lambda w, x: lax.scan(step, x, w)[0].sum()), m, x),
        "gradient of fori_loop": (grad(lambda x: lax.fori_loop(0, 3, lambda i, c: np_.sin(c) * i, x)), x),
        "gradient of map": (grad(lambda x: lax.map(lambda v: np_.sin(v) * m[0, 0], x)), x),
        "gradient of attention": (grad(lambda q, k, v: ax.nn.softmax(q @ k.T / np_.sqrt(3.0)) @ v), m, m, m),
        "gradient of layer norm": (
            grad(lambda x: (x - x.mean(-1, keepdims=True)) / np_.sqrt(x.var(-1, keepdims=True) + 1e-5)), m,
        ),
        "Hessian-vector product": (lambda x, v: ax.grad(lambda x: ax.grad(lambda x: (x**3).sum())(x) @ v)(x), x, x),
        "gradient of softplus": (grad(ax.nn.softplus), x),
        "second gradient of custom_vjp": (ax.grad(ax.grad(lambda x: clipped(x))), 1.0),
        "jvp of the gradient of custom_vjp": (lambda x: ax.jvp(ax.grad(clipped), (x,), (x,)), 1.0),
        "gradient of logaddexp": (grad(np_.logaddexp), 1.0, 2.0),
        "calls inside of calls": (lambda x: twice(x) + ax.jit(lambda x: twice(x) * 2)(x) + h(x), x),
        "take": (lambda m, n: np_.take(m, n, axis=1), m, n),
        "take wrapped": (lambda m, n: np_.take(m, n, mode="wrap"), m, n),
        "take one": (lambda m: np_.take(m, 1, axis=0), m),
        "nonzero": (lambda m: np_.nonzero(m, size=3), m),
        "nonzero filled": (lambda m: np_.nonzero(m > 1, size=3, fill_value=(7, 8)), m),
        "argwhere": (lambda m: np_.argwhere(m, size=3), m),
        "argwhere of a scalar": (lambda x: np_.argwhere(x[0], size=3), x),
        **{f"vector_norm {o}": (lambda a, o=o: linalg.vector_norm(a, ord=o, axis=(0, 2), keepdims=True), images)
           for o in (0, 1, 2, 3, -1, 0.5, float("inf"), -float("inf"))},
        **{f"norm {o}": (lambda a, o=o: linalg.norm(a, o, (2, 0)), images)
           for o in (1, -1, 2, -2, float("inf"), -float("inf"))},
        **{f"norm {o} of a vector": (lambda a, o=o: linalg.norm(a, o), x) for o in (0, 3, -1)},
        **{f"searchsorted {side} {method}": (lambda a, v, s=side, h=method: np_.searchsorted(a, v, s, method=h), x, v)
           for side in ("left", "right") for method in ("scan", "scan_unrolled", "sort", "compare_all")
           for v in (np_.ones(2),)},
        "searchsorted of a number": (np_.searchsorted, x, 1.0),
        "searchsorted of integers": (np_.searchsorted, n, n),
        "searchsorted in nothing": (np_.searchsorted, x[:0], x),
        "digitize": (lambda v, a: np_.digitize(v, a), x, x),
        "unwrap": (np_.unwrap, x),
        "unwrap over another axis": (lambda m: np_.unwrap(m, axis=0, discont=4.0), m),
        "determinant": (linalg.det, m),
        "matrix_power": (lambda m: (linalg.matrix_power(m, 3), linalg.matrix_power(m, 6)), m),
        "approx_max_k": (lambda m: lax.approx_max_k(m, 2), m),
        "batched approx_min_k": (ax.vmap(lambda x: lax.approx_min_k(x, 2, aggregate_to_topk=False)), m),
        "logsumexp of columns": (ax.vmap(ax.scipy.special.logsumexp, 1), m),
        "full_like of an element": (ax.vmap(lambda x: lax.select(x > 0, x, lax.full_like(x, 0))), x),
        "scan over a reference": (lambda x: lax.scan(over_ref, 0.0, ax.new_ref(x))[0], m),
        "with_refs": (into_ref, x),
        **{f"columns of {name}": (ax.vmap(f, 1), m[:, :2]) for name, f in {
            "jit": ax.jit(lambda v: np_.sin(v) * 2), "jit in jit": ax.jit(lambda v: ax.jit(np_.sin)(v)),
            "custom_jvp": lambda v: cubed(v, v), "custom_vjp": clipped,
            "remat": ax.checkpoint(lambda v: np_.sin(v) * 2), "gradient": ax.grad(lambda v: ax.jit(np_.sin)(v).sum()),
            "gradient of remat": grad(ax.checkpoint(np_.sin)),
            "relu": ax.nn.relu, "norm": linalg.norm, "median": np_.median, "argsort": np_.argsort, "clip": clip,
            "cumsum": np_.cumsum, "roll": lambda v: np_.roll(v, 1), "var": np_.var, "diag": np_.diag,
        }.items()},
        "an element at a position": (lambda a, i: a[i], x, 1),
        "an element at a small position": (lambda a, i: a[i], x, np_.int8(1)),
        "an element at positions": (lambda a, i, j: a[i, j], m, 1, np_.int8(2)),
        "a position that is written": (lambda a, i: a.at[i].set(2.0), x, 1),
        "a position beside positions": (lambda a, i, n: a.at[i, n].get(), m, 1, n),
        "a position beside a slice": (lambda a, i: a.at[i, :2].get(mode="fill"), m, 1),
        **{f"gradient of a result that is an operand {i}": (grad(f), x) for i, f in enumerate((
            ax.jit(lambda b: b), np_.atleast_1d, lambda a: np_.hstack([a, a]),
            ax.jit(lambda b: (ax.debug.print("{}", b), b)[1]),
            lambda a: sum(ax.jit(lambda b, c: (b, np_.sin(b), c, b))(a, a * 2)),
        ))},
        "gradient of a call that stops it": (grad(ax.jit(lax.stop_gradient)), x),
        "linear call without some tangents": (
            lambda x, t: ax.linearize(np_.copysign, x, x)[1](t, t), x, x),
        **{f"logsumexp {axis} {k} of {a.dtype}": (lambda a, axis=axis, k=k: ax.nn.logsumexp(a, axis, keepdims=k), a)
           for a in (m, half) for axis in (None, 1) for k in (False, True)},
        **{f"{name} of half precision": (f, half) for name, f in {
            "sum": lambda a: a.sum(-1, keepdims=True), "mean": lambda a: a.mean(-1, keepdims=True),
            "prod": lambda a: a.prod(-1, where=a > 0), "softmax": ax.nn.softmax, "log_softmax": ax.nn.log_softmax,
        }.items()},
        "uniform of keys": (ax.vmap(lambda k: ax.random.uniform(k)), keys),
        "gradient of jacrev": (grad(ax.jacrev(lambda x: x**2)), x),
        "gradient of hessian": (grad(ax.hessian(lambda x: (x**3).sum())), x),
        "results without the axis": (ax.vmap(lambda x: np_.zeros(3), -1, -1), m),
        "select by a scalar": (ax.vmap(lambda x: np_.where(True, x, x * 2), -1, -1), m),
        "select by scalars": (ax.vmap(lambda x, p: lax.select(p, x, x * 2), (-1, 0), -1), m, np_.ones(3, bool)),
        "select of several": (ax.vmap(lambda x: np_.select([x > 0, x > 1], [x, x * 2], 0.0)), m),
        "stack of what has the axis": (ax.vmap(lambda x: np_.stack([x, np_.ones(3)])), m),
        **{f"columns of {name}": (ax.vmap(f, -1, -1), m[:, :2]) for name, f in {
            "copysign": lambda v: np_.copysign(v, v), "frexp": np_.frexp,
            "bits": lambda v: lax.bitcast_convert_type(v, np_.int16), "stack": lambda v: np_.stack([v, v], 1),
        }.items()},
        "gradient of a row that is set": (grad(lambda m: m.at[1].set(5.0)), m),
        **{f"{name} of arrays": (f, x) for name, f in {
            "laplace": ax.scipy.stats.laplace.logpdf, "expon": ax.scipy.stats.expon.logpdf,
            "norm.cdf": ax.scipy.stats.norm.cdf}.items()},
        **{f"{name} by an array without axes": (lambda x, f=f: f(x, np.array(2, "float32")), x) for name, f in {
            "pad": lambda x, c: lax.pad(x, c, [(1, 0, 0)]), "full": lambda x, c: np_.full((3,), c) * x,
            "broadcast": lambda x, c: lax.broadcast(c, (3,)) + x, "full_like": lax.full_like,
        }.items()},
        "lognormal": (lambda k: ax.random.lognormal(k, shape=(3,)), keys[0]),
        "products of all pairs": (ax.vmap(lambda a: ax.vmap(lambda b: a * b)(x)), x),
        "difference to what has no axis": (ax.vmap(lambda a: a - x[:1]), m),
        **{f"{name} of arrays": (f, x, x) for name, f in logs.items()},
        **{f"scipy.linalg.{name}": (getattr(ax.scipy.linalg, name), m)
           for name in ("cholesky", "svd", "qr", "schur", "eigh", "cho_factor")},
        "block_diag": (lambda m, x: ax.scipy.linalg.block_diag(2, m, x), m, x),
        "tangent of a triangular solve": (lambda m, x: ax.jvp(lambda a: ax.scipy.linalg.solve_triangular(a, x),
            (m,), (m,)), m, x),
        **{f"tangent of {name} of {kind}": (lambda a, f=logs[name]: ax.jvp(f, (a, a), (a, a)), a)
           for name in ("xlogy", "xlog1py") for kind, a in (("arrays", x), ("numbers", 0.5))},
        **{f"tangent of {name}": (lambda x, f=f: ax.jvp(f, (x,), (x,)), x) for name, f in {
            "entr": special.entr, "logit": special.logit}.items()},
        **{f"{name} over axes {i} and {j}": (ax.vmap(f, (i, j)), *batches(i, j))
           for name, f in pairs.items() for i in (0, 1, None) for j in (1, 2, None) if i is not j},
    }


def both():
    import adjoint

    return adjoint, programs(adjoint, adjoint.numpy), jax, programs(jax, jax.numpy)


OURS, ours, JAX, theirs = both()


@compiling
@pytest.mark.parametrize("name", ours)
def test_jaxprs_are_printed_as_jax_prints_them(name):
    texts = []
    for module, (f, *args) in ((JAX, theirs[name]), (OURS, ours[name])):
        text = str(module.make_jaxpr(f)(*args))
        texts.append(text)
    if "np.int64" in texts[0]:  # JAX's parameters are NumPy's at times, which changes the lines
        texts = ["".join(re.sub(r"np\.int64\((-?\d+)\)", r"\1", t).split()) for t in texts]
    assert texts[0] == texts[1]


class Holder:
    def method(self, x):
        return x


def traced_functions(m, np_):
    """Functions of many kinds with arguments for them; those that are made here are gone when names are asked for."""
    x = np_.ones(2)
    return {
        "tree": (lambda x, y: (x, {"a": y}), (1.0, [2.0]), {}),
        "named": (lambda x, *a, k=1, **kw: (x, {"a": k}), (1.0, 2.0, 3.0), dict(k=4.0, z=[2.0])),
        "grad": (m.grad(lambda x, y: (x * y["a"]).sum()), (1.0, {"a": 2.0}), {}),
        "vmap": (m.vmap(lambda x, y: x * y), (x, x), {}),
        "partial": (partial(lambda w, x, n: x, 1, n=3), (1.0,), {}),
        "method": (Holder().method, (1.0,), {}),
        "nothing": (lambda x: None, (1.0,), {}),
    }


@pytest.mark.parametrize("name", list(traced_functions(jax, jax.numpy)))
def test_programs_know_their_function_its_arguments_and_its_results(name):
    def program(m, np_):
        fun, args, kwargs = traced_functions(m, np_)[name]
        info = m.make_jaxpr(fun)(*args, **kwargs).jaxpr.debug_info
        del fun
        return (info.traced_for, info.func_name, info.func_src_info, info.func_filename, info.func_lineno,
                info.arg_names, info.result_paths, repr(info))

    assert program(adjoint, adjoint.numpy) == program(jax, jax.numpy)


def test_programs_inside_know_what_they_were_traced_for():
    def program(m, np_):
        f = m.custom_jvp(lambda x: x * 2)
        f.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
        g = m.custom_vjp(lambda x: x * 2)
        g.defvjp(lambda x: (x, x), lambda residuals, ct: (ct,))
        loop = lambda x: m.lax.while_loop(lambda c: c < 1, lambda b: b + 1, x)
        choice = lambda x: m.lax.cond(x > 0, lambda t: t * 2, lambda u: u, x)
        infos = []
        for function in (f, g, loop, choice, m.jit(lambda q: q * 3), m.checkpoint(lambda p: p * 2)):
            params = m.make_jaxpr(function)(1.0).eqns[-1].params
            names = ("call_jaxpr", "jaxpr", "cond_jaxpr", "body_jaxpr", "branches")
            for inner in (params[name] for name in names if name in params):
                for program in inner if isinstance(inner, tuple) else (inner,):
                    info = getattr(program, "jaxpr", program).debug_info
                    infos.append((info.traced_for, info.func_src_info))
        return sorted(infos)

    assert program(adjoint, adjoint.numpy) == program(jax, jax.numpy)

"""A function R^3 -> R^3 of every family of operations, for one module (`adjoint` or `jax`).

They are smooth enough at the point of the tests for three derivatives in float32.
"""

from __future__ import annotations

from functools import partial


def families(ax, np_):
    """The functions by name."""
    return {
        **windowed(ax, np_), **indexed(ax, np_), **folded(ax, np_), **products(ax, np_), **ruled(ax, np_),
        **looped(ax, np_), **collective(ax, np_), **factored(ax, np_), **other(ax, np_),
    }


def windowed(ax, np_):
    """Convolutions, and reductions over windows."""
    lax = ax.lax

    def convolution(x):
        image = np_.outer(x, np_.cos(x))[None, None]
        kernel = np_.stack([x[:2], x[1:]])[None, None]
        return lax.conv_general_dilated(
            image, kernel, (1, 1), [(1, 2), (0, 1)], lhs_dilation=(2, 1), rhs_dilation=(1, 2))[0, 0, :3].sum(-1)

    def groups(x):
        image = np_.stack([x, np_.sin(x), x * x, np_.cos(x)])[None]
        kernel = np_.stack([x[:2], x[1:], x[::2], x[:2] * x[1:]]).reshape(4, 1, 2)
        ys = lax.conv_general_dilated(image, kernel, (1,), "SAME", feature_group_count=4)[0].sum(0)
        batches = np_.stack([x, x * x])[:, None]
        return ys + lax.conv_general_dilated(batches, kernel[:2], (1,), "SAME", batch_group_count=2)[0, 0]

    def transposed(x):
        image = np_.stack([x, x * x]).T[None]
        kernel = np_.stack([np_.outer(x, x)[:2, :2], np_.cos(np_.outer(x, x)[1:, 1:])])
        ys = lax.conv_transpose(image, kernel, (2,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"))
        flipped = lax.conv_transpose(
            image, kernel, (1,), "VALID", transpose_kernel=True, dimension_numbers=("NHC", "HIO", "NHC"))
        return ys.reshape(-1)[:3] * x + flipped.sum((0, 2))[:3]

    def local(x):
        image = np_.stack([x, np_.sin(x)])[None]
        kernel = np_.stack([x] * 4).reshape(4, 3, 1)[:2, :2] * np_.ones((1, 1, 2))
        kernel = kernel.transpose(1, 0, 2).reshape(2, 2, 2).repeat(2, 1)[:1]
        ys = lax.conv_general_dilated_local(image, kernel, (1,), "VALID", (2,), dimension_numbers=("NCH", "OIH", "NCH"))
        return ys.sum() * x + lax.conv_general_dilated_patches(image, (2,), (1,), "SAME")[0].sum(0)

    def window(x):
        table = np_.outer(x, np_.sin(x))
        sums = lax.reduce_window(table, 0.0, lax.add, (2, 2), (1, 1), ((0, 1), (1, 0)))
        most = lax.reduce_window(table, -np_.inf, lax.max, (2, 2), (1, 1), "SAME")
        least = lax.reduce_window(table, np_.inf, lax.min, (2, 1), (1, 1), "SAME")
        spread = lax.reduce_window(table, 0.0, lax.add, (2, 1), (1, 1), "SAME", (1, 2), (2, 1))
        return (sums * most).sum(0) + least.sum(1) + spread.sum() * x

    return {
        "convolution": convolution, "grouped convolutions": groups, "transposed convolution": transposed,
        "local convolution": local, "reduce_window": window,
    }


def indexed(ax, np_):
    """Gathers, scatters, slices."""
    lax = ax.lax
    at = np_.array([2, 0, 5, -1])

    def gathers(x):
        return sum(np_.take(x, at, mode=mode, fill_value=0.5 if mode == "fill" else None)[:3] * x[i]
                   for i, mode in enumerate(["clip", "fill", "wrap"]))

    def scatters(x):
        y = np_.outer(np_.sin(x), x)
        y = y.at[at].add(x, mode="drop").at[at, 1].add(x[0] * x[1], mode="clip")
        y = y.at[np_.array([0, 2]), 1].multiply(x[:2], unique_indices=True)
        y = y.at[0].min(x * 0.2).at[:, 2].max(x * x)
        return y.at[np_.array([1, 1]), np_.array([0, 1])].set(x[:2], unique_indices=True).sum(0)

    def scatter_of_functions(x):
        numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
        ys = lax.scatter_mul(x, np_.array([[0], [2]]), x[1:] * 2, numbers, unique_indices=True)
        return ys + lax.scatter_sub(x * x, np_.array([[1], [1]]), np_.sin(x[:2]), numbers)

    def slices(x):
        y = np_.tile(x, 2) * np_.arange(6.0)
        i = np_.argmax(x)
        y = lax.dynamic_update_slice(y, np_.sin(x[:2]), (i,))
        y = lax.dynamic_update_index_in_dim(y, x[0] * x[1], i - 2, 0)
        return lax.dynamic_slice(y, (i - 1,), (3,)) * lax.dynamic_index_in_dim(y, i, 0, False) + y[::2]

    def shapes(x):
        y = lax.pad(x * x, x[0], [(1, -1, 1)])
        y = np_.concatenate([y, x[::-1]])[:6].reshape(2, 3)
        y = lax.transpose(lax.expand_dims(y, (1,)), (2, 1, 0)).squeeze(1) @ x[:2]
        a, b = lax.split(np_.concatenate([y, np_.sin(x)]), (3, 3))
        return lax.select(x > 0, a, b) + lax.clamp(-0.5, a, np_.float32(2)) * lax.rev(b, (0,))

    return {"gather": gathers, "scatter": scatters, "scatter_mul": scatter_of_functions, "slices": slices,
            "shapes": shapes}


def folded(ax, np_):
    """Sorts, reductions, and running reductions."""
    lax = ax.lax

    def sorts(x):
        a, b, c = lax.sort((np_.round(x), x * x, np_.sin(x)), num_keys=2)
        top, where = lax.top_k(np_.cos(x), 2)
        return a + b * c + top.sum() * x[where].sum() + np_.median(x) * x[np_.argsort(-x)]

    def running(x):
        y = lax.cumsum(x * x, reverse=True) * lax.cumprod(np_.cos(x)) + lax.cummax(np_.sin(x))
        return y * lax.cummin(x * 0.3) + lax.cumlogsumexp(x) + lax.cumprod(x, reverse=True)

    def reductions(x):
        y = np_.outer(x, np_.sin(x)) + 0.1
        generic = lax.reduce(y, np_.float32(1), lambda a, b: a * b, (0,))
        zero = np_.float32(0)
        several = lax.reduce((y, y * y), (zero, zero), lambda a, b: (a[0] + b[0], a[1] + b[1]), (1,))
        return (generic + np_.prod(y, 1) + several[0] * several[1] + y.max(0) * y.min(1) + np_.var(y, 0)
                + ax.nn.logsumexp(y, 1) + ax.nn.softmax(x))

    return {"sort": sorts, "cumulative": running, "reduce": reductions}


def products(ax, np_):
    """dot_general."""
    lax = ax.lax

    def dots(x):
        a = np_.stack([np_.outer(x, x), np_.cos(np_.outer(x, x))])
        b = np_.stack([np_.sin(x), x * x])
        ys = lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,))), precision="highest")
        half = lax.dot_general(a, x, (((1,), (0,)), ((), ())), preferred_element_type=np_.float32)
        return ys.sum(0) + half[0] + np_.einsum("bij,bj,k->k", a, b, x)

    def ragged(x):
        rhs = np_.stack([np_.outer(x, x), np_.sin(np_.outer(x, x))])
        return lax.ragged_dot(np_.outer(np_.cos(x), x), rhs, np_.array([1, 2], np_.int32)).sum(0)

    return {"dot_general": dots, "ragged_dot": ragged}


def ruled(ax, np_):
    """Functions with rules of their own, and recomputation."""
    lax = ax.lax

    @partial(ax.custom_jvp, nondiff_argnums=(0,))
    def power(n, x, y):
        return x**n * y

    @power.defjvp
    def _(n, primals, tangents):
        (x, y), (dx, dy) = primals, tangents
        return power(n, x, y), n * power(n - 1, x, y) * dx + 1.1 * power(n, x, dy)

    @ax.custom_jvp
    def masked(x, y):
        return x * y

    def masked_jvp(primals, tangents):
        (x, y), (dx, dy) = primals, tangents
        zero = [type(t).__name__ == "SymbolicZero" for t in tangents]
        out = np_.zeros_like(x)
        if not zero[0]:
            out = out + dx * y
        if not zero[1]:
            out = out + 2 * x * dy
        return masked(x, y), out

    masked.defjvp(masked_jvp, symbolic_zeros=True)

    @partial(ax.custom_vjp, nondiff_argnums=(0,))
    def scaled(f, x, y):
        return f(x) * y

    scaled.defvjp(
        lambda f, x, y: (f(x) * y, (np_.cos(x), y)),
        lambda f, res, ct: (1.2 * res[0] * ct * res[1], f(ct * res[0])),
    )

    @ax.custom_gradient
    def steep(x):
        return x * np_.sin(x), lambda ct: (ct * 1.5 * np_.cos(x),)

    @ax.custom_batching.custom_vmap
    def doubled(x):
        return np_.sin(x) * 2

    doubled.def_vmap(lambda size, batched, xs: (np_.sin(xs) * 2, batched[0]))

    def root(x):
        return lax.custom_root(
            lambda y: y**3 + y - x, np_.zeros(3),
            lambda f, y: lax.fori_loop(0, 6, lambda i, y: y - f(y) / (3 * y**2 + 1), y),
            lambda g, b: b / g(np_.ones(3))) * x

    def linear_solve(x):
        matrix = np_.outer(x, x) + 2 * np_.eye(3)
        solve = lambda mv, b: np_.linalg.solve(matrix, b)
        return lax.custom_linear_solve(lambda v: matrix @ v, np_.sin(x), solve, symmetric=True)

    def unsymmetric_solve(x):
        matrix = np_.outer(x, np_.cos(x)) + 2 * np_.eye(3)
        return lax.custom_linear_solve(
            lambda v: matrix @ v, np_.sin(x), lambda mv, b: np_.linalg.solve(matrix, b),
            lambda vm, b: np_.linalg.solve(matrix.T, b))

    name = ax.ad_checkpoint.checkpoint_name
    policies = ax.checkpoint_policies

    @partial(ax.checkpoint, policy=policies.save_only_these_names("kept"))
    def named(x):
        return np_.sin(name(np_.exp(x) * x, "kept")) * np_.cos(x)

    @partial(ax.checkpoint, policy=policies.dots_saveable, static_argnums=(1,))
    def dots_kept(x, n):
        for _ in range(n):
            x = np_.tanh(np_.outer(x, x) @ x)
        return x

    def linear_call(x):
        scaled = lambda r, v: v * np_.sin(r)
        return ax.custom_derivatives.linear_call(scaled, scaled, np_.arange(3.0), x * x) * x

    def converted(x):
        f, consts = ax.closure_convert(lambda y: np_.sin(y) * x, x)
        return f(x * x, *consts) + np_.cos(x)

    return {
        "custom_jvp with arguments": lambda x: power(3, np_.sin(x), x),
        "custom_jvp with symbolic zeros": lambda x: masked(x, np_.ones(3)) + masked(np_.sin(x), x),
        "custom_vjp with arguments": lambda x: scaled(np_.sin, x * x, x),
        "custom_gradient": lambda x: steep(x) * x,
        "custom_vmap": lambda x: ax.vmap(doubled)(np_.stack([x, x * x])).sum(0),
        "custom_root": root, "custom_linear_solve": linear_solve, "unsymmetric custom_linear_solve": unsymmetric_solve,
        "remat with names": named, "remat of products": lambda x: dots_kept(x, 2), "linear_call": linear_call,
        "closure_convert": converted,
    }


def looped(ax, np_):
    """Loops and branches."""
    lax = ax.lax

    def scans(x):
        def step(c, v):
            i, c = c
            return (i + 1, np_.tanh(c * v[0]) + x * 0.1), {"y": c * v[1], "i": i}

        (n, last), ys = lax.scan(step, (0, x), (np_.outer(x, x), np_.sin(np_.outer(x, x))), reverse=True, unroll=2)
        return last + ys["y"].sum(0) * n + ys["i"]

    def nested(x):
        inner = lambda c, v: (lax.cond(v > 0, lambda c: np_.sin(c) * v, lambda c: c * np_.cos(v), c), c)
        outer = lambda c, v: (lax.scan(inner, c, x)[0] * v, None)
        return lax.scan(outer, x, x)[0] + lax.scan(ax.checkpoint(inner), x, x)[1].sum(0)

    def branches(x):
        cases = [np_.sin, lambda v: v * x[0], lambda v: np_.cumsum(v) * x, lambda v: np_.ones(3)]
        return sum(lax.switch(np_.int32(i) + np_.argmax(x), cases, x * x) for i in range(-2, 3)) * x

    def maps(x):
        f = lambda v: lax.cond(v > 0, np_.sin, lambda v: v * v, v) * x.sum()
        return lax.map(f, x) + lax.map(f, np_.tile(x, 2), batch_size=4)[:3] * x

    def associative(x):
        combine = lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1])
        a, b = lax.associative_scan(combine, (np_.cos(x), x))
        return a * b + lax.associative_scan(np_.multiply, x * x, reverse=True)

    def converge(x):
        """A loop of another length for every row of a batch; not differentiable in reverse."""
        state = (np_.float32(0), x, x * 0)
        unfinished = lambda s: s[0] < np_.abs(np_.sin(x)).sum()
        return lax.while_loop(unfinished, lambda s: (s[0] + 0.5, np_.sin(s[1]) + x, s[1] * x), state)[1]

    def times(x):
        return lax.fori_loop(0, 3, lambda i, c: (c[1] * np_.sin(c[0]), x + c[0] * i), (x, x * x))[0]

    return {"scan with outputs": scans, "nested loops": nested, "switch": branches, "map": maps,
            "associative_scan": associative, "while_loop": converge, "fori_loop": times}


def collective(ax, np_):
    """Collectives over a named axis of vmap."""
    lax = ax.lax

    def named(f):
        return lambda x: ax.vmap(f, axis_name="i")(np_.stack([x, np_.sin(x), x * x])).sum(0)

    def exchanges(v):
        rolled = lax.ppermute(v, "i", [(0, 1), (1, 2), (2, 0)]) * v
        return rolled * lax.all_to_all(v, "i", 0, 0) + lax.psum_scatter(np_.outer(v, v), "i", scatter_dimension=0)

    def sums(v):
        i = lax.axis_index("i").astype(np_.float32)
        gathered = lax.all_gather(v * i, "i")
        return np_.sin(lax.psum(v, "i")) * v + lax.pmean(v * v, "i") + lax.pmax(i, "i") * gathered.sum(0) * v

    def over_two(x):
        f = lambda v: lax.psum(v, ("i", "j")) * v + lax.pmean(v * v, "i") * lax.psum(v, "j")
        grid = np_.stack([np_.outer(x, x), np_.sin(np_.outer(x, x))])
        return ax.vmap(ax.vmap(f, axis_name="j"), axis_name="i")(grid).sum((0, 1))

    def loop_of_sums(v):
        return lax.scan(lambda c, _: (np_.tanh(lax.psum(c, "i")) * v, None), v, None, length=2)[0]

    return {"exchanges": named(exchanges), "sums over an axis": named(sums), "two named axes": over_two,
            "collectives in a scan": named(loop_of_sums)}


def factored(ax, np_):
    """Factorizations, Fourier transforms."""
    linalg = np_.linalg

    def positive(x):
        return np_.outer(x, np_.sin(x)) * 0.3 + np_.outer(np_.sin(x), x) * 0.3 + np_.diag(np_.array([2.0, 3.0, 5.0]))

    def full(x):
        return np_.outer(x, np_.cos(x)) + np_.diag(np_.array([2.0, 3.0, 5.0])) + 0.2 * np_.tri(3) * x

    def cholesky(x):
        factor = linalg.cholesky(positive(x))
        solved = ax.scipy.linalg.cho_solve((factor, True), np_.sin(x))
        return ax.scipy.linalg.solve_triangular(factor, x, lower=True) + solved

    def eigenvalues(x):
        values, vectors = linalg.eigh(positive(x))
        return values + np_.abs(vectors).sum(0) * x

    def singular(x):
        u, s, v = linalg.svd(full(x))
        return s + np_.abs(u @ v).sum(0) + linalg.pinv(full(x)) @ x

    def fourier(x):
        z = np_.fft.fft(x * np_.sin(x)) * np_.fft.fft(x)
        back = np_.fft.ifft(z).real + np_.fft.irfft(np_.fft.rfft(x) * (1 + 2j), 3)
        return back + np_.abs(np_.fft.fft2(np_.outer(x, np_.cos(x)))[0]) ** 2

    return {
        "cholesky": cholesky, "eigh": eigenvalues, "svd": singular, "fft": fourier,
        "solve": lambda x: linalg.solve(full(x), x) + linalg.inv(full(x)) @ np_.sin(x),
        "qr": lambda x: np_.abs(linalg.qr(full(x))[0]).sum(0) + linalg.qr(full(x))[1] @ x,
        "determinants": lambda x: linalg.det(full(x)) * x + linalg.slogdet(full(x))[1],
        "expm": lambda x: ax.scipy.linalg.expm(full(x) * 0.1) @ x,
    }


def other(ax, np_):
    """Complex numbers, randomness, callbacks, narrow types, special functions."""
    lax, random, special = ax.lax, ax.random, ax.scipy.special

    def numbers(x):
        z = lax.complex(x, np_.sin(x))
        w = np_.exp(1j * z) * np_.conj(z) / (2 + z)
        return w.real + w.imag * np_.abs(z) + np_.angle(z) + np_.sqrt(z).real + (z**2).imag

    def draws(x):
        keys = random.split(random.fold_in(random.key(3), 7), 3)
        noise = ax.vmap(lambda k, m: m + random.normal(k) * m**2)(keys, x)
        return noise * random.uniform(keys[0], (3,)) + random.exponential(keys[1], (3,)) * x

    def draws_in_loop(x):
        def step(carry, v):
            key, c = carry
            key, now = random.split(key)
            keep = random.bernoulli(now, 0.5, (3,))
            return (key, np_.where(keep, np_.sin(c) * v, c)), random.randint(now, (), 0, 5)

        (_, last), ns = lax.scan(step, (random.key(0), x), x)
        return last * (1 + ns.sum())

    @ax.custom_jvp
    def hosted(x):
        import numpy as host

        out = ax.ShapeDtypeStruct(x.shape, x.dtype)
        return ax.pure_callback(lambda v: host.sin(v), out, x, vmap_method="sequential")

    hosted.defjvp(lambda primals, ts: (hosted(primals[0]), np_.cos(primals[0]) * ts[0]))

    def narrow(x):
        y = lax.reduce_precision(x * x, 8, 23) + x.astype(np_.float32)
        y, z = lax.optimization_barrier((y, np_.sin(x)))
        return y * z + lax.stop_gradient(y) * x

    def functions(x):
        p = x * x + 0.5
        return (special.gammaln(p) + special.digamma(p) * x + special.i0e(x) + special.erf(x) * special.erfc(x)
                + special.gammainc(2.0, p) + special.betainc(2.0, 1.5, special.expit(x))
                + special.ndtri(special.expit(x)))

    def integrated(x):
        from_zero = ax.experimental.ode.odeint(lambda y, t: -y * x + np_.sin(t), x, np_.array([0.0, 0.5]))
        return from_zero[-1]

    def printed(x):
        ax.debug.callback(lambda v: None, x)
        with ax.named_scope("scope"):
            return ax.named_call(lambda x: np_.sin(x) * x, name="call")(x)

    def elementary(x):
        p = x * x + 0.3
        return (np_.log1p(p) * lax.rsqrt(p) + lax.cbrt(p) + np_.arctan2(x, p) + np_.hypot(x, p) + np_.logaddexp(x, p)
                + np_.sinc(x) + p**x + np_.expm1(x) * np_.arcsinh(x) + lax.integer_pow(x, 5) + lax.logistic(x))

    return {"complex": numbers, "random draws": draws, "random draws in a loop": draws_in_loop,
            "pure_callback": lambda x: hosted(x * x) * x, "barriers": narrow, "special functions": functions,
            "odeint": integrated, "callbacks and names": printed, "elementary functions": elementary}

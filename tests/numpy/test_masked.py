"""What a traced mask selects: values are NumPy's under `jit`, `vmap` and derivatives, and the rest is JAX's error."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from tests.modes import ACTIVE, compiling, promoting, standard
from tests.recorded import jax

import adjoint as ax
from adjoint import errors, lax
from adjoint import numpy as jnp

pytestmark = compiling

X = np.array([1.5, -2.0, np.nan, 0.25, 3.0, -0.5, np.inf, 2.0], np.float32)
M = np.isfinite(X) & (X != 2)  # what is not finite is not selected
Y = np.array([2.0, 1.0, 4.0, 0.5, 1.0, 3.0, 2.5, 1.0], np.float32)
I = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32)
A = np.array([[1, 2, 3], [4, np.nan, 6], [7, 8, 9], [0.5, np.inf, 1.5]], np.float32)
R = np.array([True, False, True, False])
C = np.array([True, False, True])

# Programs of `x` with `m`, `a` with the masks `r` of rows and `c` of columns, `i` (integers), `y` without gaps.
REDUCED = """
    x[m].sum()
    n.sum(x[m])
    x[m].mean()
    x[m].max()
    n.min(x[m])
    n.amax(x[m])
    x[m].prod()
    x[m].any()
    (x[m] > 0).any()
    n.all(x[m] > -3)
    x[m].std()
    n.std(x[m], ddof=1)
    x[m].var()
    n.ptp(x[m])
    n.median(x[m])
    n.quantile(x[m], .3)
    n.percentile(x[m], y[:3] * 20)
    n.average(x[m])
    n.average(x[m], weights=y[m])
    x[m].argmax()
    n.argmin(x[m])
    n.count_nonzero(x[m] > 1)
    n.linalg.norm(x[m])
    n.linalg.norm(x[m], 1)
    x[m].max(initial=10)
    n.sum(x[m], initial=1, keepdims=True)
    n.sum(x[m], where=y[m] > 1)
    n.max(x[m], where=y[m] > 1, initial=0)
    n.mean(x[m], axis=0)
    n.nansum(x[x > -10])
    n.nanmean(x[~(x > 2.5)])
    n.nanmax(x[y < 5])
    n.nanmedian(x[~(x > 100)])
    n.median(x[~(x > 2.5)])
    x[m].cumsum()[-1]
    n.sort(x[m])[0]
    n.sort(x[m])[-2]
    n.sort(x[m])[:2].sum()
    x[m][n.argsort(x[m])[0]]
    i[m].sum()
    i[m].max()
    i[m].mean()
    i[i > 100].sum()
    x[x > 100].sum()
    (x[x > 100] > 0).all()
    n.cov(x[m], y[m])
    n.cov(x[m])
    n.cov(x[m], y[m], ddof=0, aweights=y[m])
    n.cov(x[m], y[m], bias=True, fweights=i[m])
    n.corrcoef(x[m], y[m])
    n.concatenate([x[m], y[m], y]).mean()
    n.hstack([x[m], y[y > 1]]).sum()
    n.append(x[m], 7).max()
    n.median(n.concatenate([x[m], y[y > 1]]))
    n.diff(x[m]).max()
    n.diff(x[m], n=2).sum()
    n.diff(x[m], prepend=y[0]).sum()
    n.trapezoid(x[m])
    n.trapezoid(x[m], y[m])
    n.trapezoid(x[m], dx=.5)
    n.take(x[m], 1)
    n.take(x[m], n.array([1, 0])).sum()
    n.partition(x[m], 2)[2]
    n.unique(i[m]).sum()
    n.unique(n.floor(y[m])).sum()
    n.allclose(x[m], y[m])
"""
MAPPED = """
    (x[m] ** 2).sum()
    n.log(y[m]).mean()
    n.sqrt(n.abs(x[m])).sum()
    n.log(1 + x[m] ** 2).mean()
    n.exp(x[m]).max()
    (x[m] - y[m]).sum()
    ((x[m] - y[m]) ** 2).mean()
    (x[m] * y[m] / (1 + y[m])).sum()
    (x[x > 0] - y[x > 0])[:2].sum()
    (x[~m & (x < 10)] - y[~m & (x < 10)]).sum()
    (1 / x[m]).sum()
    n.where(x[m] > 0, x[m], 2 * x[m]).sum()
    n.clip(x[m], -1, 1).sum()
    n.maximum(x[m], 0).sum()
    n.hypot(x[m], y[m]).sum()
    (-x[m]).sum()
    abs(x[m]).sum()
    (2 - x[m]).sum()
    (y[:1] * x[m]).sum()
    (x[m] % 2).sum()
    (i[m] // 2).sum()
    (i[m] & 1).sum()
    x[m].astype(i.dtype).sum()
    x[m].round().sum()
    (x[m] - x[m].mean()).std()
    n.mean(n.abs(x[m] - n.median(x[m])))
    n.arcsin(x[m] / 4).sum()
    n.arctan2(x[m], y[m]).sum()
    n.interp(x[m], n.array([0., 1, 2]), n.array([0., 10, 30])).sum()
    n.isin(i[m], n.array([1, 5])).sum()
    n.searchsorted(n.array([0., 1, 2]), x[m]).sum()
    x[m].real.sum()
    n.reciprocal(x[m]).sum()
    (x[m] == x[m]).all()
    n.isnan(x[y < 5]).sum()
    x[m][x[m] > 0].mean()
    y[m][x[m] > 0].sum()
    x[m][::2].sum()
    x[m][1:].sum()
    x[m][1:-1].sum()
    x[m][-3:].sum()
    x[m][::-1][0]
    x[m][0] + x[m][-1]
    x[m][i[1]]
    x[m][n.array([0, 2])]
    x[m][None].sum(1)
"""
SHAPED = """
    a[r].sum()
    a[r].sum(0)
    a[r].sum(axis=1).max()
    a[r].mean(0)
    a[r].mean(1).sum()
    a[r].max(0)
    a[r].std(0)
    a[r, 0].sum()
    a[0, c].sum()
    a[r][:, 1].max()
    a[r, :2].sum(0)
    a[:, c][2].sum()
    a[2][c].sum()
    a[:, c].sum(1)[0]
    a[..., c][0].max()
    a[r][:, c].sum()
    a[r][:, c].sum(0).max()
    a[n.isfinite(a)].sum()
    a[n.isfinite(a)].mean()
    n.median(a[n.isfinite(a)])
    a[n.isfinite(a)].argmax()
    a[r].ravel().sum()
    a[r].T.sum(1)
    a[r].T @ y[:4][r]
    a[r].T @ a[r]
    (a[r] @ y[:3]).sum()
    y[:4][r] @ a[r]
    n.dot(y[:4][r], y[:4][r])
    (a[r] * y[:3]).sum(0)
    (a[r] * y[:4][r][:, None]).sum(0)
    (a[r] - a[r].mean(0)).std(0)
    (y[:4][r][:, None] - y[:4][r][None]).sum()
    a[r].argmax(0)
    a[r].argmin(1).sum()
    n.linalg.norm(a[r], axis=1).sum()
    n.linalg.norm(a[r], axis=0)
    n.median(a[r], axis=0)
    n.quantile(a[r], n.array([.2, .7]), axis=0)
    n.sort(a[r], axis=0)[0]
    a[r].cumsum(0)[-1]
    a[r].cumsum(1).sum()
    a[r].any(1).sum()
    a[r][..., None].sum()
    a[r, None].sum()
    n.outer(y[:4][r], y[:4][r]).sum()
    n.einsum('ni,nj->ij', a[r], a[r])
    n.einsum('ni,j', a[r], y[:3]).sum()
    n.einsum('n,n', y[:4][r], y[:4][r])
    n.take_along_axis(a[r], (i[:4, None] % 3)[r], 1).sum()
    n.histogram(y[m], n.array([0., 1, 2, 5]))[0]
    a[n.array([0, 2])][:, c].sum()
    n.cov(a[r].T)
    n.cov(a[r], rowvar=False)
    n.cov(a[r].T, y[:4][r])
    n.corrcoef(a[r], rowvar=False)
    n.diff(a[r], axis=0).sum(0)
    n.diff(a[r], axis=1).sum()
    n.trapezoid(a[r], axis=0)
    n.trapezoid(a[r], axis=1).sum()
    n.concatenate([a[r], a[2:3]]).sum(0)
    n.concatenate([a[r], a[r]], axis=1).sum(0)
    n.hstack([a[r], a[r]]).sum(0)
    n.take(a[r], 1, axis=0).sum()
"""
PLACES = """
    n.where(m)[0].max()
    n.where(x > 1)[0][0]
    n.where(x > 1)[0][-1]
    n.nonzero(m)[0].sum()
    n.flatnonzero(m).sum()
    n.argwhere(m).sum()
    n.argwhere(a > 2).max(0)
    n.nonzero(a > 2)[1].max()
    x[n.where(m)[0]].sum()
    x[n.where(m)].sum()
    a[n.where(a > 7)].sum()
    a[n.where(r)[0], 0].sum()
    n.where(m)[0][x[m].argmax()]
    n.where(m)[0].mean()
    y[i[m] % 8].sum()
    y[n.nonzero(x[m] > 0)[0]].sum()
    a[n.where(r)[0]].sum(0)
    a[r, i[:4][r] % 3].sum()
    n.compress(m, x).sum()
    x.compress(m).max()
    n.compress(r, a, axis=0).sum(0)
    n.extract(m, x).mean()
    n.extract(a > 2, a).min()
"""
ALL = {
    text.strip(): eval(f"lambda n, x, m, y, i, a, r, c: {text.strip()}")
    for text in (REDUCED + MAPPED + SHAPED + PLACES).splitlines()
    if text.strip()
}
ARGUMENTS = (X, M, Y, I, A, R, C)


def by_numpy(arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return {text: f(np, *arguments) for text, f in ALL.items()}


def assert_equal(ours, theirs, text, rtol=2e-5):
    np.testing.assert_allclose(np.asarray(ours, theirs.dtype), theirs, rtol, 1e-5, err_msg=text)


def results(*arguments):
    return {text: f(jnp, *arguments) for text, f in ALL.items()}


@standard
def test_values_are_those_of_numpy_under_jit():
    expected = by_numpy(ARGUMENTS)
    eager, jitted = results(*map(jnp.asarray, ARGUMENTS)), ax.jit(results)(*ARGUMENTS)
    for text, theirs in expected.items():
        assert_equal(eager[text], np.asarray(theirs), text)
        assert_equal(jitted[text], np.asarray(theirs), text)
        before, after = (jnp.asarray(v).aval for v in (eager[text], jitted[text]))
        assert (before.shape, before.dtype) == (after.shape, after.dtype), text


@standard
@pytest.mark.parametrize("jitted", [False, True])
def test_values_are_those_of_each_element_under_vmap(jitted):
    masks = [M, M & (X > -1), M & (X > 0.2)]
    batch = [np.stack([X, X + 1, X * 2]), np.stack(masks), *[np.stack([v] * 3) for v in (Y, I)],
             np.stack([A, A, A]), np.stack([R, ~R | R, np.array([True, False, True, True])]), np.stack([C, C, C])]
    mapped = ax.vmap(results)
    out = (ax.jit(mapped) if jitted else mapped)(*batch)
    for k in range(3):
        for text, theirs in by_numpy([v[k] for v in batch]).items():
            assert_equal(out[text][k], np.asarray(theirs), text)


@standard
def test_derivatives_do_not_see_what_is_not_selected():
    """Gradients under `jit` are those outside of it, where the elements are picked first; forwards too."""

    def smooth(x, y, a):
        out = results(x, M, y, I, a, R, C)
        return {k: v.sum() for k, v in out.items() if jnp.issubdtype(v.dtype, jnp.floating)}

    def traced(x, y, a, m, r, c):
        out = results(x, m, y, jnp.asarray(I), a, r, c)
        return {k: v.sum() for k, v in out.items() if jnp.issubdtype(v.dtype, jnp.floating)}

    eager = ax.jacrev(smooth, (0, 1, 2))(X, Y, A)
    backwards = ax.jit(ax.jacrev(traced, (0, 1, 2)))(X, Y, A, M, R, C)
    forwards = ax.jit(ax.jacfwd(traced, (0, 1, 2)))(X, Y, A, M, R, C)
    for text, wanted in eager.items():
        for name, e, b, f in zip("xya", wanted, backwards[text], forwards[text]):
            if not np.isfinite(e).all():
                continue  # of an element that is selected, or picked out of those by a second mask
            assert_equal(b, np.asarray(e), f"{text} by {name}", 1e-4)
            assert_equal(f, np.asarray(e), f"{text} by {name}, forwards", 1e-4)


def test_the_mask_may_be_equal_without_being_one_value():
    """A mask that is computed twice in the same way selects the same elements."""
    f = ax.jit(lambda x, y: ((x[y > 1] - y[y > 1]) ** 2).sum())
    np.testing.assert_allclose(f(Y + 1, Y), ((Y + 1)[Y > 1] - Y[Y > 1]).sum(), rtol=1e-6)
    g = ax.jit(ax.vmap(ax.grad(lambda x, y: (x[y != -1] * y[y != -1]).sum())))
    np.testing.assert_array_equal(g(Y[None], Y[None]), Y[None])
    with pytest.raises(errors.NonConcreteBooleanIndexError, match="two masks, which may differ"):
        ax.jit(lambda x, y: (x[y > 1] - y[y > 2]).sum())(Y, Y)
    with pytest.raises(errors.NonConcreteBooleanIndexError):
        key = ax.random.key(0)
        ax.jit(lambda x, p, q: (x[p] - x[q]).sum())(Y, M, ax.random.bernoulli(key, shape=(8,)))


@standard
def test_inside_of_loops_branches_and_checkpoints():
    @ax.jit
    def f(x, m):
        def step(total, row):
            return total + row[m].sum(), jnp.log(row[m]).mean()

        total, means = lax.scan(ax.checkpoint(step), 0.0, jnp.stack([x, 2 * x]))
        chosen = lax.cond(total > 0, lambda v: v[m].max(), lambda v: v[m].min(), x)
        return total + means.sum() + chosen

    y = Y[M]
    wanted = 3 * y.sum() + np.log(y).mean() + np.log(2 * y).mean() + y.max()
    np.testing.assert_allclose(f(Y, M), wanted, rtol=1e-5)
    gradient = ax.jit(ax.grad(f))(np.where(M, Y, np.nan).astype("float32"), M)
    n = M.sum()
    np.testing.assert_allclose(gradient, np.where(M, 3 + 2 / (n * Y) + (Y == y.max()), 0), rtol=1e-5)


@pytest.mark.skipif(bool(ACTIVE), reason="it sets the modes itself")
@pytest.mark.parametrize("x64", [False, True])
def test_no_promotion_is_implicit(x64):
    """What does without promotion when the mask is known does so when it is not."""
    tried = 0
    with ax.enable_x64(x64), ax.numpy_rank_promotion("raise"), ax.numpy_dtype_promotion("strict"):
        arrays = [jnp.asarray(v) for v in ARGUMENTS]
        programs = {text: lambda *v, f=f: f(jnp, *v) for text, f in ALL.items()}
        for text, f in {**programs, **UPDATED}.items():
            try:
                known = f(*arrays)
            except (ValueError, TypeError):
                continue  # the program itself promotes
            traced = ax.eval_shape(f, *arrays)
            assert (traced.shape, traced.dtype) == (known.shape, known.dtype), text
            tried += 1
    assert tried > 100


# ---- nothing is selected -------------------------------------------------------------------------


@standard
def test_of_nothing():
    """Sums are 0, what has no value is NaN, or for integers what changes no extremum; a position is -1."""
    none = np.zeros(8, bool)
    out = ax.jit(lambda x, i, m: dict(
        sum=x[m].sum(), prod=x[m].prod(), all=(x[m] > 0).all(), any=(x[m] > 0).any(), mean=x[m].mean(),
        var=x[m].var(), max=x[m].max(), min=x[m].min(), median=jnp.median(x[m]), first=x[m][0],
        norm=jnp.linalg.norm(x[m]),
        greatest=i[m].max(), least=i[m].min(), position=x[m].argmax(), place=jnp.where(m)[0][0],
    ))(Y, I, none)
    nan = dict.fromkeys(("mean", "var", "max", "min", "median", "first"), np.nan)
    info = np.iinfo(np.int32)
    wanted = dict(sum=0, prod=1, all=True, any=False, norm=0, greatest=info.min, least=info.max, position=-1,
                  place=info.min, **nan)
    for name, value in out.items():
        np.testing.assert_equal(np.asarray(value)[()], wanted[name], err_msg=name)
    gradient = ax.jit(ax.grad(lambda x, m: x[m].sum() + x[m].max() + jnp.median(x[m])))(Y, none)
    np.testing.assert_array_equal(gradient, 0)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint32", "float16", "bfloat16", "complex64"])
def test_dtypes_are_those_of_eager_calls(dtype):
    x = jnp.array([1, 0, 3, 2], dtype)
    m = jnp.array([True, False, True, True])
    names = "sum prod mean max min any all var argmax ptp median count_nonzero".split()
    for name in names:
        if dtype == "bool" and name == "ptp" or dtype == "complex64" and name in ("argmax", "median", "ptp"):
            continue
        f = lambda x, m, name=name: getattr(jnp, name)(x[m])
        eager, jitted = f(x, m), ax.jit(f)(x, m)
        assert (eager.dtype, eager.weak_type) == (jitted.dtype, jitted.weak_type), name
        np.testing.assert_allclose(np.asarray(jitted, "complex64"), np.asarray(eager, "complex64"), 1e-2, err_msg=name)


# ---- updates -------------------------------------------------------------------------------------

UPDATES = """
    x.at[m].set(0)
    x.at[m].set(y[0])
    x.at[m].set(y[m])
    x.at[m].set(y[:1])
    x.at[m].add(1)
    x.at[m].add(2 * x[m])
    x.at[m].subtract(y[m])
    x.at[m].multiply(3)
    x.at[m].divide(2)
    x.at[m].power(2)
    x.at[m].min(1)
    x.at[m].max(y[m])
    x.at[m].apply(jnp.sin)
    x.at[m].get().sum()
    x.at[~m].set(x[m].mean())
    i.at[m].add(1)
    i.at[m].set(7)
    a.at[r].set(0)
    a.at[r].set(y[:3])
    a.at[r].add(a[r])
    a.at[r, 0].set(5)
    a.at[0, c].set(5)
    a.at[1:, c].multiply(2)
    a.at[:, c].set(y[:4, None])
    a.at[:, c].set(a[:, c] - 1)
    a.at[a > 2].set(0)
    a.at[a > 2].add(a[a > 2])
    a.at[jnp.isnan(a)].set(0).at[jnp.isinf(a)].set(1)
    a.at[..., c].add(1)
    a.at[r, None].add(1)
    a.at[m[0]].set(0)
    x.at[jnp.where(m)].set(0)
    x.at[jnp.where(m)[0]].add(y[m])
    x.at[i[m] % 8].add(1)
    x.at[i[m] % 8].add(y[m])
    a.at[r, i[:4][r] % 3].set(9)
    a.at[jnp.where(r)[0], 1].set(9)
    a.at[jnp.nonzero(a > 2)].set(-1)
"""
UPDATED = {
    text.strip(): eval(f"lambda x, m, y, i, a, r, c: {text.strip()}") for text in UPDATES.strip().splitlines()
}


def updated(*arguments, without="nothing"):
    return {text: f(*arguments) for text, f in UPDATED.items() if without not in text}


@standard
def test_updates_are_those_of_known_masks():
    eager, jitted = updated(*map(jnp.asarray, ARGUMENTS)), ax.jit(updated)(*ARGUMENTS)
    mapped = ax.vmap(updated)(*[v[None] for v in ARGUMENTS])
    for text, wanted in eager.items():
        for out in (jitted[text], mapped[text][0]):
            assert (out.shape, out.dtype) == (wanted.shape, wanted.dtype), text
            assert_equal(out, np.asarray(wanted), text)


@standard
def test_derivatives_of_updates():
    def summed(x, y, a, *masks):
        m, r, c = masks
        out = updated(x, m, y, jnp.asarray(I), a, r, c, without="apply")  # which has no derivative
        return {k: jnp.where(jnp.isfinite(v), v, 0).sum() for k, v in out.items() if v.dtype == "float32"}

    def loss(x, y, a):
        return summed(x, y, a, M, R, C)

    eager = ax.jacrev(loss, (0, 1, 2))(X, Y, A)
    jitted = ax.jit(ax.jacrev(summed, (0, 1, 2)))(X, Y, A, M, R, C)
    for text, wanted in eager.items():
        for name, e, j in zip("xya", wanted, jitted[text]):
            if np.isfinite(e).all():
                assert_equal(j, np.asarray(e), f"{text} by {name}", 1e-4)


@standard
def test_updates_warn_and_refuse_as_with_known_masks():
    with pytest.warns(FutureWarning, match="scatter inputs have incompatible types"):
        out = ax.jit(lambda i, m: i.at[m].set(1.5))(I, M)
    np.testing.assert_array_equal(out, np.where(M, 1, I))
    with pytest.raises(ValueError, match="Cannot broadcast to shape with fewer dimensions"):
        ax.jit(lambda x, m: x.at[m].set(jnp.ones((1, 1))))(X, M)

    def assigned(x, m):
        x[m] = 0

    def added(x, m):
        x[m] += 1

    for mistake in (assigned, added):
        with pytest.raises(TypeError, match="immutable"):
            ax.jit(mistake)(X, M)


# ---- functions of other modules ------------------------------------------------------------------


@standard
def test_activations_special_functions_and_densities():
    from scipy import special, stats

    @ax.jit
    def f(x, y, m):
        norm, gamma = ax.scipy.stats.norm, ax.scipy.stats.gamma
        return (
            ax.nn.relu(x[m]).sum(), ax.nn.sigmoid(x[m]).sum(), ax.nn.softplus(x[m]).mean(), ax.nn.softmax(x[m])[0],
            ax.nn.logsumexp(x[m]), ax.nn.log_softmax(x[m]).sum(), norm.logpdf(x[m], 1.0, 2.0).sum(),
            norm.logcdf(x[m]).sum(), gamma.logpdf(y[m], 2.0).sum(), ax.scipy.special.xlogy(y[m], y[m]).sum(),
            ax.scipy.special.logit(y[m] / 5).sum(), ax.nn.gelu(x[m]).sum(),
        )

    x, y = X[M], Y[M]
    wanted = (
        np.maximum(x, 0).sum(), special.expit(x).sum(), np.logaddexp(x, 0).mean(), special.softmax(x)[0],
        special.logsumexp(x), special.log_softmax(x).sum(), stats.norm.logpdf(x, 1, 2).sum(),
        stats.norm.logcdf(x).sum(), stats.gamma.logpdf(y, 2).sum(), special.xlogy(y, y).sum(),
        special.logit(y / 5).sum(), np.asarray(ax.nn.gelu(x)).sum(),
    )
    np.testing.assert_allclose(f(X, Y, M), wanted, rtol=1e-5)
    for k in range(len(wanted)):
        gradient = ax.jit(ax.grad(lambda x, y, k=k: f(x, y, M)[k], (0, 1)))(X, Y)
        assert all(np.isfinite(g).all() for g in gradient), k


# ---- what is refused -----------------------------------------------------------------------------

REFUSED = {
    text.strip(): eval(f"lambda m, x: {text.strip()}")
    for text in """
        x[x > 0]
        (x[x > 0], 1)
        x[x > 0].shape
        len(x[x > 0])
        list(x[x > 0])
        float(x[x > 0])
        bool(x[x > 0])
        m.numpy.stack([x[x > 0], x[x > 0]])
        m.numpy.concatenate([x[x > 0], x])
        m.numpy.asarray(x[x > 0]).shape
        m.numpy.zeros_like(x[x > 0])
        m.numpy.diff(x[x > 0])
        m.numpy.fft.fft(x[x > 0])
        m.numpy.linalg.inv(x[x > 0])
        m.numpy.reshape(x[x > 0], (2, -1))
        x[x > 0].reshape(2, 2)
        x[x > 0] + x
        x[x > 0] - x[x < 0]
        m.lax.sin(x[x > 0])
        m.lax.cond(True, lambda v: v, lambda v: v, x[x > 0])
        m.lax.scan(lambda c, v: (c, v), 0., x[x > 0])
        m.vmap(lambda v: v)(x[x > 0])
        m.jit(lambda v: v)(x[x > 0])
        m.checkpoint(lambda v: v)(x[x > 0])
        m.grad(lambda v: v.sum())(x[x > 0])
        m.tree.map(lambda v: v + m.numpy.ones(2), x[x > 0])
        x[x > 0].at[0].set(1)
        x[(x > 0)[:2]]
        m.numpy.ones((4, 4))[x > 0, x < 0]
        x.at[x > 0].set(m.numpy.ones(2))
        x.at[x > 0].get()
        m.numpy.ones((4, 4))[x > 0, m.numpy.array([0, 1])]
        np.array([1., 2.]) + x[x > 0]
        m.device_put(x[x > 0])
        m.numpy.where(x[x > 0] > 1, x, 0.)
    """.strip().splitlines()
}


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("way", ["jit", "vmap", "eval_shape"])
def test_what_needs_the_number_of_elements_is_the_error_of_jax(text, way):
    x = np.array([1.0, -1, 2, 3], np.float32)
    for m, array in ((jax, jax.numpy.asarray), (ax, jnp.asarray)):
        error = m.errors.NonConcreteBooleanIndexError
        with pytest.raises(error):
            program = lambda v, m=m: REFUSED[text](m, v)
            if way == "eval_shape":
                m.eval_shape(program, array(x))
            else:
                getattr(m, way)(program)(array(x)[None] if way == "vmap" else array(x))


@pytest.mark.parametrize("name", ["nonzero", "flatnonzero", "argwhere", "where"])
def test_positions_without_a_number_are_the_error_of_jax(name):
    for m in (jax, ax):
        with pytest.raises(m.errors.ConcretizationTypeError):
            m.jit(lambda x: getattr(m.numpy, name)(x > 0))(X)


@standard
def test_the_error_names_the_line_and_rewrites_it():
    def f(x, mask):
        y = x[mask]
        return jnp.stack([y, y])

    with pytest.raises(errors.NonConcreteBooleanIndexError) as error:
        ax.jit(f)(X, M)
    text = str(error.value)
    assert "y = x[mask]" in text and "Try: y = jnp.where(mask, x, 0)" in text
    for program, advice in (
        (lambda x, mask: len(x[mask]), "mask.sum()"),
        (lambda x, mask: x[mask].shape[0], "mask.sum()"),
        (lambda x, mask: jnp.ones((8, 2))[mask], "jnp.where(mask[..., None], jnp.ones((8, 2)), 0)"),
        (lambda x, mask: x.at[mask].set(x[:5]), "x.at[mask].set(x[:5][jnp.cumsum(mask) - 1][mask])"),
    ):
        with pytest.raises(errors.NonConcreteBooleanIndexError) as error:
            ax.jit(program)(X, M)
        assert advice in str(error.value)
    expected = X.copy()
    expected[M] = X[:5]
    out = ax.jit(lambda x, mask: x.at[mask].set(x[:5][jnp.cumsum(mask) - 1][mask]))(X, M)
    np.testing.assert_array_equal(out, expected)


@promoting
def test_the_number_of_elements_is_a_value():
    f = lambda x, m: (x[m].size, (x[m] ** 2).sum() / x[m].size, jnp.stack([x, x])[:, m].size)
    assert [5, 10] == [int(n) for n in ax.jit(f)(Y, M)[::2]]
    np.testing.assert_allclose(ax.jit(f)(Y, M)[1], (Y[M] ** 2).mean(), rtol=1e-6)


def test_positions_beyond_what_is_selected_are_filled():
    f = lambda x, m: (jnp.take(x[m], np.array([1, 9])), jnp.take(x[m], -9), jnp.take(x[m], 7, fill_value=5))
    for one, other in zip(f(jnp.asarray(Y), M), ax.jit(f)(Y, M)):
        np.testing.assert_array_equal(one, other)


def test_a_selection_is_no_array_and_no_tree():
    seen = []

    @ax.jit
    def f(x):
        y = x[x > 0]
        seen.append((isinstance(y, ax.Array), len(ax.tree.leaves(y)), repr(y), y.dtype, y.ndim, hasattr(y, "other")))
        for mistake in (hash, pickle.dumps, np.asarray, iter):
            with pytest.raises((TypeError, IndexError)):
                mistake(y)
        return y.sum()

    f(Y)
    assert seen == [(False, 1, "Selection(float32[?])", np.dtype("float32"), 1, False)]


def test_known_masks_are_numpys():
    x = jnp.asarray(Y)
    f = lambda x: x[jnp.asarray(M)]
    np.testing.assert_array_equal(ax.jit(f)(x), Y[M])
    np.testing.assert_array_equal(ax.vmap(f)(x[None]), Y[M][None])
    np.testing.assert_array_equal(ax.grad(lambda x: x[x > 1].sum())(x), Y > 1)

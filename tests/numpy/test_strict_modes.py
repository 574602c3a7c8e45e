"""The modes that refuse promotion concern the arrays of the caller, never the steps inside of a function.

In each mode real JAX traces every program, and ours has the same types, or an error of the same class; where there are
values, they are those without the mode.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

from ..lax.parity import arguments, assert_values, same_types, types
from .expressions import program, rows, same_jaxprs, same_values

_V = np.arange(32, dtype=np.float32) * 13 % 33 / 16 - 1
_STACK = np.arange(12, dtype=np.float32).reshape(2, 3, 2) ** 2
_TIMES = "m.scipy.spatial.transform.Slerp.init(n.arange(3.), m.scipy.spatial.transform.Rotation.from_rotvec(n.eye(3)))"
_WITHIN_RANKS = f"""
    m.random.multivariate_normal(m.random.key(0), n.ones(3), n.eye(3), shape=(4,))
    m.random.multivariate_normal(m.random.key(0), n.ones(3), n.eye(3), shape=(4,), method='svd')
    m.random.multivariate_normal(m.random.key(0), n.ones(3), n.eye(3), shape=(4,), method='eigh')
    m.nn.dot_product_attention(*[x.reshape(2, 4, 1, 4)] * 3, query_seq_lengths=n.arange(2))
    m.nn.dot_product_attention(*[x.reshape(2, 4, 1, 4)] * 3, key_value_seq_lengths=n.arange(2) + 1, is_causal=True)
    m.nn.dot_product_attention(*[x.reshape(8, 4, 1)] * 3, bias=n.ones((4, 8, 8)), mask=n.ones((8, 8), bool))
    m.grad(lambda u: m.nn.dot_product_attention(u, u, u, bias=n.ones((4, 8, 8))).sum())(x.reshape(8, 4, 1))
    m.vmap(lambda u: m.nn.dot_product_attention(u, u, u, bias=n.ones((2, 4, 4))))(x.reshape(2, 4, 2, 2))
    m.jvp(n.linalg.pinv, (y,), (y,))
    n.linalg.pinv(y[None], n.full(2, .1))
    n.linalg.pinv(y, n.full((1, 2), .1))
    n.linalg.matrix_rank(y[None], n.ones(2))
    m.jvp(n.linalg.det, (n.ones((2, 4, 4)),), (n.ones((2, 4, 4)),))
    n.packbits(n.ones((2, 8), 'uint8'), axis=1)
    n.unpackbits(n.ones(3, 'uint8'))
    n.polyfit(n.arange(5.), n.arange(10.).reshape(5, 2), 1)
    n.array_equiv(n.ones((2, 3)), n.ones(3))
    n.heaviside(n.ones((2, 3)), n.ones(3))
    n.gcd(n.ones((2, 3), int), n.ones(3, int))
    n.lcm(n.ones((2, 3), int), n.ones(3, int))
    n.linspace(n.ones(3), n.ones(3))
    n.linspace(n.ones((2, 3)), n.ones(3))
    n.geomspace(n.ones((2, 3)), n.ones(3))
    n.matvec(n.ones((2, 3, 3)), n.ones(3))
    n.vecmat(n.ones(3), n.ones((2, 3, 3)))
    n.vecdot(n.ones(3), n.ones((2, 3)))
    n.linalg.solve(n.eye(3), n.ones((3, 2)))
    n.linalg.solve(n.eye(3) + n.zeros((2, 1, 1)), n.ones(3))
    n.vectorize(n.add, signature='(),()->()')(n.zeros((3, 3)), n.zeros(3))
    n.vectorize(n.add)(n.zeros((3, 3)), 1.)
    n.vectorize(n.dot, signature='(n),(n)->()')(n.zeros((3, 3)), n.zeros(3))
    n.vectorize(lambda x, y: x @ y, signature='(m,n),(n)->(m)')(n.zeros((3, 3)), n.zeros(3))
    m.scipy.special.multigammaln(n.full((2, 3), 5.), 2)
    m.scipy.signal.stft(x, nperseg=8)
    m.scipy.signal.istft(m.scipy.signal.stft(x, nperseg=8)[2], nperseg=8)
    m.scipy.signal.csd(x, x, nperseg=8)
    m.scipy.signal.welch(x, nperseg=8)
    {_TIMES}(1.5).as_quat()
    m.scipy.linalg.polar(n.ones((4, 3)), method='svd')
    m.scipy.linalg.polar(n.ones((3, 4)), 'left', method='svd')
"""
_COMPLEX = "(n.eye(4) + 1j)"
_WITHIN_DTYPES = f"""
    n.nanvar(x)
    n.nanstd(x, ddof=1)
    m.jvp(n.linalg.slogdet, ({_COMPLEX},), ({_COMPLEX},))
    m.grad(lambda a: n.linalg.slogdet(a)[1])({_COMPLEX})
    m.scipy.stats.sem(x)
    m.scipy.optimize.minimize(lambda x: (x * x).sum(), n.ones(2), method='BFGS').x
    m.scipy.optimize.minimize(lambda x: (x * x).sum(), n.ones(2), method='L-BFGS-experimental-do-not-rely-on-this').x
    m.scipy.sparse.linalg.gmres(lambda x: x * 2, n.ones(2, 'complex64'))[0]
    m.scipy.linalg.rsf2csf(n.eye(2), n.eye(2))
    m.scipy.signal.csd(x, x + 1, nperseg=8)
    m.scipy.signal.welch(x, nperseg=8)
    m.scipy.signal.stft(x, nperseg=8)
    m.scipy.signal.istft(m.scipy.signal.stft(x, nperseg=8)[2], nperseg=8)
    m.scipy.fft.dct({_COMPLEX})
    m.scipy.fft.dctn({_COMPLEX})
    m.scipy.linalg.expm(n.eye(2))
    n.mgrid[0:3, 0:1:5j]
    n.fft.rfftfreq(6, dtype='int32')
    n.intersect1d(n.ones(2, bool), n.ones(2, bool), size=4)
    n.histogram2d(*[n.arange(4, dtype='int8')] * 2, weights=n.arange(4, dtype='int8'))
    n.histogramdd(n.ones((4, 2), 'int8'), weights=n.arange(4, dtype='int8'))
    n.histogramdd(n.ones((4, 2), 'int8'), weights=n.arange(4))
"""


_ARRAYS = _V, _STACK


@pytest.mark.parametrize("row", rows(_WITHIN_RANKS))
def test_steps_inside_of_functions_need_no_promotion_of_ranks(row):
    _same_in_mode("numpy_rank_promotion", "raise", program(row))


@pytest.mark.parametrize("row", rows(_WITHIN_DTYPES))
def test_steps_inside_of_functions_need_no_promotion_of_dtypes(row):
    _same_in_mode("numpy_dtype_promotion", "strict", program(row))


def _same_in_mode(option, value, f):
    ours = partial(f, adjoint, *arguments(adjoint, _ARRAYS))
    expected = adjoint.tree.leaves(ours())
    with getattr(jax, option)(value), getattr(adjoint, option)(value):
        same_types(f, *_ARRAYS, lines=False)
        if isinstance(types(adjoint, f, _ARRAYS), list):
            # A first call runs operation by operation, a later one may be compiled as a whole.
            assert_values(expected, adjoint.tree.leaves(ours()), rtol=1e-6)


def test_stacks_of_matrices_are_factored_where_ranks_are_not_promoted():
    a = np.arange(18.0, dtype=np.float32).reshape(2, 3, 3)
    with adjoint.numpy_rank_promotion("raise"):
        p, low, high = adjoint.scipy.linalg.lu(a)
    np.testing.assert_allclose(p @ low @ high, a, rtol=1e-5, atol=1e-5)


def test_promoted_ranks_are_warned_of_as_jax_does():
    warn = jax.numpy_rank_promotion("warn"), adjoint.numpy_rank_promotion("warn")
    with warnings.catch_warnings(record=True) as told, warn[0], warn[1]:
        warnings.simplefilter("always")
        for m in (jax, adjoint):
            x, y = m.numpy.ones(2), m.numpy.ones((1, 2))
            for promote in (lambda n, x, y: x + y, lambda n, x, y: n.vectorize(n.add)(x, y)):
                promote(m.numpy, x, y)
    texts = [(w.category, str(w.message)) for w in told]
    assert len(texts) == 4 and texts[:2] == texts[2:]


def test_the_message_about_ranks_says_what_to_write():
    with adjoint.numpy_rank_promotion("raise"), pytest.raises(ValueError, match=r"for add on shapes") as error:
        adjoint.numpy.ones(2) + adjoint.numpy.ones((1, 1, 2))
    assert "Try: x[None, None] for the operand x of shape (2,)" in str(error.value)


_IN_64_BITS = """
    n.sum(x > 0)
    n.prod(x > 0, dtype='float32')
    n.mean(x, where=x > 0)
    n.count_nonzero(x)
    n.median(x, axis=1)
    n.quantile(x, .3, axis=1)
    n.nanquantile(x, .3, axis=1)
    n.take(x, y, axis=0)
    n.take(x, y, mode='wrap')
    n.take(x, y, mode='clip', axis=1)
    x[y[:, None], y]
    x.at[y, y[:, None].astype('int32')].add(1.)
"""


def test_programs_in_64_bits_are_those_of_jax():
    a, i = _V.reshape(4, 8), np.array([0, 1, -1])
    with jax.enable_x64(True), adjoint.enable_x64(True):
        same_jaxprs(_IN_64_BITS, a, i)
        same_values(_IN_64_BITS, a, i)


def test_what_a_mask_leaves_open_is_said_before_dtypes_are_compared():
    with jax.numpy_dtype_promotion("strict"), adjoint.numpy_dtype_promotion("strict"):
        for m in (jax, adjoint):
            x, values = m.numpy.ones(3), m.numpy.ones(2, int)
            with pytest.raises(m.errors.NonConcreteBooleanIndexError):
                m.jit(lambda x, values: x.at[x > 0].set(values))(x, values)
            with pytest.raises(m.dtypes.TypePromotionError if m is adjoint else ValueError, match="promotion"):
                x.at[x > 0].set(m.numpy.ones(3, int))

"""Products of vectors, matrices and batches of them, and `einsum`: values, types, jaxprs and errors as in JAX."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import adjoint.numpy

from .expressions import numbers, same_derivatives, same_errors, same_jaxprs, same_values

PAIRS = [
    ((), ()), ((), (3,)), ((3,), ()), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)),
    ((5, 2, 3), (3,)), ((3,), (5, 3, 2)), ((5, 2, 3), (5, 3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (4, 3, 2)), ((5, 2, 3), (4, 1, 3, 2)), ((1, 2, 3), (5, 3, 4)), ((2, 0), (0, 3)),
    ((1, 1, 2, 3), (1, 3, 4)),
]
CONTRACTIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)), ("ij->ji", (2, 3)), ("ij->", (2, 3)),
    ("ij->i", (2, 3)), ("ii", (3, 3)), ("ii->i", (3, 3)), ("iii->i", (2, 2, 2)), ("iij,jk->ik", (3, 3, 2), (2, 4)),
    ("i,j->ij", (3,), (4,)), ("i,i->i", (3,), (3,)), ("i,i", (3,), (3,)), ("...ij,jk->...ik", (5, 2, 3), (3, 4)),
    ("...i,i...->...", (4, 2, 3), (3, 4, 2)), ("ab,bc,cd->ad", (2, 3), (3, 4), (4, 5)),
    ("bqhd,bkhd->bhqk", (2, 4, 3, 5), (2, 6, 3, 5)), ("bhqk,bkhd->bqhd", (2, 3, 4, 6), (2, 6, 3, 5)),
    ("abc,bad->cdab", (2, 3, 4), (3, 2, 5)), ("ij,kl->il", (2, 3), (4, 5)), ("ij,jk->ik", (2, 1), (3, 4)),
    ("bqd,bkd->bqk", (1, 3, 4), (2, 5, 4)), ("ab,b->ab", (2, 3), (3,)), ("ijij->ij", (2, 3, 2, 3)),
    ("a,b,c->abc", (2,), (3,), (4,)), ("ij,ij,ij->ij", (2, 3), (2, 3), (2, 3)),
    ("ij,kl,mn->", (2, 3), (4, 5), (2, 2)), (",i->i", (), (3,)), ("ij,jk", (2, 0), (0, 3)),
    ("abyx,cxy->abc", (2, 3, 5, 4), (6, 4, 5)), ("ba,cb", (2, 3), (4, 2)),
]


@pytest.mark.parametrize("left, right", PAIRS)
def test_shapes(left, right):
    """Each product that takes operands of these shapes."""
    names = ["dot", "outer", "kron"]
    if left and right:
        names += ["matmul", "vdot"] if left == right or len(left) + len(right) > 2 else ["matmul"]
    names = [n for n in names if n != "vdot" or np.prod(left) == np.prod(right)]
    if len(right) > 1 and len(right) - 2 and (left[-1] != right[-2] or len(left) > 3):
        names.remove("dot")
    if left and right and left[-1] == right[-1]:
        names += ["inner", "vecdot"]
    if len(left) > 1 and len(right) == 1:
        names.append("matvec")
    if len(right) > 1 and len(left) == 1:
        names.append("vecmat")
    same_values("\n".join(f"n.{name}(x, y)" for name in names), numbers(shape=left), numbers(shape=right, seed=1),
                rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.int32, bool, ml_dtypes.bfloat16, np.complex64, np.int8])
def test_dtypes(dtype):
    """Operands of one dtype, of two, and Python scalars."""
    names = ("dot", "matmul", "inner", "vdot", "vecdot", "outer", "kron", "tensordot")
    names = [n for n in names if dtype is not bool or n != "kron"]
    table = "\n".join(f"n.{name}(x, x)\nn.{name}(x, y)" for name in names)
    table += "\nn.dot(2., x)\nn.inner(x, 2)\nn.outer(2, x)" + "\nn.dot(x, 2)" * (dtype is not np.int8)
    rtol = 2e-2 if dtype is ml_dtypes.bfloat16 else 1e-5
    same_values(table, numbers(dtype, (3, 3)), numbers(shape=(3, 3), seed=1), rtol=rtol)


@pytest.mark.parametrize("spec, shapes", [(c[0], c[1:]) for c in CONTRACTIONS])
def test_einsum(spec, shapes):
    arrays = [numbers(shape=s, seed=i) for i, s in enumerate(shapes)]
    expression = f"n.einsum('{spec}', {', '.join('xyz'[: len(arrays)])})"
    same_values(expression, *arrays, rtol=1e-5)
    same_jaxprs(expression, *arrays)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_sums_of_one_term_keep_the_sign_of_zero(dtype):
    products = [
        "n.dot(x, y)", "n.dot(x[0], y)", "n.einsum('i,i->i', x, y)", "n.einsum('bi,bi->b', x[None], y[None])",
        "n.einsum('bi,bij->bj', x[None], n.stack([y, y], 1)[None])", "n.tensordot(x, y, 0)", "n.outer(x, y)",
        "n.tile(x, 3)[:, None] @ y[None]", "n.tile(x, 3)[:, None] @ n.tile(y, 4)[None]", "n.tile(x, 3)[:, None] @ y",
        "y @ n.tile(x, 3)[None]", "n.tile(x, (2, 3, 1)) @ n.tile(y, (2, 1, 3))", "n.vdot(x, y)",
    ]
    same_values("\n".join([f"1 / {p}" for p in products]), np.zeros(1, dtype), -np.ones(1, dtype))


def test_arguments():
    same_values(
        """
        n.einsum(x, [0, 1], y, [1, 2], [0, 2])
        n.einsum(x, [0, 1], y, [1, 2])
        n.einsum(x, ['a', ...], y, [..., 'b'], ['b', 'a'])
        n.einsum('ij,jk,kl', x, y, x, optimize=False)
        n.einsum('ij,jk,kl', x, y, x, optimize=True)
        n.einsum('ij,jk->ik', x, y, preferred_element_type='float16')
        n.tensordot(x, y, 1)
        n.tensordot(x, y, 0)
        n.tensordot(x, y, ((0, 1), (0, 1)))
        n.tensordot(x, y, ((0,), (1,)))
        n.tensordot(x, y, (0, -1))
        n.matmul(x, y, preferred_element_type='float16')
        n.dot(x, y, precision='highest')
        n.cross(x, y)
        n.cross(x, y, axis=0)
        n.cross(x, y, axisa=0, axisc=0)
        n.cross(x[:, :2], y)
        n.cross(x[:, :2], y[:, :2])
        n.vecdot(x, y, axis=0)
        x @ y
        2. * x @ y
        x.dot(y)
        """,
        numbers(shape=(3, 3)), numbers(shape=(3, 3), seed=2), rtol=2e-3,
    )


def test_derivatives():
    same_derivatives(
        """
        n.dot(x, y)
        n.matmul(x, y)
        n.matmul(n.stack([x, y]), y)
        n.inner(x, y)
        n.outer(x, y)
        n.vdot(x, y)
        n.vecdot(x, y)
        n.tensordot(x, y, 1)
        n.kron(x, y)
        n.cross(x, y)
        n.einsum('ij,jk,ki->k', x, y, x)
        n.einsum('ii,ij->j', x, y)
        """,
        numbers(shape=(3, 3)), numbers(shape=(3, 3), seed=1),
    )


def test_jaxprs():
    same_jaxprs(
        """
        n.dot(x[0], y)
        n.dot(x, 2.)
        n.matmul(x, y)
        x @ y[0]
        n.matmul(n.stack([x, x]), n.stack([y, y]))
        n.matmul(n.stack([x, x]), y)
        n.matmul(x[:, None], y)
        n.inner(x, y)
        n.inner(x, 2.)
        n.vdot(x, y)
        n.vecdot(x, y)
        n.matvec(x, y[0])
        n.vecmat(x[0], y)
        n.outer(x, y)
        n.tensordot(x, y, axes=((0, 1), (0, 1)))
        n.cross(x, y)
        n.kron(x, y)
        n.einsum('ij,j->i', x, y[0], precision='highest')
        """,
        numbers(shape=(3, 3)), numbers(shape=(3, 3), seed=1),
    )
    same_jaxprs("n.dot(x, y)\nn.matmul(x, y)\nn.einsum('i,i', x, y)\nn.outer(x, y)", numbers(np.int32, (3,)),
                numbers(shape=(3,)))


def test_errors():
    same_errors(
        """
        n.dot(x, n.ones((4, 3)))
        n.dot([1, 2], x)
        n.dot(x, x, precision='foo')
        n.matmul(2., x)
        n.matmul(x, n.ones((4, 3)))
        n.matmul(n.ones((2, 2, 3)), n.ones((3, 3, 2)))
        n.inner(x, n.ones(4))
        n.vdot(x, n.ones(4))
        n.vecdot(x, n.ones(4))
        n.matvec(x[0], x[0])
        n.matvec(x, n.ones(4))
        n.vecmat(x[0], x[0])
        n.outer(x, x, out=x)
        n.tensordot(x, x, 3)
        n.tensordot(x, x, ((0,), (0, 1)))
        n.tensordot(x, x, 'a')
        n.tensordot(x, n.ones(4), 1)
        n.cross(x, n.ones(4))
        n.einsum('i,j', x)
        n.einsum('i', x)
        n.einsum('ij->k', x)
        n.einsum('ij->ii', x)
        n.einsum('i.', x)
        n.einsum('ij,jk', x, n.ones((4, 3)))
        n.einsum('ij', x, out=x)
        """,
        numbers(shape=(3, 3)),
    )


@pytest.mark.parametrize("text", [
    "m.ones(3, 'int2') @ 1.5", "1.5 @ m.ones(3, 'int2')", "m.matmul(m.ones(3, 'int4'), 2.5)"])
def test_a_scalar_is_named_before_dtypes_that_do_not_go_together(text):
    with pytest.raises(ValueError, match=r"matmul input operand \d must have ndim at least 1"):
        eval(text, dict(m=adjoint.numpy))

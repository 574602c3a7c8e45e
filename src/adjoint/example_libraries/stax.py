"""Neural networks as pairs of functions, as `jax.example_libraries.stax`.

    init, apply = serial(Dense(32), Relu, Dense(2))
    out_shape, params = init(key, (-1, 8))
    out = apply(params, x)

A layer is `(init, apply)`: `init(key, input_shape)` gives the shape of its results and its parameters, and
`apply(params, inputs, **kwargs)` the results. `serial` and `parallel` make one layer of several. A length of -1 in a
shape is one that may be any, such as that of a batch.

Tests: `tests/example_libraries/test_stax.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import lax, random
from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..nn import elu, gelu, leaky_relu, log_softmax, relu, selu, sigmoid, softmax, softplus, standardize
from ..nn.initializers import glorot_normal, normal, ones, zeros
from ..transforms.jit.staging import ShapeDtypeStruct, eval_shape

__all__ = [
    "AvgPool", "BatchNorm", "Conv", "Conv1DTranspose", "ConvTranspose", "Dense", "Dropout", "Elu", "Exp", "FanInConcat",
    "FanInSum", "FanOut", "Flatten", "Gelu", "GeneralConv", "GeneralConvTranspose", "Identity", "LeakyRelu",
    "LogSoftmax", "MaxPool", "Relu", "Selu", "Sigmoid", "Softmax", "Softplus", "SumPool", "Tanh", "elementwise", "elu",
    "gelu", "glorot", "glorot_normal", "leaky_relu", "log_softmax", "logsoftmax", "normal", "ones", "parallel", "randn",
    "relu", "selu", "serial", "shape_dependent", "sigmoid", "softmax", "softplus", "standardize", "zeros",
]

Layer = tuple[Callable[..., tuple[Any, Any]], Callable[..., Any]]

glorot = glorot_normal
randn = normal
logsoftmax = log_softmax


# ---- layers with parameters -----------------------------------------------------------------------


def Dense(out_dim: int, W_init=glorot_normal(), b_init=normal()) -> Layer:  # noqa: B008
    """Return a layer `x @ W + b`.

    Args:
      out_dim: the number of outputs.
      W_init: an initializer of the kernel: ``W_init(key, shape)``.
      b_init: an initializer of the bias.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: the last axis of the input is not that of `init`, or `out_dim` is no int.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.Dense(4)
    >>> shape, (W, b) = init(random.key(0), (-1, 3))
    >>> shape, W.shape, b.shape, apply((W, b), jnp.ones((2, 3))).shape
    ((-1, 4), (3, 4), (4,), (2, 4))
    """

    def init(rng, input_shape):
        k1, k2 = random.split(rng)
        return (*input_shape[:-1], out_dim), (W_init(k1, (input_shape[-1], out_dim)), b_init(k2, (out_dim,)))

    def apply(params, inputs, **kwargs):
        W, b = params
        out = jnp.dot(inputs, W)
        return out + jnp.expand_dims(b, tuple(range(out.ndim - 1)))

    return init, apply


def _convolution(apply_to: Callable, dimension_numbers, out_chan, filter_shape, W_init, b_init) -> Layer:
    """Return a layer `apply_to(inputs, W) + b`, whose kernel and bias are arranged as the letters say."""
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    W_init = W_init or glorot_normal(rhs_spec.index("I"), rhs_spec.index("O"))

    def init(rng, input_shape):
        window = iter(filter_shape)
        special = {"O": out_chan, "I": input_shape[lhs_spec.index("C")]}
        kernel = tuple([special[c] if c in special else next(window) for c in rhs_spec])
        bias = tuple([out_chan if c == "C" else 1 for c in out_spec])
        k1, k2 = random.split(rng)
        params = W_init(k1, kernel), b_init(k2, bias)
        struct = lambda shape: ShapeDtypeStruct([n if n > 0 else 1 for n in shape], np.float32)
        out = list(eval_shape(apply_to, struct(input_shape), struct(kernel)).shape)
        out[out_spec.index("N")] = input_shape[lhs_spec.index("N")]
        return tuple(out), params

    def apply(params, inputs, **kwargs):
        W, b = params
        return apply_to(inputs, W) + b

    return init, apply


def GeneralConv(
    dimension_numbers, out_chan: int, filter_shape: Sequence[int], strides=None, padding="VALID", W_init=None,
    b_init=normal(1e-6),  # noqa: B008
) -> Layer:
    """Return a layer that is a convolution, with a bias; `Conv` is one of images, (N, H, W, C).

    Args:
      dimension_numbers: letters of the axes of input, kernel and output, as in `lax.conv_general_dilated`.
      out_chan: the number of output features.
      filter_shape: lengths of the kernel along the spatial axes.
      strides: steps of the kernel; 1 by default.
      padding: "VALID", "SAME", or pairs of numbers.
      W_init: an initializer of the kernel: ``W_init(key, shape)``.
      b_init: an initializer of the bias.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      IndexError: the input has fewer axes than its letters in `dimension_numbers`.
      RuntimeError: `padding` is no known name.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.GeneralConv(("NCHW", "OIHW", "NCHW"), 4, (3, 3))
    >>> shape, params = init(random.key(0), (2, 3, 8, 8))
    >>> shape
    (2, 4, 6, 6)
    """
    strides = strides or (1,) * len(filter_shape)
    convolve = lambda x, W: lax.conv_general_dilated(x, W, strides, padding, dimension_numbers=dimension_numbers)
    return _convolution(convolve, dimension_numbers, out_chan, filter_shape, W_init, b_init)


Conv = partial(GeneralConv, ("NHWC", "HWIO", "NHWC"))


def GeneralConvTranspose(
    dimension_numbers, out_chan: int, filter_shape: Sequence[int], strides=None, padding="VALID", W_init=None,
    b_init=normal(1e-6),  # noqa: B008
) -> Layer:
    """Return a layer that is a transposed convolution, with a bias; `ConvTranspose` is one of images, (N, H, W, C).

    Args:
      dimension_numbers: letters of the axes of input, kernel and output, as in `lax.conv_transpose`.
      out_chan: the number of output features.
      filter_shape: lengths of the kernel along the spatial axes.
      strides: by how much the input is widened; 1 by default.
      padding: "VALID", "SAME", or pairs of numbers.
      W_init: an initializer of the kernel: ``W_init(key, shape)``.
      b_init: an initializer of the bias.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      IndexError: the input has fewer axes than its letters in `dimension_numbers`.
      RuntimeError: `padding` is no known name.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.ConvTranspose(4, (3, 3), strides=(2, 2), padding="SAME")
    >>> init(random.key(0), (2, 8, 8, 3))[0]
    (2, 16, 16, 4)
    """
    strides = strides or (1,) * len(filter_shape)
    convolve = lambda x, W: lax.conv_transpose(x, W, strides, padding, dimension_numbers=dimension_numbers)
    return _convolution(convolve, dimension_numbers, out_chan, filter_shape, W_init, b_init)


Conv1DTranspose = partial(GeneralConvTranspose, ("NHC", "HIO", "NHC"))
ConvTranspose = partial(GeneralConvTranspose, ("NHWC", "HWIO", "NHWC"))


def BatchNorm(
    axis=(0, 1, 2), epsilon=1e-5, center: bool = True, scale: bool = True, beta_init=zeros, gamma_init=ones
) -> Layer:
    """Return a layer that subtracts the mean over `axis`, divides by the standard deviation, scales and shifts.

    Args:
      axis: the axes over which mean and deviation are taken.
      epsilon: is added to the variance.
      center: whether there is a shift.
      scale: whether there is a scale.
      beta_init: an initializer of the shift.
      gamma_init: an initializer of the scale.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.BatchNorm(axis=0)
    >>> shape, params = init(random.key(0), (2, 1))
    >>> apply(params, jnp.array([[1.], [3.]])).round(3).ravel()
    Array([-1.,  1.], dtype=float32)
    """
    axes = (axis,) if np.isscalar(axis) else tuple(axis)

    def init(rng, input_shape):
        shape = tuple([n for i, n in enumerate(input_shape) if i not in axes])
        k1, k2 = random.split(rng)
        return input_shape, (beta_init(k1, shape) if center else (), gamma_init(k2, shape) if scale else ())

    def apply(params, x, **kwargs):
        beta, gamma = params
        wide = lambda p: jnp.expand_dims(p, axes)
        z = standardize(x, axes, epsilon=epsilon)
        z = wide(gamma) * z if scale else z
        return z + wide(beta) if center else z

    return init, apply


# ---- layers without -------------------------------------------------------------------------------


def elementwise(fun: Callable, **fun_kwargs) -> Layer:
    """Return a layer that applies a function to its inputs.

    Args:
      fun: a function of an array.
      fun_kwargs: further arguments of it.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.elementwise(jnp.clip, min=0.)
    >>> apply((), jnp.array([-1., 2.]))
    Array([0., 2.], dtype=float32)
    """
    return (lambda rng, input_shape: (input_shape, ())), (lambda params, inputs, **kwargs: fun(inputs, **fun_kwargs))


Tanh = elementwise(jnp.tanh)
Relu = elementwise(relu)
Exp = elementwise(jnp.exp)
LogSoftmax = elementwise(log_softmax, axis=-1)
Softmax = elementwise(softmax, axis=-1)
Softplus = elementwise(softplus)
Sigmoid = elementwise(sigmoid)
Elu = elementwise(elu)
LeakyRelu = elementwise(leaky_relu)
Selu = elementwise(selu)
Gelu = elementwise(gelu)
Identity = elementwise(lambda x: x)


def _pooling(reducer: Callable, start, rescaled: bool = False) -> Callable[..., Layer]:
    def layer(window_shape, strides=None, padding="VALID", spec=None) -> Layer:
        strides = tuple(strides or (1,) * len(window_shape))
        spec = spec or "N" + "HWD"[: len(window_shape)] + "C"
        at = [i for i, c in enumerate(spec) if c not in "NC"]

        def widened(sizes) -> tuple[int, ...]:
            given = dict(zip(at, sizes))
            return tuple([given.get(i, 1) for i in range(len(spec))])

        window, steps = widened(window_shape), widened(strides)

        def init(rng, input_shape):
            pads = lax.padtype_to_pads(input_shape, window, steps, padding) if isinstance(padding, str) else padding
            return lax.reduce_window_shape_tuple(input_shape, window, steps, pads), ()

        def apply(params, inputs, **kwargs):
            pool = lambda x: lax.reduce_window(x, start, reducer, window, steps, padding)
            out = pool(inputs)
            return out / pool(jnp.ones_like(inputs)) if rescaled else out

        return init, apply

    return layer


def MaxPool(window_shape, strides=None, padding="VALID", spec=None) -> Layer:
    """Return a layer of the largest of each window.

    Args:
      window_shape: the shape of a window, of the axes that are not N or C.
      strides: the distances of windows, 1 if they are left out.
      padding: "VALID", "SAME", or pairs of numbers.
      spec: a letter for each axis, N for the batch and C for channels; (N, H, W, C) if it is left out.
    Raises:
      TypeError: the input has not an axis of batch, one for each length of the window, and one of features.
      RuntimeError: `padding` is no known name.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.MaxPool((2,), strides=(2,))
    >>> apply((), jnp.arange(4.).reshape(1, 4, 1)).ravel()
    Array([1., 3.], dtype=float32)
    """
    return _max_pool(window_shape, strides, padding, spec)


def SumPool(window_shape, strides=None, padding="VALID", spec=None) -> Layer:
    """Return a layer of the sum of each window.

    Args:
      window_shape: lengths of the window along the axes between those of batch and features.
      strides: steps of the window; 1 by default.
      padding: "VALID" or "SAME".
      spec: letters of the axes, N for the batch and C for features; channels last by default.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: the input has not an axis of batch, one for each length of the window, and one of features.
      RuntimeError: `padding` is no known name.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.SumPool((2,), strides=(2,))
    >>> apply((), jnp.arange(4.).reshape(1, 4, 1)).ravel()
    Array([1., 5.], dtype=float32)
    """
    return _sum_pool(window_shape, strides, padding, spec)


def AvgPool(window_shape, strides=None, padding="VALID", spec=None) -> Layer:
    """Return a layer of the mean of each window, without what is padded.

    Args:
      window_shape: lengths of the window along the axes between those of batch and features.
      strides: steps of the window; 1 by default.
      padding: "VALID" or "SAME".
      spec: letters of the axes, N for the batch and C for features; channels last by default.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: the input has not an axis of batch, one for each length of the window, and one of features.
      RuntimeError: `padding` is no known name.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.AvgPool((2,), strides=(2,))
    >>> apply((), jnp.arange(4.).reshape(1, 4, 1)).ravel()
    Array([0.5, 2.5], dtype=float32)
    """
    return _avg_pool(window_shape, strides, padding, spec)


_max_pool = _pooling(lax.max, -np.inf)
_sum_pool = _pooling(lax.add, 0.0)
_avg_pool = _pooling(lax.add, 0.0, rescaled=True)


def _flatten() -> Layer:
    def init(rng, input_shape):
        size = 1
        for n in input_shape[1:]:
            size *= n
        return (input_shape[0], size), ()

    return init, lambda params, inputs, **kwargs: jnp.reshape(inputs, (inputs.shape[0], -1))


Flatten = _flatten()


def Dropout(rate: float, mode: str = "train") -> Layer:
    """Return a layer that keeps each input with the probability `rate`, and divides it by that.

    Args:
      rate: the probability.
      mode: "train", where `apply` needs `rng=key`; all else keeps all inputs.
    Raises:
      ValueError: by `apply`, if it is given no key: `apply(params, x, rng=key)`.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.Dropout(0.5)
    >>> apply((), jnp.ones(6), rng=random.key(0))
    Array([0., 0., 2., 2., 0., 2.], dtype=float32)
    """

    def apply(params, inputs, **kwargs):
        rng = kwargs.get("rng")
        if rng is None:
            raise ValueError(
                "Dropout layer requires apply_fun to be called with a PRNG key argument. That is, instead of "
                "`apply_fun(params, inputs)`, call it like `apply_fun(params, inputs, rng)` where `rng` is a PRNG key "
                "(e.g. from `jax.random.key`)."
            )
        if mode != "train":
            return inputs
        keep = random.bernoulli(rng, rate, inputs.shape)
        return jnp.where(keep, inputs / rate, 0)

    return (lambda rng, input_shape: (input_shape, ())), apply


# ---- layers of layers -----------------------------------------------------------------------------


def FanOut(num: int) -> Layer:
    """Return a layer that gives its input `num` times.

    Args:
      num: how many times.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.FanOut(2)
    >>> apply((), 1.)
    [1.0, 1.0]
    """
    return (lambda rng, input_shape: ([input_shape] * num, ())), (lambda params, inputs, **kwargs: [inputs] * num)


FanInSum: Layer = (
    lambda rng, input_shape: (input_shape[0], ()), lambda params, inputs, **kwargs: sum(inputs[1:], inputs[0])
)


def FanInConcat(axis: int = -1) -> Layer:
    """Return a layer that joins its inputs along an axis.

    Args:
      axis: the axis.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: by `apply`, if the inputs differ in the length of another axis.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.FanInConcat()
    >>> init(None, [(2, 3), (2, 4)])[0], apply((), [jnp.zeros((2, 3)), jnp.ones((2, 4))]).shape
    ((2, 7), (2, 7))
    """

    def init(rng, input_shape):
        i = axis % len(input_shape[0])
        total = sum([shape[i] for shape in input_shape])
        return (*input_shape[0][:i], total, *input_shape[0][i + 1 :]), ()

    return init, lambda params, inputs, **kwargs: jnp.concatenate(inputs, axis)


def serial(*layers: Layer) -> Layer:
    """Return a layer that runs layers one after the other; `apply` splits `rng=key` among them.

    Args:
      layers: layers, in their order.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: an argument is no layer, a pair of functions: `Dense(3)` is one, `Dense` is not.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.serial(stax.Dense(8), stax.Relu, stax.Dense(2), stax.LogSoftmax)
    >>> shape, params = init(random.key(0), (-1, 3))
    >>> shape, apply(params, jnp.ones((5, 3))).shape
    ((-1, 2), (5, 2))
    """
    inits, applies = zip(*layers)

    def init(rng, input_shape):
        params = []
        for one in inits:
            rng, own = random.split(rng)
            input_shape, param = one(own, input_shape)
            params.append(param)
        return input_shape, params

    def apply(params, inputs, **kwargs):
        for one, param, rng in zip(applies, params, _keys(kwargs.pop("rng", None), len(layers))):
            inputs = one(param, inputs, rng=rng, **kwargs)
        return inputs

    return init, apply


def parallel(*layers: Layer) -> Layer:
    """Return a layer that runs each layer on an input of its own; `apply` splits `rng=key` among them.

    Args:
      layers: layers, one for each input.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.
    Raises:
      TypeError: an argument is no layer, a pair of functions: `Dense(3)` is one, `Dense` is not.

    >>> from adjoint.example_libraries import stax
    >>> branches = stax.parallel(stax.Dense(4), stax.Dense(2))
    >>> init, apply = stax.serial(stax.FanOut(2), branches, stax.FanInConcat())
    >>> init(random.key(0), (-1, 3))[0]
    (-1, 6)
    """
    inits, applies = zip(*layers)

    def init(rng, input_shape):
        keys = random.split(rng, len(layers))
        shapes, params = zip(*[one(k, shape) for one, k, shape in zip(inits, keys, input_shape)])
        return shapes, params

    def apply(params, inputs, **kwargs):
        keys = _keys(kwargs.pop("rng", None), len(layers))
        return [one(p, x, rng=k, **kwargs) for one, p, x, k in zip(applies, params, inputs, keys)]

    return init, apply


def _keys(rng, n: int):
    return [None] * n if rng is None else random.split(rng, n)


def shape_dependent(make_layer: Callable) -> Layer:
    """Return a layer that is made when the shape of its input is known.

    Args:
      make_layer: a function of the shape of the input that returns a layer.
    Returns:
      A layer: `(init, apply)`; ``init(key, input_shape)`` gives the shape of the output and the parameters.

    >>> from adjoint.example_libraries import stax
    >>> init, apply = stax.shape_dependent(lambda shape: stax.Dense(2 * shape[-1]))
    >>> init(random.key(0), (-1, 3))[0]
    (-1, 6)
    """

    def init(rng, input_shape):
        return make_layer(input_shape)[0](rng, input_shape)

    def apply(params, inputs, **kwargs):
        return make_layer(inputs.shape)[1](params, inputs, **kwargs)

    return init, apply


public(globals())

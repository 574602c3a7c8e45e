"""One expression at least for every function of `numpy`, `.linalg`, `.fft`, `lax` and `lax.linalg`.

In an expression `n` is the module `numpy` of JAX, adjoint or NumPy, `l` is `lax`; `x` and `y` are arrays of a
generated dtype and shape, `q` is a positive definite matrix of x's dtype, `i` and `j` are small integers, `a` and `b`
are axes, possibly out of range. "names: expressions" repeats the expressions with each name for `_`.
"""

from __future__ import annotations

ELEMENTARY = """
abs absolute acos acosh asin asinh atan atanh arccos arccosh arcsin arcsinh arctan arctanh angle around cbrt ceil \
conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs floor imag log log10 log1p log2 negative positive \
rad2deg radians real reciprocal rint sign signbit sin sinc sinh spacing sqrt square tan tanh trunc nan_to_num i0 \
frexp modf round isfinite isinf isnan isneginf isposinf isreal iscomplex logical_not bitwise_count bitwise_invert \
bitwise_not invert iscomplexobj isrealobj: n._(x)
add arctan2 atan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift copysign divide divmod \
equal float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm left_shift \
less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mod multiply nextafter \
not_equal power pow remainder right_shift subtract true_divide: n._(x, y) ; n._(x, i) ; n._(1.5, x)
n.ldexp(x, i)
n.isclose(x, y)
n.allclose(x, y)
n.array_equal(x, y)
n.array_equiv(x, y)
n.clip(x, -1, y)
n.clip(x, min=y)
n.where(x > 0, x, y)
n.where(x, y, 1)
n.select([x > 0, x < -1], [x, 2 * x], y[:1].sum())
n.piecewise(x, [x > 1, x < 0], [1, lambda v: v + v, 3])
n.interp(x, n.arange(3.), n.arange(3.) ** 2)
n.round(x, i)
n.round(x, decimals=-1)
n.angle(x, deg=True)
n.real(x) + n.imag(x)
n.unwrap(x, axis=a)
n.vectorize(lambda u, v: u + v)(x, y)
n.vectorize(n.dot, signature='(k),(k)->()')(x, x)
n.frompyfunc(lambda u, v: u * v, 2, 1, identity=1)(x, y)
n.add.reduce(x, axis=a)
n.multiply.accumulate(x, axis=a)
n.add.outer(x, y)
n.add.at(x, 0, y, inplace=False)
"""

REDUCTIONS = """
sum prod max min amax amin mean all any nansum nanprod nanmax nanmin nanmean: n._(x) ; n._(x, axis=a) ; \
n._(x, axis=(a, b), keepdims=True) ; n._(x, axis=(), where=x != 0) if '_' in 'sumprodallanynansumnanprod' else 0
std var nanstd nanvar: n._(x) ; n._(x, axis=a) ; n._(x, axis=(a, b), ddof=1, keepdims=True) ; n._(x, a, dtype='float32')
sum prod nansum nanprod mean: n._(x, a, 'float16')
max min sum prod: n._(x, axis=a, initial=2) ; n._(x, axis=a, where=x > 0, initial=1)
median nanmedian: n._(x) ; n._(x, axis=a) ; n._(x, axis=(a, b), keepdims=True)
quantile nanquantile: n._(x, .3) ; n._(x, n.array([.2, .9]), axis=a) ; n._(x, .4, a, method='nearest', keepdims=True)
percentile nanpercentile: n._(x, 30) ; n._(x, n.array([20., 90.]), axis=a, method='lower')
argmax argmin nanargmax nanargmin: n._(x) ; n._(x, axis=a) ; n._(x, a, keepdims=True)
cumsum cumprod nancumsum nancumprod: n._(x) ; n._(x, axis=a) ; n._(x, a, dtype='float32')
cumulative_sum cumulative_prod: n._(x) ; n._(x, axis=a) ; n._(x, axis=a, include_initial=True)
n.count_nonzero(x)
n.count_nonzero(x, axis=a, keepdims=True)
n.ptp(x, axis=a)
n.average(x, axis=a)
n.average(x, axis=a, weights=x, returned=True)
n.trapezoid(x, axis=a)
n.trapezoid(x, dx=2, axis=a)
n.trace(x)
n.trace(x, i, a, b)
n.diff(x)
n.diff(x, n=2, axis=a)
n.diff(x, axis=a, prepend=0)
n.ediff1d(x, to_begin=y)
n.gradient(x)
n.gradient(x, 2., axis=a)
n.cov(x)
n.corrcoef(x)
n.apply_along_axis(n.cumsum, a, x)
n.apply_over_axes(n.sum, x, [a, b])
n.histogram(x, 3)
n.histogram_bin_edges(x, 3)
n.histogram2d(n.ravel(x), n.ravel(x), 2)
n.histogramdd(n.ravel(x), 2)
n.digitize(x, n.array([-1, 0, 2]))
n.bincount(n.ravel(x), length=4)
"""

SHAPES = """
shape ndim size isscalar array_repr array_str: n._(x)
copy array asarray ravel squeeze transpose flatnonzero atleast_1d atleast_2d atleast_3d matrix_transpose diag \
diagflat diagonal tril triu zeros_like ones_like empty_like argwhere nonzero fliplr flipud flip sort_complex \
unstack iterable: n._(x)
n.astype(x, 'int16')
n.array(x, dtype='float16', ndmin=3)
n.asarray(x, dtype='complex64')
n.reshape(x, (-1,))
n.reshape(x, -1, order='F')
n.reshape(x, (i, -1))
n.ravel(x, order='F')
n.expand_dims(x, a)
n.expand_dims(x, (0, a))
n.squeeze(x, axis=a)
n.swapaxes(x, a, b)
n.moveaxis(x, a, b)
n.moveaxis(x, (0, a), (b, -1))
n.rollaxis(x, a, 1)
n.transpose(x, (a, b))
n.permute_dims(x, (a, b))
n.flip(x, a)
n.roll(x, i)
n.roll(x, (1, i), (a, b))
n.rot90(x, i)
n.repeat(x, 2)
n.repeat(x, i, axis=a)
n.tile(x, 2)
n.tile(x, (2, 1, abs(i)))
n.resize(x, (3, 2))
n.broadcast_to(x, (2, 3, 4))
n.broadcast_to(x, (2, *n.shape(x)))
n.broadcast_arrays(x, y)
n.broadcast_shapes(n.shape(x), n.shape(y))
concatenate stack concat: n._([x, y]) ; n._((x, y), axis=a)
hstack vstack dstack column_stack block: n._([x, y])
n.append(x, y)
n.append(x, y, axis=a)
split array_split: n._(x, 2) ; n._(x, [1], a)
hsplit vsplit dsplit: n._(x, 1)
n.unstack(x, axis=a)
n.insert(x, i, 5)
n.insert(x, i, 7, axis=a)
n.delete(x, i)
n.delete(x, 0, axis=a)
n.pad(x, 1)
n.pad(x, 1, mode='reflect')
n.pad(x, ((1, 2),), mode='edge')
n.pad(x, 2, mode='wrap')
n.pad(x, 1, mode='linear_ramp')
n.pad(x, 1, mode='mean')
n.pad(x, 1, constant_values=3)
n.tril(x, i)
n.triu(x, i)
n.diag(x, i)
n.diagonal(x, i, a, b)
n.fill_diagonal(x, 7, inplace=False)
n.meshgrid(n.ravel(x), n.ravel(y))
n.meshgrid(n.ravel(x), n.ravel(y), sparse=True, indexing='ij')
n.ix_(n.ravel(x), n.ravel(y))
n.full_like(x, 3)
n.full_like(x, 2.5, dtype='int32', shape=(2,))
n.trim_zeros(n.ravel(x))
n.r_[n.ravel(x), 1, 2]
n.c_[n.ravel(x), n.ravel(x)]
n.ndarray
n.packbits(x > 0)
n.packbits(x > 0, axis=a, bitorder='little')
n.unpackbits(n.array([3, 200], 'uint8'), count=11)
"""

INDICES = """
sort argsort: n._(x) ; n._(x, axis=a) ; n._(x, axis=None) ; n._(x, a, descending=True)
partition argpartition: n._(x, 1) ; n._(x, i, axis=a)
n.lexsort((x, y))
n.lexsort((x, -x), axis=a)
n.searchsorted(n.sort(n.ravel(x)), y)
n.searchsorted(n.sort(n.ravel(x)), y, side='right', method='compare_all')
n.take(x, i)
n.take(x, n.array([0, 1]), axis=a)
n.take(x, n.array([5, -9]), axis=a, mode='clip')
n.take(x, 7, axis=a, mode='wrap')
n.take(x, 7, axis=a, mode='fill')
n.take_along_axis(x, n.argsort(x, axis=a), a)
n.put_along_axis(x, n.argmax(x, axis=a, keepdims=True), 9, a, inplace=False)
n.put(x, n.array([0, 2]), 5, inplace=False)
n.place(x, x > 0, n.array([1, 2]), inplace=False)
n.choose(n.array([0, 1, 0]), [x, y], mode='wrap')
n.choose(n.array([0, 1, 0]), [1, 2.], mode='wrap')
n.compress(n.array([True, False]), x, axis=a)
n.extract(x > 0, x)
n.extract(x > 0, x, size=3)
n.argwhere(x, size=3)
n.nonzero(x, size=3, fill_value=-1)
n.flatnonzero(x, size=4)
n.where(x, size=3)
n.unique(x)
n.unique(x, size=4, return_index=True, return_inverse=True, return_counts=True)
n.unique(x, axis=a, size=2)
unique_all unique_counts unique_inverse: n._(x) ; n._(x, size=4)
n.unique_values(x, size=4)
union1d intersect1d setdiff1d setxor1d: n._(x, y) ; n._(x, y, size=4)
n.isin(x, y)
n.isin(x, y, invert=True)
x[i]
x[..., i]
x[::-1]
x[None]
x[x > 0] if False else x[n.array([0, -1])]
x[1:, ..., 0]
x.at[i].set(3)
x.at[..., 0].add(y)
x.at[n.array([0, 0])].multiply(2)
x.at[9].get(mode='fill', fill_value=1)
n.ravel_multi_index((n.array([0, 1]), n.array([1, 2])), (3, 4), mode='clip')
n.unravel_index(n.array([3, 7]), (3, 4))
n.index_exp[1:, i] and x
n.s_[1:, i] and x
n.ogrid[0:3, 0:i] and x
n.mgrid[0:3, 0:2]
"""

PRODUCTS = """
dot matmul inner outer vdot vecdot kron cross matvec vecmat tensordot: n._(x, y)
n.matmul(x, n.swapaxes(x, -1, -2))
n.dot(x, x.T)
n.tensordot(x, x, axes=((a,), (a,)))
n.tensordot(x, y, axes=0)
n.vecdot(x, x, axis=a)
n.cross(x, y, axis=a)
n.einsum('...i->...', x)
n.einsum('ij,ij->j', x, x)
n.einsum('ij->ji', x)
n.einsum('...->...', x, preferred_element_type='float16')
n.sum(x, axis=a, dtype=bool)
n.prod(x, dtype=bool, initial=1)
n.cumsum(x, dtype=bool)
n.einsum_path('ij,kj', x, x)[0] and x
convolve correlate: n._(n.ravel(x), n.ravel(y)) ; n._(n.ravel(x), n.array([1, 2, 3]), mode='same') ; \
n._(n.array([1., 2]), n.ravel(x), 'valid') ; n._(x, y)
polyadd polysub polymul polydiv: n._(n.ravel(x), n.array([1., 2.])) ; n._(n.array([1, 2, 3]), n.ravel(x))
n.poly(n.ravel(x))
n.polyval(n.array([1, 2, 3]), x)
n.polyval(x, y)
n.polyder(n.ravel(x))
n.polyint(n.ravel(x), 2, k=n.array([1, 2]))
n.polyfit(n.arange(5.), n.arange(5.) ** 2, 2)
n.roots(n.array([1., -3, 2]), strip_zeros=False)
n.vander(n.ravel(x), i)
n.vander(x)
"""

CREATION = """
zeros ones empty: n._(i) ; n._((2, i)) ; n._((2,), 'int16') ; n._(2.5)
n.full((2, i), 3)
n.full((2,), x)
n.full(2, y, dtype='float16')
n.arange(i)
n.arange(1, 7, i)
n.arange(0., 1., .25)
n.arange(3, dtype='bfloat16')
n.linspace(0, i, 5)
n.linspace(x, y, 3)
n.linspace(0, 1, 4, endpoint=False, retstep=True)
n.linspace(x, 2, 3, axis=a)
n.logspace(0, 2, 3)
n.logspace(x, 1, 3, base=2.)
n.geomspace(1, 100, 3)
n.geomspace(n.abs(x) + 1, 100, 3, endpoint=False)
n.eye(i)
n.eye(3, 4, k=i)
n.identity(i)
n.tri(3, i, k=1)
bartlett blackman hamming hanning: n._(i) ; n._(5)
n.kaiser(5, 2.)
n.indices((2, i))
n.diag_indices(3)
n.diag_indices_from(n.ones((2, 2)))
tril_indices triu_indices: n._(3) ; n._(3, i, 2)
tril_indices_from triu_indices_from: n._(n.ones((2, 3))) ; n._(x)
n.mask_indices(3, n.triu)
n.fromfunction(lambda r, c: r + c, (2, 3))
n.fromstring('1 2', sep=' ')
n.fromiter(range(3), dtype=int)
n.frombuffer(b'12345678', dtype='float32')
n.fromfile('/dev/null')
n.load
n.save
n.savez
n.from_dlpack(np.ones(2))
n.can_cast('int32', 'float32')
n.promote_types('int8', 'uint8')
n.result_type(x, 1)
n.result_type(x, y)
n.issubdtype(x.dtype, n.floating)
n.isdtype(x.dtype, 'real floating')
n.finfo('float32').eps
n.iinfo('int8').max
n.get_printoptions()['precision']
n.set_printoptions(precision=8)
n.printoptions(precision=3) and 0
n.ufunc
n.array([[1, 2], [x.ndim, 4.]])
n.array([x, x])
n.asarray([1, 2.5, True])
n.array([True, 2])
n.iterable(3)
"""

LINALG = """
cholesky inv det slogdet eigvalsh pinv cond matrix_rank svdvals qr eigh svd matrix_norm vector_norm norm trace \
diagonal matrix_transpose: n.linalg._(x) ; n.linalg._(q)
eig eigvals: n.linalg._(x) ; n.linalg._(q).__class__ and 0
solve matmul outer vecdot cross tensordot lstsq: n.linalg._(x, y) ; n.linalg._(q, q)
n.linalg.solve(q, n.ones((3,), q.dtype))
n.linalg.matrix_power(q, i)
n.linalg.multi_dot([q, q, q])
n.linalg.tensorinv(n.reshape(q, (3, 3)), ind=1)
n.linalg.tensorsolve(q, n.ones(3, q.dtype))
n.linalg.norm(x, axis=a)
n.linalg.norm(q, 'nuc')
n.linalg.norm(x, 1, axis=(a, b), keepdims=True)
n.linalg.vector_norm(x, axis=a, ord=3)
n.linalg.matrix_norm(q, ord=2)
n.linalg.svd(q, compute_uv=False)
n.linalg.qr(q, mode='r')
n.linalg.cholesky(q, upper=True)
n.linalg.vecdot(x, x, axis=a)
n.linalg.trace(q, offset=i)
fft ifft rfft hfft ihfft: n.fft._(x) ; n.fft._(x, axis=a) ; n.fft._(x, 4, norm='ortho') ; n.fft._(x, i)
irfft: n.fft._(x, 4) ; n.fft._(x, 3, a, 'forward')
fft2 ifft2 fftn ifftn rfftn rfft2: n.fft._(x) ; n.fft._(x, axes=(a, b))
irfftn irfft2: n.fft._(x, (4, 4))
fftshift ifftshift: n.fft._(x) ; n.fft._(x, a)
fftfreq rfftfreq: n.fft._(5, .5) ; n.fft._(i)
"""

LAX = """
abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e bitwise_not cbrt ceil clz conj cos cosh digamma erf erf_inv \
erfc exp exp2 expm1 floor imag is_finite lgamma log log1p logistic neg population_count real reciprocal round rsqrt \
sign sin sinh sqrt square tan tanh stop_gradient optimization_barrier dce_sink stage: l._(x)
add atan2 bitwise_and bitwise_or bitwise_xor complex div eq ge gt igamma igammac le lt max min mul mulhi ne \
nextafter pow rem shift_left shift_right_arithmetic shift_right_logical sub igamma_grad_a polygamma \
zeta: l._(x, y) ; l._(x, x) ; l._(x, 2) ; l._(2., x)
l.random_gamma_grad(x, x)
l.betainc(x, x, x)
l.integer_pow(x, i)
l.clamp(x, y, x)
l.clamp(-1, x, 1)
l.select(x > 0, x, y)
l.select_n(x > 0, x, y)
l.convert_element_type(x, 'int8')
l.bitcast_convert_type(x, 'uint8')
l.bitcast_convert_type(x, 'int32')
l.reduce_precision(x, 5, 7)
reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor: l._(x, axes=(0,)) ; l._(x, axes=(a,))
l.reduce(x, np.array(0, x.dtype), l.add, (0,))
cumsum cumprod cummax cummin cumlogsumexp: l._(x) ; l._(x, axis=a) ; l._(x, 0, reverse=True)
argmax argmin: l._(x, 0, 'int32') ; l._(x, a, 'int32')
l.sort(x)
l.sort(x, dimension=a)
l.sort((x, x), num_keys=2)
l.sort_key_val(x, x)
top_k approx_max_k approx_min_k: l._(x, 1) ; l._(x, i)
l.reshape(x, (-1,))
l.reshape(x, (x.size,))
l.rev(x, (0,))
l.rev(x, (a,))
l.transpose(x, (1, 0))
l.squeeze(x, (a,))
l.expand_dims(x, (a,))
l.broadcast(x, (2,))
l.broadcast_in_dim(x, (2, *x.shape), tuple(range(1, x.ndim + 1)))
l.broadcast_in_dim(x, (4, 3), (a,))
l.broadcast_to_rank(x, 3)
l.broadcast_to_rank(x, i)
l.broadcast_like(x, n.ones((2, *x.shape)))
l.broadcast_shapes(x.shape, y.shape)
l.broadcasted_iota('int32', (2, 3), a)
l.iota('float32', i)
l.full((2, i), 3)
l.full_like(x, 2.5)
l.empty((2,), 'int32') * 0
l.collapse(x, 0, 2)
l.concatenate([x, x], 0)
l.concatenate([x, y], a)
l.stack([x, x], a)
l.unstack(x, a)
l.split(x, (1, 2), a)
l.tile(x, (2,) * x.ndim)
l.pad(x, np.array(1, x.dtype), [(1, i, 1)] * x.ndim)
l.slice(x, (0,) * x.ndim, x.shape)
l.slice(x, (i,), (3,))
l.slice_in_dim(x, 0, i, axis=a)
l.index_in_dim(x, i, a)
l.index_in_dim(x, 0, a, keepdims=False)
l.dynamic_slice(x, (0,) * x.ndim, x.shape)
l.dynamic_slice_in_dim(x, i, 1, a)
l.dynamic_index_in_dim(x, i, a, keepdims=False)
l.dynamic_update_slice(x, x, (0,) * x.ndim)
l.dynamic_update_slice_in_dim(x, x[:1], i, 0)
l.dynamic_update_index_in_dim(x, x[:1], i, 0)
l.index_take(x, (n.array([0, 1]),), (0,))
l.gather(x, n.array([[0]]), l.GatherDimensionNumbers(tuple(range(1, x.ndim)), (0,), (0,)), (1, *x.shape[1:]))
scatter scatter_add scatter_sub scatter_mul scatter_min scatter_max: \
l._(x, n.array([[0]]), x[:1], l.ScatterDimensionNumbers(tuple(range(1, x.ndim)), (0,), (0,)))
l.scatter_apply(x, n.array([[0]]), lambda v: v * v, l.ScatterDimensionNumbers((), (0,), (0,)), update_shape=(1,))
l.dot(x, x)
l.dot(x, y)
l.dot(q, q, preferred_element_type='float32')
l.dot_general(x, x, (((0,), (0,)), ((), ())))
l.dot_general(x, x, (((a,), (a,)), ((), ())))
l.batch_matmul(x[None], n.swapaxes(x, -1, -2)[None])
l.ragged_dot(q, q[None], n.array([3]))
l.ragged_dot_general(q, q[None], n.array([3]), l.RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), [0], [0]))
l.scaled_dot(q, q)
l.conv(x[None, None], x[None, None], (1, 1), 'SAME')
l.conv_general_dilated(q[None], q[None], (1,), 'VALID')
l.conv_general_dilated_patches(q[None, None], (2, 2), (1, 1), 'VALID')
l.conv_general_dilated_local(q[None], n.ones((2, 6, 2), q.dtype), (1,), 'VALID', (2,))
l.conv_with_general_padding(q[None], q[None], (1,), [(0, 0)], None, None)
l.conv_transpose(q[None], q[None], (2,), 'SAME', dimension_numbers=('NHC', 'HIO', 'NHC'))
l.conv_dimension_numbers((1, 2, 3), (4, 2, 1), ('NCH', 'OIH', 'NCH')).out_spec
l.conv_general_permutations(('NCH', 'OIH', 'NCH'))
list(map(int, l.conv_general_shape_tuple((1, 2, 3), (4, 2, 1), (1,), 'SAME', ('NCH', 'OIH', 'NCH'))))
list(map(int, l.conv_shape_tuple((1, 2, 3), (4, 2, 1), (1,), [(0, 0)])))
list(map(int, l.conv_transpose_shape_tuple((1, 2, 3), (4, 2, 1), (1,), 'SAME', ('NCH', 'OIH', 'NCH'))))
l.padtype_to_pads((5, 4), (2, 3), (2, 1), 'SAME')
l.reduce_window(x, np.array(0, x.dtype), l.add, (1,) * x.ndim)
l.reduce_window(q, np.array(0, q.dtype), l.add, (2, 2), (1, 2), 'SAME')
l.reduce_window_shape_tuple((5, 4), (2, 2), (1, 2), [(0, 0), (1, 0)])
l.fft(x, 'fft', x.shape[-1:])
l.fft(x, l.FftType.RFFT, x.shape[-1:])
l.associative_scan(l.add, x)
l.associative_scan(l.mul, x, axis=a, reverse=True)
l.scan(lambda c, v: (c + 1, v), 0, x)
l.scan(lambda c, v: (c + v.sum(), c), 0., x, reverse=True)
l.map(lambda v: v * 2, x)
l.fori_loop(0, 3, lambda k, v: v + v, x)
l.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, x))
l.cond(x.size > 1, lambda v: v + v, lambda v: v, x)
l.cond(x.sum() > 1, lambda v: v, lambda v: v, x)
l.switch(i, [lambda v: v, lambda v: v + v, lambda v: v], x)
l.custom_root(lambda v: v - 2., 1., lambda f, v: v - f(v), lambda g, y: y / g(1.))
l.custom_linear_solve(lambda v: v + v, n.ones(3), lambda f, b: b / 2, symmetric=True)
l.platform_dependent(x, default=lambda v: v)
l.composite(lambda v: v * 2, 'my.double')(x)
l.dtype(x).name
l.shape_as_value(x.shape)
[l.after_all()] and 0
[l.create_token()] and 0
l.rng_bit_generator(n.zeros(4, 'uint32'), (2, i))[1].shape
l.rng_uniform(0., 1., (2, i)).shape
l.with_sharding_constraint(x, m.devices()[0]) if False else x
l.axis_index('k')
l.axis_size('k')
psum pmean pmax pmin: m.vmap(lambda v: l._(v, 'k'), axis_name='k')(x)
m.vmap(lambda v: l.all_gather(v, 'k'), axis_name='k')(x)
m.vmap(lambda v: l.axis_index('k') + v, axis_name='k')(x)
m.vmap(lambda v: l.all_to_all(v, 'k', 0, 0), axis_name='k')(q)
m.vmap(lambda v: l.psum_scatter(v, 'k'), axis_name='k')(q)
m.vmap(lambda v: l.pswapaxes(v, 'k', 0), axis_name='k')(q)
m.vmap(lambda v: l.ppermute(v, 'k', [(0, 1), (1, 2), (2, 0)]), axis_name='k')(q)
m.vmap(lambda v: l.pshuffle(v, 'k', [2, 0, 1]), axis_name='k')(q)
m.vmap(lambda v: l.pcast(v, 'k', to='varying'), axis_name='k')(q)
l.linalg.cholesky(q)
l.linalg.cholesky(x)
l.linalg.cholesky_update(q, q[0])
l.linalg.eig(q)[0].shape
l.linalg.eigh(q)[1]
l.linalg.hessenberg(q)
l.linalg.householder_product(q, n.ones(2, q.dtype))
l.linalg.ormqr(q, n.ones(2, q.dtype), q)
l.linalg.lu(q)
l.linalg.lu(x)
l.linalg.lu_pivots_to_permutation(n.array([1, 1, 2]), 3)
l.linalg.qdwh(q)[1]
l.linalg.qr(q)
l.linalg.qr(x, full_matrices=False)
l.linalg.schur(q)[0].shape
l.linalg.svd(q, compute_uv=False)
l.linalg.svd(x)[1:2]
l.linalg.symmetric_product(q, q)
l.linalg.triangular_solve(q, q)
l.linalg.triangular_solve(q, x)
l.linalg.tridiagonal(q)[0]
l.linalg.tridiagonal_solve(n.zeros(3, q.dtype), n.ones(3, q.dtype), n.zeros(3, q.dtype), q)
"""

TABLES = {
    "elementary": ELEMENTARY, "reductions": REDUCTIONS, "shapes": SHAPES, "indices": INDICES, "products": PRODUCTS,
    "creation": CREATION, "linalg": LINALG, "lax": LAX,
}
# Tested where several devices are, or by programs of their own.
ELSEWHERE = {
    "lax": "precv psend ragged_all_to_all pbroadcast PrecisionLike DotDimensionNumbers",
}


def expressions(table: str) -> list[str]:
    """The expressions of a table, one for each name and pattern."""
    found = []
    for line in table.strip().split("\n"):
        head, colon, patterns = line.partition(": ")
        names = head.split()
        if colon and all(name.isidentifier() for name in names):
            found += [p.strip().replace("'_'", f"'{n}'").replace("._(", f".{n}(") for n in names
                      for p in patterns.split(" ; ")]
        else:
            found.append(line)
    return found

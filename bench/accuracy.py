"""Errors of functions of numbers in units in the last place, beside mpmath: writes `docs/accuracy.md`.

Each function is compiled for arrays of each dtype, at each level of x86-64 that the machine has, and evaluated at
points that are dense in its domain, near its zeros and near the ends of its range. The true value is mpmath's.

    python bench/accuracy.py [--only erf] [--points 1000] [--show 3]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mpmath.libmp
import numpy as np
from mpmath import mp

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "accuracy.md"
DTYPES = ("float32", "float64", "float16", "bfloat16")
BITS = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8}
LEAST = {"float32": -149, "float64": -1074, "float16": -24, "bfloat16": -133}  # exponents of the least numbers
LIMIT, STRICT = 4, {"exp": 2, "log": 2, "tanh": 2}  # ulp
DIGITS_OF_WORK = 60

mp.dps = DIGITS_OF_WORK


class Function(NamedTuple):
    """What users call, as text; its true value; where it is tried, an interval for each argument."""

    text: str
    true: Callable
    domains: tuple
    zeros: tuple = ()  # points that others crowd around
    reason: str = ""  # why it may miss the limit


ALL = (-math.inf, math.inf)
POSITIVE = (0.0, math.inf)
UNIT = (0.0, 1.0)


def _log(x):
    return mp.log(x) if x > 0 else (-mp.inf if x == 0 else mp.nan)


def _ndtri(p):
    with mp.workdps(340):  # 2 p - 1 of the least numbers
        return mp.sqrt(2) * mp.erfinv(2 * p - 1)


def _log_ndtr(x):
    if x > 5:
        return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


def _regularized(lower):
    return lambda a, x: mp.gammainc(a, 0, x, regularized=True) if lower else mp.gammainc(a, x, mp.inf, regularized=True)


def _spence(x):
    return mp.re(mp.polylog(2, 1 - x))


def _zeta(s, q):
    with mp.workdps(150):  # mpmath loses digits here
        return mp.zeta(s, q)


def _scaled(order):
    return lambda x: mp.besseli(order, x) * mp.exp(-abs(x))


def _loggamma(x):
    return mp.re(mp.loggamma(x)) if x > 0 else mp.log(abs(mp.gamma(x)))


TAIL = "the argument x / sqrt(2) is rounded first, as in JAX, and the tail multiplies its error by x^2"
CANCELS = "near a zero of the function that is no number of the dtype, the error is one of its argument"
BESSEL = "e^|x| times the scaled function, as in JAX: infinite where e^|x| is"
SUMS = "float64: terms of a series, a continued fraction or a recurrence cancel a little"
SERIES = "a series or continued fraction whose terms are rounded, with powers of large exponents before it"
ELEMENTARY = {
    "exp": Function("jnp.exp(x)", mp.exp, (ALL,)),
    "exp2": Function("jnp.exp2(x)", lambda x: mp.power(2, x), (ALL,)),
    "expm1": Function("jnp.expm1(x)", mp.expm1, (ALL,)),
    "log": Function("jnp.log(x)", _log, (POSITIVE,), (1,)),
    "log2": Function("jnp.log2(x)", lambda x: mp.log(x) / mp.log(2), (POSITIVE,), (1,)),
    "log10": Function("jnp.log10(x)", mp.log10, (POSITIVE,), (1,)),
    "log1p": Function("jnp.log1p(x)", mp.log1p, ((-1.0, math.inf),)),
    "sqrt": Function("jnp.sqrt(x)", mp.sqrt, (POSITIVE,)),
    "rsqrt": Function("lax.rsqrt(x)", lambda x: 1 / mp.sqrt(x), (POSITIVE,)),
    "cbrt": Function("jnp.cbrt(x)", lambda x: mp.sign(x) * mp.cbrt(abs(x)), (ALL,)),
    "sin": Function("jnp.sin(x)", mp.sin, (ALL,), (math.pi, 2 * math.pi, 100 * math.pi)),
    "cos": Function("jnp.cos(x)", mp.cos, (ALL,), (math.pi / 2, 1.5 * math.pi, 99.5 * math.pi)),
    "tan": Function("jnp.tan(x)", mp.tan, (ALL,), (math.pi / 2, math.pi)),
    "sinc": Function(
        "jnp.sinc(x)", mp.sincpi, ((-1e4, 1e4),), (1, 2),
        "pi x is rounded, or infinite in float16, before its sine is taken, as in JAX"),
    "arcsin": Function("jnp.arcsin(x)", mp.asin, ((-1.0, 1.0),), (1, 0.5)),
    "arccos": Function("jnp.arccos(x)", mp.acos, ((-1.0, 1.0),), (1, 0.5)),
    "arctan": Function("jnp.arctan(x)", mp.atan, (ALL,), (1,)),
    "sinh": Function("jnp.sinh(x)", mp.sinh, (ALL,), (1,)),
    "cosh": Function("jnp.cosh(x)", mp.cosh, (ALL,)),
    "tanh": Function("jnp.tanh(x)", mp.tanh, (ALL,), (0.3,)),
    "arcsinh": Function("jnp.arcsinh(x)", mp.asinh, (ALL,), (1,)),
    "arccosh": Function("jnp.arccosh(x)", mp.acosh, ((1.0, math.inf),), (1,)),
    "arctanh": Function("jnp.arctanh(x)", mp.atanh, ((-1.0, 1.0),), (0.5, 1)),
    "sigmoid": Function(
        "ax.nn.sigmoid(x)", lambda x: 1 / (1 + mp.exp(-x)), (ALL,), (),
        "eagerly, denormal results are 0: e^-x overflows"),
    "softplus": Function("ax.nn.softplus(x)", lambda x: mp.log1p(mp.exp(x)), (ALL,)),
    "power": Function("jnp.power(x, y)", mp.power, (POSITIVE, (-60.0, 60.0))),
    "hypot": Function("jnp.hypot(x, y)", mp.hypot, (ALL, ALL)),
    "arctan2": Function("jnp.arctan2(x, y)", mp.atan2, (ALL, ALL)),
    "logaddexp": Function(
        "jnp.logaddexp(x, y)", lambda x, y: mp.log(mp.exp(x) + mp.exp(y)), ((-80.0, 80.0), (-80.0, 80.0)),
        reason=CANCELS),
    "abs of a complex number": Function("jnp.abs(lax.complex(x, y))", mp.hypot, (ALL, ALL)),
}
SPECIAL = {
    "erf": Function("special.erf(x)", mp.erf, (ALL,), (1,)),
    "erfc": Function("special.erfc(x)", mp.erfc, (ALL,), (1, 5)),
    "erfinv": Function(
        "special.erfinv(x)", mp.erfinv, ((-1.0, 1.0),), (1,),
        "float64 near 1: the polynomial is JAX's, so that random numbers that are made with it are"),
    "ndtr": Function("special.ndtr(x)", mp.ncdf, (ALL,), (), TAIL),
    "ndtri": Function("special.ndtri(x)", _ndtri, (UNIT,), (0.5,)),
    "log_ndtr": Function("special.log_ndtr(x)", _log_ndtr, ((-1e4, 100.0),), (), TAIL),
    "gammaln": Function(
        "special.gammaln(x)", _loggamma, ((-20.0, math.inf),), (1, 2),
        "eagerly, it is infinite at negative denormal numbers, as in SciPy"),
    "gamma": Function(
        "special.gamma(x)", mp.gamma, ((-20.0, 200.0),), (),
        "it is e^gammaln(x), as in JAX, and the power multiplies the error by gammaln(x)"),
    "digamma": Function("special.digamma(x)", mp.digamma, ((-20.0, math.inf),), (1.4616321449683622,), CANCELS),
    "polygamma 1": Function("special.polygamma(1, x)", lambda x: mp.psi(1, x), (POSITIVE,)),
    "zeta": Function("special.zeta(x, y)", _zeta, ((1.05, 60.0), (0.1, 100.0)), (), SERIES),
    "i0": Function("special.i0(x)", lambda x: mp.besseli(0, x), (ALL,), (), BESSEL),
    "i0e": Function("special.i0e(x)", _scaled(0), (ALL,), (), SUMS),
    "i1": Function("special.i1(x)", lambda x: mp.besseli(1, x), (ALL,), (), BESSEL),
    "i1e": Function("special.i1e(x)", _scaled(1), (ALL,), (), SUMS),
    "expi": Function("special.expi(x)", mp.ei, ((-80.0, 80.0),), (0.3725074107813666,), CANCELS),
    "exp1": Function("special.exp1(x)", mp.e1, ((0.0, 700.0),), (), SUMS),
    "spence": Function("special.spence(x)", _spence, (POSITIVE,), (1,), SUMS),
    "entr": Function("special.entr(x)", lambda x: -x * _log(x) if x else mp.mpf(0), (POSITIVE,), (1,)),
    "logit": Function(
        "special.logit(x)", lambda x: mp.log(x / (1 - x)), (UNIT,), (0.5,),
        "it is log(x / (1 - x)), as in JAX, and the quotient is rounded near 1"),
    "xlogy": Function("special.xlogy(x, y)", lambda x, y: x * _log(y) if x else mp.mpf(0), (ALL, POSITIVE)),
    "xlog1py": Function("special.xlog1py(x, y)", lambda x, y: x * mp.log1p(y), (ALL, (-1.0, math.inf))),
    "betaln": Function(
        "special.betaln(x, y)", lambda x, y: mp.log(mp.beta(x, y)), ((0.05, 60.0), (0.05, 60.0)), (),
        "it is gammaln(x) + gammaln(y) - gammaln(x + y), as in JAX, which cancels"),
    "gammainc": Function(
        "special.gammainc(x, y)", _regularized(True), ((0.05, 60.0), (0.01, 90.0)), (), SERIES),
    "gammaincc": Function(
        "special.gammaincc(x, y)", _regularized(False), ((0.05, 60.0), (0.01, 90.0)), (), SERIES),
    "betainc": Function(
        "special.betainc(x, y, z)", lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
        ((0.05, 40.0), (0.05, 40.0), UNIT), (), SERIES),
    "sine integral": Function("special.sici(x)[0]", mp.si, ((-200.0, 200.0),), (1,), SUMS),
    "cosine integral": Function("special.sici(x)[1]", mp.ci, ((0.0, 200.0),), (0.6165054856207162,), CANCELS),
    "fresnel s": Function("special.fresnel(x)[0]", mp.fresnels, ((-20.0, 20.0),), (), SUMS),
    "dawsn": Function(
        "special.dawsn(x)", lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), ((-30.0, 30.0),), (1,), SUMS),
    "erfcx": Function(
        "special.erfcx(x)", lambda x: mp.exp(x * x) * mp.erfc(x), ((-5.0, 1e4),), (1,), SUMS),
    "hyp1f1": Function(
        "special.hyp1f1(x, y, z)", mp.hyp1f1, ((0.1, 5.0), (0.1, 5.0), (-20.0, 20.0)), (), SERIES),
}
FUNCTIONS = {**ELEMENTARY, **SPECIAL}


# ---- points ------------------------------------------------------------------------------------------------


def points(f: Function, dtype: str, count: int) -> list[np.ndarray]:
    """Return operands as float64 that are numbers of the dtype: dense, by magnitude, near zeros and ends."""
    rng = np.random.default_rng(7)
    axes = [_dense(rng, domain, dtype, count, f.zeros) for domain in f.domains]
    size = max(map(len, axes))
    return [np.resize(rng.permutation(a) if len(axes) > 1 else a, size) for a in axes]


def _dense(rng, domain, dtype, count, zeros) -> np.ndarray:
    low, high = domain
    largest = {"float32": 3.4e38, "float64": 1.7e308, "float16": 65504.0, "bfloat16": 3.3e38}[dtype]
    least = 2.0 ** LEAST[dtype]
    parts = [rng.uniform(max(low, -8.0), min(high, 8.0), count)]
    if math.isinf(high) or math.isinf(low):
        wide = 100.0 if dtype in ("float32", "bfloat16") else 800.0 if dtype == "float64" else 15.0
        parts.append(rng.uniform(max(low, -wide), min(high, wide), count // 2))
    else:
        parts.append(rng.uniform(low, high, count // 2))
    size = np.exp2(rng.uniform(math.log2(least), math.log2(min(largest, max(abs(low), abs(high)))), count // 2))
    parts.append(size * rng.choice([-1, 1], size.shape))
    for zero in zeros:
        for sign in (1, -1):
            parts.append(sign * zero + rng.choice([-1, 1], count // 20) * np.exp2(
                rng.uniform(-BITS[dtype] - 2, -1, count // 20)))
    x = _rounded(np.concatenate(parts), dtype)
    x = x[(x > low) & (x < high) & (abs(x) <= largest)]
    return np.unique(x)


def _rounded(x, dtype) -> np.ndarray:
    with np.errstate(all="ignore"):
        if dtype == "bfloat16":
            import ml_dtypes

            return x.astype(ml_dtypes.bfloat16).astype("f8")
        return x.astype(dtype).astype("f8")


def true_values(f: Function, operands) -> list:
    """Return mpmath's values."""
    out = []
    for xs in zip(*operands):
        mp.dps = DIGITS_OF_WORK
        try:
            out.append(mp.mpf(mp.re(f.true(*[mp.mpf(float(x)) for x in xs]))))
        except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence, NotImplementedError):
            out.append(None)
    return out


def errors(results: np.ndarray, true: list, dtype: str) -> np.ndarray:
    """Return errors in ulp of the true value; infinite for a NaN, or an infinity where there is a number."""
    most = (2 - mp.mpf(2) ** (1 - BITS[dtype])) * mp.mpf(2) ** {
        "float32": 127, "float64": 1023, "float16": 15, "bfloat16": 127}[dtype]
    out = np.zeros(len(true))
    for i, (r, t) in enumerate(zip(results.tolist(), true)):
        if t is None or mp.isnan(t):
            continue
        exponent = max(mp.frexp(t)[1] - BITS[dtype], LEAST[dtype]) if t and not mp.isinf(t) else LEAST[dtype]
        ulp = mp.mpf(2) ** exponent
        if math.isinf(r):  # right from half an ulp beyond the largest number on; near it, by as much as is allowed
            top = mp.mpf(2) ** (mp.frexp(most)[1])
            out[i] = max(0, float((top - abs(t)) / ulp)) if (r > 0) == (t > 0) else math.inf
        elif math.isnan(r):
            out[i] = math.inf
        elif abs(t) > most:
            out[i] = float((min(abs(t), 2 * most) - abs(mp.mpf(r))) / (mp.mpf(2) ** (mp.frexp(most)[1] - BITS[dtype])))
        else:
            out[i] = float(abs(mp.mpf(r) - t) / ulp)
    return out


# ---- results -----------------------------------------------------------------------------------------------


def child() -> None:
    """Evaluate functions at points in files, in this process."""
    import adjoint as ax
    import adjoint.numpy as jnp
    from adjoint import lax
    from adjoint.scipy import special

    ax.config.update("jax_enable_x64", True)
    folder = Path(sys.argv[2])
    names = {"ax": ax, "jnp": jnp, "lax": lax, "special": special}
    for path in sorted(folder.glob("*.npz")):
        name, dtype = json.loads((path.with_suffix(".json")).read_text())
        with np.load(path) as file:
            operands = [jnp.asarray(file[k]).astype(dtype) for k in file.files]
        f = eval(f"lambda {', '.join('xyz'[: len(operands)])}: {FUNCTIONS[name].text}", names)
        run = f if sys.argv[3] == "eager" else ax.jit(f)
        try:
            results = run(*operands)
        except TypeError:  # the function refuses the dtype
            continue
        np.save(folder / f"{path.stem}.{sys.argv[3]}.npy", np.asarray(results).astype("f8"))


def measured(names, count: int, show: int) -> dict:
    """Return {name: {dtype: {way: the greatest error}}}."""
    from adjoint.engines.native.runtime.cpu import levels

    ways = {"eager": {}, **{level: {"ADJOINT_NATIVE_CPU": level} for level in levels() or ["host"]}}
    found: dict = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        cases = [(name, dtype) for name in names for dtype in DTYPES]
        for i, (name, dtype) in enumerate(cases):
            size = count if dtype[-2:] != "16" else count // 2
            size = size if len(FUNCTIONS[name].domains) == 1 and name in ELEMENTARY else size // 3
            np.savez(folder / f"{i:04}.npz", *points(FUNCTIONS[name], dtype, size))
            (folder / f"{i:04}.json").write_text(json.dumps([name, dtype]))
        for way, variables in ways.items():
            command = [sys.executable, __file__, "--child", str(folder), way]
            subprocess.run(command, env={**os.environ, "ADJOINT_CACHE_DIR": "off", **variables}, check=True)
        for i, (name, dtype) in enumerate(cases):
            if not any(folder.glob(f"{i:04}.*.npy")):
                continue
            with np.load(folder / f"{i:04}.npz") as file:
                operands = [file[k] for k in file.files]
            true = true_values(FUNCTIONS[name], operands)
            for way in ways:
                if not (path := folder / f"{i:04}.{way}.npy").exists():
                    continue
                results = np.load(path)
                off = errors(results, true, dtype)
                found.setdefault(name, {}).setdefault(dtype, {})[way] = float(off.max())
                for k in np.argsort(off)[::-1][: show if off.max() > LIMIT else 0]:
                    at = ", ".join([repr(float(x[k])) for x in operands])
                    print(f"{name} {dtype} {way}: {off[k]:.3g} ulp at ({at}): {results[k]!r} for", mp.nstr(true[k], 20))
            print(name, dtype, {w: f"{e:.3g}" for w, e in found.get(name, {}).get(dtype, {}).items()}, flush=True)
    return found


HEAD = """# Accuracy

The greatest errors that were found, in units in the last place (ulp) of the true value, which is mpmath's with
{digits} digits. `make accuracy` makes this page ([bench/accuracy.py](../bench/accuracy.py)). Points are dense in the
domain, spread over all magnitudes (denormal numbers too), and crowd around zeros and ends. *Compiled* is the native
engine, the worst of code for {levels}; *eager* is NumPy and SciPy, and what is written with them.

At most {limit} ulp are promised, {strict} for `exp`, `log` and `tanh`. What exceeds that is **bold** and named below.

| | {heads} |
|---|{dashes}|
"""


def page(found: dict) -> str:
    """Return the page of all figures."""
    columns = [(d, way) for d in DTYPES for way in ("compiled", "eager")]
    levels = sorted({way for rows in found.values() for by in rows.values() for way in by} - {"eager"})
    text = HEAD.format(
        digits=DIGITS_OF_WORK, levels=", ".join(levels), limit=LIMIT, strict=STRICT["exp"],
        heads=" | ".join([f"{d} {w}" for d, w in columns]), dashes="--:|" * (len(columns) - 1) + "--:")
    for name, rows in found.items():
        cells = []
        for dtype, way in columns:
            off = _worst(rows, dtype, way)
            cell = "" if off is None else f"{off:.2f}" if off < 100 else f"{off:.0f}" if off < 1e4 else f"{off:.0e}"
            cells.append(f"**{cell}**" if off is not None and off > STRICT.get(name, LIMIT) else cell)
        text += f"| {name} | {' | '.join(cells)} |\n"
    text += "\n## What exceeds the limit\n\n"
    for name in exceptions(found):
        text += f"* {name}: {FUNCTIONS[name].reason}.\n"
    return text


def _worst(rows: dict, dtype: str, way: str) -> float | None:
    offs = [off for w, off in rows.get(dtype, {}).items() if (w == "eager") == (way == "eager")]
    return max(offs) if offs else None


def exceptions(found: dict) -> list[str]:
    """Return the functions that exceed their limit."""
    most = {name: max([off for by in rows.values() for off in by.values()]) for name, rows in found.items()}
    return [name for name, off in most.items() if off > STRICT.get(name, LIMIT)]


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a file for the figures")
    parser.add_argument("--of", type=Path, nargs="*", help="files of figures: make the page of them")
    options = parser.parse_args()
    if options.of:
        figures = {name: rows for path in options.of for name, rows in json.loads(path.read_text()).items()}
        found = {name: figures[name] for name in FUNCTIONS if name in figures}
    else:
        names = [n for n in FUNCTIONS if not options.only or n in options.only.split(",")]
        found = measured(names, options.points, options.show)
    if options.keep:
        options.keep.write_text(json.dumps(found))
    if not options.only:
        PAGE.write_text(page(found))
    unnamed = [name for name in exceptions(found) if not FUNCTIONS[name].reason]
    print("no reason is known for:" if unnamed else "every exception has a reason", ", ".join(unnamed))
    return len(unnamed)


if __name__ == "__main__":
    child() if sys.argv[1:2] == ["--child"] else sys.exit(main())

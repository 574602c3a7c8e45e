"""Code for the levels of x86-64 that this machine has: what breaks on a machine with less is found here.

Tests of other files are run again for such a level, in a process of its own: every routine, and functions of every
form. `make test-engines` runs all tests so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.modes import PLAIN

from adjoint.engines.native.runtime import machine
from adjoint.engines.native.runtime.cpu import levels

NATIVE = Path(__file__).parents[1]
SELECTION = """
    routines/products/convolution::test_a_form_and_its_gradients[sequences]
    routines/products/convolution::test_a_form_and_its_gradients[many groups of the batch]
    routines/products/convolution::test_dtypes[float16]
    examples::test_the_examples_of_a_primitive[dynamic_update_slice]
    examples::test_the_examples_of_a_primitive[hessenberg]
    examples::test_the_examples_of_a_primitive[householder_product]
    examples::test_the_examples_of_a_primitive[lu_pivots_to_permutation]
    examples::test_the_examples_of_a_primitive[ormqr]
    examples::test_the_examples_of_a_primitive[schur]
    operations::test_an_operation_gives_what_numpy_gives[sorts-greatest]
    operations::test_an_operation_gives_what_numpy_gives[sorts-greatest of many]
    examples::test_the_examples_of_a_primitive[tridiagonal]
    examples::test_the_examples_of_a_primitive[tridiagonal_solve]
    routines/linalg/factorizations::test_bits_of_evaluation[geqrf tall]
    routines/linalg/factorizations::test_bits_of_evaluation[values wide]
    routines/linalg/factorizations::test_complex_matrices[complex64]
    routines/linalg/factorizations::test_eigenvalues_of_any_matrix_and_small_products[float64]
    routines/user_reductions::test_complex_numbers_and_programs_are_generated_code[running]
    routines/user_reductions::test_select_and_scatter_by_programs[window1-add-ge]
    routines/fft::test_odd_real_rows_and_their_gradients
    runtime/cpu::test_vectors_are_as_wide_as_those_of_the_level
    functions/vector_math
    operations::test_numbers_that_nobody_can_ask_for_again[float32]
    operations::test_operations_on_64_bits
    routines/products/products::test_operands_that_are_views[slices]
    routines/products/products::test_a_computed_row_is_written_before_few_columns_are_summed
    routines/products/products::test_products_of_groups_of_rows[(3, 0, 10, 2)]
    graph/narrow_dtypes::test_conversions_have_the_bits_of_ml_dtypes[float8_e5m2]
    graph/narrow_dtypes::test_steps_of_a_program_are_rounded_each[uint2]
    routines/sort/sorting::test_partitions[uint32-vectors]
    routines/sort/bisection::test_values_of_any_shape_in_a_program
    routines/products/sparse::test_rows_that_come_in_order_are_summed
    routines/products/sparse::test_wider_indices_and_other_dtypes
    routines/products/sparse::test_elements_by_rows
    routines/sort/sorting::test_the_same_program_under_another_name_is_sorted
    kernels/sums::test_sums_of_quotients_see_the_elements_of_a_row_alone
    kernels/tiles::test_a_transposed_operand
    runtime/threads::test_results_do_not_depend_on_the_number_of_threads[narrow floats-rows]
    runtime/threads::test_results_do_not_depend_on_the_number_of_threads[many updates-rows]
"""


def run(level, *args, **kwargs):
    environment = {**PLAIN, "ADJOINT_CACHE_DIR": "off", "ADJOINT_NATIVE_CPU": level, "ADJOINT_CPU_ENGINE": "native",
                   "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}       # other packages' plugins import much
    return subprocess.run([sys.executable, *args], env=environment, capture_output=True, text=True, **kwargs)


# Bits of the vectors of a level: at those of its own the whole suite runs.
BITS = {"x86-64-v2": 128, "x86-64-v3": 256, "x86-64-v4": 512}
OTHERS = [level for level in levels() if level != "x86-64-v4" and BITS.get(level) != 8 * machine.VECTOR_BYTES]


@pytest.mark.parametrize("level", OTHERS)
def test_every_routine_at_a_level(level):
    selected = []
    for line in SELECTION.strip().splitlines():
        name, *test = line.strip().split("::", 1)
        path = NATIVE / name
        selected.append("::".join([f"{path.parent}/test_{path.name}.py", *test]))
    plugins = "-p tests.engines.routines_written -p no:cacheprovider -p no:xdist".split()
    done = run(level, "-m", "pytest", "-q", "-x", *plugins, *selected, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@pytest.mark.skipif("x86-64-v2" not in levels(), reason="its code is made from that of a level")
def test_objects_for_aarch64_are_made_from_the_same_text():
    done = run("x86-64-v2", "-m", "tests.engines.native.runtime.other_processors", timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    width, own, common, with_vectors = json.loads(done.stdout)
    assert width == 16 and own <= 1 and common > 20 and with_vectors > 15


def test_vectors_are_as_wide_as_those_of_the_level():
    level = os.environ.get("ADJOINT_NATIVE_CPU", "host")
    assert 8 * machine.VECTOR_BYTES == BITS.get(level, 8 * machine.VECTOR_BYTES)
    assert (machine.PROCESSOR[0] == level) == (level in BITS)


def test_a_level_that_there_is_not_is_an_error():
    done = run("avx2", "-c", "import adjoint as ax\nax.jit(lambda x: x * 2)(3.)")
    assert "ValueError: The environment variable ADJOINT_NATIVE_CPU is 'avx2'." in done.stderr
    assert "x86-64-v2, x86-64-v3, x86-64-v4 or host" in done.stderr

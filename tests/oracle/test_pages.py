"""Programs as JAX's documents have them, about devices: they print here what JAX prints, which is on disk."""

from __future__ import annotations

from tests.modes import compiling, standard

from . import pages


@standard  # so are JAX's answers
@compiling
def test_programs_of_the_documents_print_what_jax_prints():
    assert pages.differences() == []

"""Documents, `jax._src.pretty_printer`, are written as by JAX, and so are parts of programs."""

from __future__ import annotations

import pytest
from tests.recorded import jax

from .inside import ours, told


def pp(m):
    return m._src.pretty_printer


def abc(m):
    p = pp(m)
    return p.group(p.nest(2, p.concat([p.text("a"), p.brk(), p.text("b" * 10), p.brk(""), p.text("c")])))


def remarks(m):
    p = pp(m)
    first, second = p.text("abc", annotation="hi"), p.text("d", annotation="ho")
    return p.concat([first, second, p.brk(), p.text("e", annotation="x")])


def red(m, doc):
    return pp(m).color(doc, foreground=pp(m).Color.RED)


def program(m):
    return m.make_jaxpr(lambda x: m.numpy.sin(x) * 2.0)(m.numpy.ones(3)).jaxpr


PROBES = {
    "one_line": lambda m: abc(m).format(),
    "narrow": lambda m: abc(m).format(5),
    "representation": lambda m: abc(m),
    "sum": lambda m: (abc(m) + pp(m).text("x")).format(),
    "str": lambda m: str(abc(m)),
    "joined": lambda m: pp(m).join(pp(m).text(", "), [pp(m).text("a"), pp(m).text("b"), pp(m).text("c")]),
    "joined_one": lambda m: pp(m).join(pp(m).brk(), [pp(m).text("a")]),
    "joined_none": lambda m: pp(m).join(pp(m).brk(), []),
    "nothing": lambda m: pp(m).concat([]).format(),
    "nil": lambda m: pp(m).nil(),
    "remarks": lambda m: remarks(m).format(3, annotation_prefix=" @ "),
    "remark_in_group": lambda m: pp(m).group(remarks(m)).format(),
    "red": lambda m: red(m, pp(m).text("a")).format(use_color=True),
    "no_color": lambda m: red(m, pp(m).text("a")).format(),
    "nested_colors": lambda m: red(m, pp(m).concat([pp(m).text("a"), pp(m).color(pp(m).text("z"),
        background=pp(m).Color.BLUE), pp(m).text("y")])).format(use_color=True),
    "two_lines_in_color": lambda m: pp(m).nest(2, red(m, pp(m).concat([pp(m).text("a"), pp(m).brk(),
        pp(m).text("b")]))).format(use_color=True),
    "bright": lambda m: pp(m).color(pp(m).text("a"), intensity=pp(m).Intensity.BRIGHT).format(use_color=True),
    "remark_in_color": lambda m: pp(m).concat([red(m, pp(m).text("a", annotation="n")), pp(m).brk(),
        pp(m).text("x")]).format(use_color=True),
    "html": lambda m: pp(m).concat([pp(m).text("a<&", anchor="k", href="u"), red(m,
        pp(m).text("r"))]).format(output_format=pp(m).OutputFormat.HTML, use_color=True),
    "fits": lambda m: pp(m).group(pp(m).concat([pp(m).text("aaa"), pp(m).group(pp(m).concat([pp(m).brk(),
        pp(m).text("bbb")])), pp(m).group(pp(m).concat([pp(m).brk(), pp(m).text("ccc")]))])).format(8),
    "behind_a_group": lambda m: pp(m).concat([pp(m).group(pp(m).concat([pp(m).text("aaa"), pp(m).brk(),
        pp(m).text("bbb")])), pp(m).text("ccc")]).format(8),
    "lines_in_text": lambda m: pp(m).nest(2, pp(m).concat([pp(m).text("a\nb"), pp(m).brk(),
        pp(m).text("c")])).format(),
    "source": lambda m: pp(m).source_map(pp(m).text("a"), 3),
    "not_a_text": lambda m: pp(m).text(3),
    "not_a_document": lambda m: pp(m).group("x"),
    "program": lambda m: m._src.core.pp_jaxpr(program(m), m._src.core.JaxprPpContext(),
        m._src.core.JaxprPpSettings()).format(),
    "whole_program": lambda m: m._src.core.pp_toplevel_jaxpr(program(m)).format(),
    "equation": lambda m: m._src.core.pp_eqn(program(m).eqns[0], m._src.core.JaxprPpContext(),
        m._src.core.JaxprPpSettings()).format(),
    "equations": lambda m: m._src.core.pp_eqns(program(m).eqns, m._src.core.JaxprPpContext(),
        m._src.core.JaxprPpSettings()).format(),
    "variable": lambda m: m._src.core.pp_var(program(m).invars[0], m._src.core.JaxprPpContext()).format(),
    "variables": lambda m: m._src.core.pp_vars(program(m).invars, m._src.core.JaxprPpContext(),
        print_shapes=True).format(),
    "parameter": lambda m: m._src.core.pp_kv_pair("a", 3, m._src.core.JaxprPpContext(),
        m._src.core.JaxprPpSettings()).format(),
    "parameters": lambda m: m._src.core.pp_kv_pairs([("a", 3), ("b", 4)], m._src.core.JaxprPpContext(),
        m._src.core.JaxprPpSettings()).format(),
}


@pytest.mark.parametrize("name", PROBES)
def test_private_names_do_what_they_do_in_jax(name):
    assert told(PROBES[name], ours) == told(PROBES[name], jax)

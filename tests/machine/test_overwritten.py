"""Constants that overwrite a caller's floats in the guise of integers, bytes or halves: derivatives end there.

The caller has a derivative in its shadow, as it would in the middle of a program. All is linear in what is active, so
that the results are exact.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir import frontends
from gradir.errors import NoRule
from gradir.machine import llvm

HEAD = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static inline void bytes(void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
"""
# Each overwrites y[0] by a constant, and returns x * y[1].
PROGRAMS = {
    "moved_array": """
        double *c = malloc(64);
        for (int i = 0; i < 8; i++) c[i] = 0.5;
        c = realloc(c, 96);
        bytes(y, c, 8);
        free(c);""",
    "table": "double c[4] = {1, 2, 3, k}; bytes(y, c + (k & 1), 8);",
    "constant_table": "static const double c[4] = {1.1, 2.2, 3.3, 4.4}; bytes(y, c + (k & 3), 8);",
    "text": 'memcpy(y, "abcdefg", 8);',
    "words": "uint32_t w[2]; double q = k; memcpy(w, &q, 8); memcpy(y, w, 4); memcpy((char *)y + 4, w + 1, 4);",
    "halves_of_a_union": "union { double d; int i[2]; } *u = (void *)y; u->i[0] = k; u->i[1] = 0x3ff00000;",
    "constant_struct": "static const struct { double v; } c = {1.5}; memcpy(y, &c, sizeof c);",
}
# The head of y[0] is overwritten, and the rest of it read as a float: no derivative is known of that.
HEADS = {
    "sign": "char *p = (char *)y; p[7] = 0; x += y[0];",
    "high_word": "union { double d; int i[2]; } *u = (void *)y; u->i[1] = 0x3ff00000; x += u->d;",
}


@cache
def text_of(level: int, folder: Path) -> str:
    source = folder / "overwritten.c"
    bodies = {**PROGRAMS, **HEADS}.items()
    functions = [f"double {n}(double x, double *y, int k) {{ {body}\nreturn x * y[1]; }}" for n, body in bodies]
    source.write_text(HEAD + "\n".join(functions))
    module = frontends.to_llvm(source)
    return str(llvm.optimise(module, level=level, target=llvm.Target(cpu="x86-64")) if level else module)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives_end_where_constants_are_written(
    name: str, level: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    module = gradir.load(text_of(level, tmp_path_factory.getbasetemp()))
    y, dy = np.array([2.0, 3.0]), np.array([0.7, 0.9])
    _, (dx, back) = module.vjp(name, wrt=(0, 1))(1.5, y.copy(), 2, 1.0, dy.copy())
    np.testing.assert_array_equal([dx, *back], [3.0, 0.0, 0.9 + 1.5])
    _, tangents = module.jvp(name, wrt=(0, 1))(1.5, y.copy(), 2, 0.5, dy.copy())
    np.testing.assert_array_equal(np.hstack(tangents), [0.5 * 3.0 + 1.5 * 0.9, 0.0, 0.9])


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", HEADS)
def test_heads_of_floats_are_not_overwritten(name: str, level: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    module = gradir.load(text_of(level, tmp_path_factory.getbasetemp()))
    for derivative in (module.vjp, module.jvp):
        with pytest.raises(NoRule, match="a part of a float is overwritten"):
            derivative(name, wrt=(0, 1))(1.5, np.ones(2), 2, 1.0, np.ones(2))


# An array of the caller's, and one of structs, are pointed to by one pointer: what is between the structs' floats says
# nothing of the array, which is moved by two elements.
STRUCTS = {"int": "k", "long": "k + 1L", "char": "(char)k"}


@pytest.mark.parametrize("member", STRUCTS)
def test_arrays_are_moved_whole_whatever_else_a_pointer_points_to(member: str, tmp_path: Path) -> None:
    source = tmp_path / "moved.c"
    source.write_text(f"""
        #include <string.h>
        typedef struct {{ double d; {member} i; }} S;
        double moved(double *x, int k) {{
            S s[4];
            for (int i = 0; i < 4; i++) {{ s[i].d = 2 * i; s[i].i = {STRUCTS[member]}; }}
            memmove(x + 2, x, 3 * sizeof *x);
            double chosen = *(k & 1 ? &x[k & 7] : &s[k & 3].d);
            return chosen * s[k & 3].i;
        }}""")
    module = gradir.load(source)
    x, dx = np.arange(1.0, 9.0), np.arange(2.0, 10.0)
    _, gradient = module.vjp("moved", wrt=0)(x.copy(), 2, 1.0, dx.copy())
    np.testing.assert_array_equal(gradient, [2.0 + 4.0, 3.0 + 5.0, 6.0, 0.0, 0.0, *dx[5:]])


def moved_beside(member: str, tmp_path: Path) -> gradir.NativeModule:
    """Where nothing else tells what the array is, what lies between the structs' floats may be floats, or not."""
    source = tmp_path / "moved.c"
    source.write_text(f"""
        #include <string.h>
        typedef struct {{ double d; {member} i; }} S;
        double moved(double *x, double *y, int k) {{
            S s[4];
            for (int i = 0; i < 4; i++) {{ s[i].d = 2 * i; s[i].i = {"y + i" if "*" in member else "k"}; }}
            memmove(x + 2, x, 3 * sizeof *x);
            double chosen = *(k & 1 ? &x[k & 7] : &s[k & 3].d);
            x[k] = chosen;
            return chosen * {"*" if "*" in member else ""}s[k & 3].i;
        }}""")
    return gradir.load(source, flags=["-g0"])


def test_arrays_are_not_taken_for_structs_that_a_pointer_may_point_to(tmp_path: Path) -> None:
    with pytest.raises(NoRule, match="it is not known what is copied"):
        moved_beside("float", tmp_path).grad("moved", wrt=(0, 1))(np.arange(1.0, 9.0), np.ones(8), 2)


def test_shadows_tell_arrays_from_structs_with_pointers(tmp_path: Path) -> None:
    """s[2].d = 4 times y[2]; nothing of x is returned, and x[2] is overwritten again."""
    module, dx = moved_beside("double *", tmp_path), np.arange(2.0, 10.0)
    _, (by_x, by_y) = module.vjp("moved", wrt=(0, 1), outputs="x")(np.arange(1.0, 9.0), np.ones(8), 2, 1.0, dx.copy())
    np.testing.assert_array_equal(by_x, [2.0, 3.0 + 5.0, 6.0, 0.0, 0.0, *dx[5:]])
    np.testing.assert_array_equal(by_y, [0, 0, 4.0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_shadows_of_several_directions_tell_numbers_from_pointers(mode: str, tmp_path: Path) -> None:
    """y = (x0 x3 p, q x2 x3 + x2 x3, x0 x2 x3²), where p = x0 x1 and q = x2 if they were copied."""
    source = tmp_path / "mixed.c"
    source.write_text("""
        #include <string.h>
        typedef union { double d; double *p; } word;
        void mixed(const double *x, double *y, long n) {
            double kept[2] = {x[0] * x[1], x[2]}, one = 1;
            word from[4], to[4];
            for (int i = 0; i < 4; i++) {
                if (i & 1) from[i].p = &kept[i >> 1], to[i].p = &one;
                else from[i].d = x[i] * x[3], to[i].d = 1;
            }
            memcpy(to, from, n * sizeof(word));
            y[0] = to[0].d * *to[1].p, y[1] = to[2].d * *to[3].p + from[2].d, y[2] = to[0].d * to[2].d;
        }""")
    a, b, c, d = x = np.array([0.7, 1.3, -0.4, 2.1])
    jacobian = gradir.load(source).jacobian("mixed", wrt="x", outputs="y", mode=mode)
    by_d = [a * a * b, c * c + c, 2 * a * c * d]
    expected = np.array([[2 * a * b * d, 0, c * d * d], [a * a * d, 0, 0], [0, 2 * c * d + d, a * d * d], by_d]).T
    np.testing.assert_allclose(jacobian(x, np.zeros(3), 4), expected, rtol=1e-13)
    np.testing.assert_allclose(jacobian(x, np.zeros(3), 1), [[d, 0, 0, a], [0, 0, d, c], [d, 0, 0, a]], rtol=1e-13)


def test_floats_that_are_overwritten_by_words_across_their_borders_and_bytes():
    """As vectorised copies of bytes do: a word from the middle of one float to that of the next looks like a float of
    its own, and the bytes behind it like the beginning of another."""
    moved = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 8), (13, 1), (14, 1), (15, 1)]
    copies = "".join(
        f"""
  %from{k} = getelementptr inbounds i8, ptr %m, i64 {k}
  %v{k} = load i{8 * size}, ptr %from{k}, align 1
  %to{k} = getelementptr inbounds i8, ptr %y, i64 {8 + k}
  store i{8 * size} %v{k}, ptr %to{k}, align 1"""
        for k, size in moved
    )
    text = f"""
define double @f(ptr %y, i64 %n, double %c) {{
  %m = alloca [4 x double], align 16
  %lane = insertelement <4 x double> poison, double %c, i64 0
  %lanes = shufflevector <4 x double> %lane, <4 x double> poison, <4 x i32> zeroinitializer
  store <4 x double> %lanes, ptr %m, align 16{copies}
  %one = getelementptr inbounds i8, ptr %y, i64 8
  %two = getelementptr inbounds i8, ptr %y, i64 16
  %a = load double, ptr %one, align 8
  %b = load double, ptr %two, align 8
  %any = getelementptr inbounds double, ptr %m, i64 %n
  %d = load double, ptr %any, align 8
  %ab = fmul double %a, %b
  %r = fmul double %ab, %d
  ret double %r
}}
"""
    m = gradir.load(text)
    dy = np.ones(4)
    _, (dr, dy) = m.jvp("f", wrt="y")(np.arange(4.0), 1, 0.5, dy)
    assert dr == 0
    assert dy.tolist() == [1, 0, 0, 1]
    _, dy = m.vjp("f", wrt="y")(np.arange(4.0), 1, 0.5, 1.0, np.ones(4))
    assert dy.tolist() == [1, 0, 0, 1]

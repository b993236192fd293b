"""Metadata as nodes: what LLVM prints of it, in all its shapes."""

import pytest

from gradir.errors import InputError
from gradir.machine import llvm
from gradir.machine.ir.metadata import Metadata
from gradir.machine.ir.text.reader import read


def test_specialised_nodes():
    metadata = Metadata({
        "!0": "distinct !DISubprogram(name: \"a \\22b\\22\", line: 3, scope: null, spFlags: DISPFlagLocalToUnit | "
        "DISPFlagDefinition, type: !1, virtualIndex: -1)",
        "!1": "!DISubroutineType(types: !{null, !2, !2})",
        "!2": '!DIBasicType(name: "C:\\\\dir\\\\", size: 64, encoding: DW_ATE_float)',
    })  # fmt: skip
    f = metadata.node("!0")
    assert f.is_distinct and f.kind == "DISubprogram" and f.name == "!0"
    assert f.string("name") == 'a "b"' and f.number("line") == 3 and f.number("virtualIndex") == -1
    assert "scope" in f and f.node("scope") is None and "file" not in f
    assert f.words("spFlags") == ("DISPFlagLocalToUnit", "DISPFlagDefinition") and f.word("flags") == ""
    types = f.node("type").nodes("types")
    assert types[0] is None and types[1] is types[2] is metadata.node("!2")
    assert types[1].tag == "DIBasicType" and types[1].string("name") == "C:\\dir\\"


def test_tuples_and_constants():
    metadata = Metadata({
        "!5": '!{!"S", !6, i64 0, !6, i64 8, ptr @f, i1 true, '
        '<2 x i32> <i32 1, i32 2>, ptr getelementptr (i8, ptr @"g h", i64 8)}',
        "!6": '!{!"double"}',
        "!7": "distinct !{!7, !8}",
        "!llvm.ident": "!{!6}",
    })  # fmt: skip
    node = metadata.node("!5")
    assert node.kind == "" and node.string(0) == "S" and node.string(1) is None
    assert node.node(1) is node.node(3) and [node.number(i) for i in (2, 4, 6, 7)] == [0, 8, 1, None]
    assert node.globals == ["f", "g h"]
    loop = metadata.node("!7")
    assert loop.node(0) is loop and loop.node(1) is None
    assert metadata.node("!llvm.ident").node(0) is node.node(1)


def test_nodes_that_stand_in_the_place_of_a_name():
    metadata = Metadata({})
    assert metadata.node("!{}").parts == {} and metadata.node(None) is None and metadata.node("!1") is None
    expression = metadata.node("!DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref)")
    assert [expression.word(0), expression.number(1), expression.word(2)] == ["DW_OP_plus_uconst", 8, "DW_OP_deref"]
    generic = metadata.node('!GenericDINode(tag: DW_TAG_entry_point, header: "h", operands: {!{}, null})')
    assert generic.tag == "DW_TAG_entry_point" and [n is None for n in generic.nodes("operands")] == [False, True]


def test_what_is_no_metadata_is_refused():
    for text in ("!DILocation(line: 3", "!{!1", "42"):
        with pytest.raises(InputError, match="can't read this LLVM IR"):
            Metadata({"!0": text}).node("!0")


def test_every_node_of_a_compiled_program_can_be_read(tmp_path):
    from gradir.frontends import to_llvm

    source = tmp_path / "k.cpp"
    source.write_text("""
    #include <vector>
    #include <string>
    template <int n> struct row { double x[n]; unsigned bits : 3; static const int size = -n; };
    enum class colour : unsigned char { red, green };
    double f(std::vector<row<3>> const &rows, std::string name, colour c, double (*g)(double)) {
        double sum = 0;
        for (auto &r : rows) sum += g(r.x[1]) * (double)name.size() + (c == colour::red);
        return sum;
    }""")
    text = str(to_llvm(source))
    module = read(str(llvm.parse(text)))
    kinds = {module.nodes.node(name).kind for name in module.metadata}
    assert {"", "DISubprogram", "DICompositeType", "DILocalVariable", "DITemplateValueParameter"} <= kinds
    assert len(list(module.nodes.of_kind("DISubprogram"))) > 10

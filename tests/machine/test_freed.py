"""What is freed where ways join is freed on each of them."""

from __future__ import annotations

from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.flow import freed

_JOINED = """
declare void @free(ptr)
define void @f(ptr %a, ptr %b, i1 %c, i1 %d) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br i1 %d, label %join, label %end
join:
  %p = phi ptr [ %a, %left ], [ %b, %right ]
  call void @free(ptr %p)
  br label %end
end:
  ret void
}
"""


def test_each_way_frees_its_own() -> None:
    module = read(_JOINED)
    freed.run(module)
    calls = [i for i in module.functions["f"].instructions() if i.callee_name == "free"]
    assert [call.arguments[0].ref for call in calls] == ["%a", "%b"]
    assert not any(i.opcode == "phi" for i in module.functions["f"].instructions())
    llvm.parse(str(module), "f.ll")  # which verifies it


def test_what_is_used_before_stays() -> None:
    used = _JOINED.replace("  call void @free", "  store double 1.0, ptr %p\n  call void @free")
    module = read(used)
    freed.run(module)
    assert [i.arguments[0].ref for i in module.functions["f"].instructions() if i.callee_name == "free"] == ["%p"]

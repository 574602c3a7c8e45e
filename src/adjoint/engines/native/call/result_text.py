"""The part of a call that builds its results, as LLVM's text; `call_text.py` says what the nodes and fields are.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

from .classes import VERSION_WORD

__all__ = ["RESULT_TEXT"]

_WRAP = """
define internal ptr @wrap(ptr %buffer, ptr %aval) #0 {
start:
  %context = load ptr, ptr @context
  %none = get ptr %context none
  %array_type = get ptr %context array_type
  %array = call ptr @PyType_GenericAlloc(ptr %array_type, i64 0)
  %is.array = icmp ne ptr %array, null
  br i1 %is.array, label %filled, label %failed
filled:
  call void @Py_IncRef(ptr %buffer)
  call void @Py_IncRef(ptr %aval)
  call void @Py_IncRef(ptr %none)
  %buffer_at = get i64 %context buffer_at
  %buffer.p = getelementptr i8, ptr %array, i64 %buffer_at
  store ptr %buffer, ptr %buffer.p
  %aval_at = get i64 %context aval_at
  %aval.p = getelementptr i8, ptr %array, i64 %aval_at
  store ptr %aval, ptr %aval.p
  %device_at = get i64 %context device_at
  %device.p = getelementptr i8, ptr %array, i64 %device_at
  store ptr %none, ptr %device.p
  ret ptr %array
failed:
  ret ptr null
}

define internal ptr @view(ptr %base, ptr %node) #0 {
start:
  %context = load ptr, ptr @context
  %descr = get ptr %node 3
  %rank.wide = get i64 %node 4
  %rank = trunc i64 %rank.wide to i32
  %dims = get ptr %node 5
  %strides = get ptr %node 6
  %offset = get i64 %node 7
  %memory = get ptr %base 2
  %data = getelementptr i8, ptr %memory, i64 %offset
  %ndarray = get ptr %context ndarray
  %new_array = get ptr %context new_array
  %set_base = get ptr %context set_base
  call void @Py_IncRef(ptr %descr)
  %new = call ptr %new_array(
    ptr %ndarray, ptr %descr, i32 %rank, ptr %dims, ptr %strides, ptr %data, i32 1280, ptr null)
  %is.new = icmp ne ptr %new, null
  br i1 %is.new, label %made, label %failed
made:
  call void @Py_IncRef(ptr %base)
  %error = call i32 %set_base(ptr %new, ptr %base)
  %is.fine = icmp eq i32 %error, 0
  br i1 %is.fine, label %fine, label %drop
fine:
  ret ptr %new
drop:
  call void @Py_DecRef(ptr %new)
  ret ptr null
failed:
  ret ptr null
}
"""


def _made(x: str, kind: str) -> str:
    """Write, from label `x` to `x.done`, the making of a node's parts, which go into a new tuple or list, `x.new`."""
    return f"""{x}:
  %{x}.count = get i64 %node 1
  %{x}.type = get ptr %node 2
  %{x}.children = getelementptr i64, ptr %node, i64 3
  store ptr %{x}.children, ptr %cursor
  %{x}.new = call ptr @Py{kind}_New(i64 %{x}.count)
  br label %{x}.head
{x}.head:
  %{x}.i = phi i64 [ 0, %{x} ], [ %{x}.i1, %{x}.set ]
  %{x}.more = icmp ult i64 %{x}.i, %{x}.count
  br i1 %{x}.more, label %{x}.next, label %{x}.done
{x}.next:
  %{x}.child = call ptr @make(ptr %cursor, ptr %entry)
  %{x}.made = icmp ne ptr %{x}.child, null
  br i1 %{x}.made, label %{x}.set, label %{x}.failed
{x}.set:
  %{x}.ok = call i32 @Py{kind}_SetItem(ptr %{x}.new, i64 %{x}.i, ptr %{x}.child)
  %{x}.i1 = add i64 %{x}.i, 1
  br label %{x}.head
{x}.failed:
  call void @Py_DecRef(ptr %{x}.new)
  ret ptr null
{x}.done:"""


_TREE = """
define internal ptr @make(ptr %cursor, ptr %entry) #0 {
start:
  %context = load ptr, ptr @context
  %node = load ptr, ptr %cursor
  %kind = load i64, ptr %node
  %none = get ptr %context none
  switch i64 %kind, label %nothing [ i64 0, label %leaf  i64 1, label %tuple  i64 2, label %list  i64 3, label %dict
                                     i64 5, label %other  i64 6, label %named  i64 7, label %part  i64 8, label %array
                                     i64 9, label %object  i64 10, label %custom ]
nothing:
  %after = getelementptr i64, ptr %node, i64 1
  store ptr %after, ptr %cursor
  call void @Py_IncRef(ptr %none)
  ret ptr %none
failed:
  ret ptr null

leaf:
  %leaf.end = getelementptr i64, ptr %node, i64 3
  store ptr %leaf.end, ptr %cursor
  %slot = get i64 %node 1
  %aval = get ptr %node 2
  %items = get ptr %entry items
  %item = get ptr %items %slot
  %wrapped = call ptr @wrap(ptr %item, ptr %aval)
  ret ptr %wrapped
part:
  %part.end = getelementptr i64, ptr %node, i64 8
  store ptr %part.end, ptr %cursor
  %p.slot = get i64 %node 1
  %p.aval = get ptr %node 2
  %p.items = get ptr %entry items
  %p.item = get ptr %p.items %p.slot
  %view = call ptr @view(ptr %p.item, ptr %node)
  %is.view = icmp ne ptr %view, null
  br i1 %is.view, label %viewed, label %failed
viewed:
  %p.wrapped = call ptr @wrap(ptr %view, ptr %p.aval)
  call void @Py_DecRef(ptr %view)
  ret ptr %p.wrapped
array:
  %array.end = getelementptr i64, ptr %node, i64 2
  store ptr %array.end, ptr %cursor
  %a.at = get i64 %node 1
  %outs = get ptr %entry outs
  %outs.items = get ptr %outs 3
  %out = get ptr %outs.items %a.at
  call void @Py_IncRef(ptr %out)
  ret ptr %out

tuple:
  br label %t
named:
  br label %t
<tuple>
  %is.tuple = icmp eq i64 %kind, 1
  br i1 %is.tuple, label %t.out, label %t.named
t.out:
  ret ptr %t.new
t.named:
  %named.new = call ptr @PyObject_CallObject(ptr %t.type, ptr %t.new)
  call void @Py_DecRef(ptr %t.new)
  ret ptr %named.new

list:
  br label %l
other:
  br label %l
<list>
  %is.list = icmp eq i64 %kind, 2
  br i1 %is.list, label %l.out, label %built
l.out:
  ret ptr %l.new
built:
  %unflatten = get ptr %context unflatten
  %tree = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %unflatten, ptr %l.type, ptr %l.new, ptr null)
  call void @Py_DecRef(ptr %l.new)
  ret ptr %tree

custom:
  br label %c
<custom>
  %c.build = get ptr %c.type 3
  %c.data = get ptr %c.type 4
  %c.value = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %c.build, ptr %c.data, ptr %c.new, ptr null)
  call void @Py_DecRef(ptr %c.new)
  ret ptr %c.value

object:
  %o.count = get i64 %node 1
  %o.type = get ptr %node 2
  %o.static = get i64 %node 3
  %o.version = get i64 %node 4
  %o.keywords = get ptr %node 5
  %o.kept = getelementptr i64, ptr %node, i64 6
  %o.all = add i64 %o.static, %o.count
  %o.order = getelementptr i64, ptr %o.kept, i64 %o.static
  %o.order.words = mul i64 %o.all, 2
  %o.children = getelementptr i64, ptr %o.order, i64 %o.order.words
  store ptr %o.children, ptr %cursor
  %o.values = alloca ptr, i64 %o.all
  br label %kept
kept:
  %m = phi i64 [ 0, %object ], [ %m.next, %kept.next ]
  %m.more = icmp ult i64 %m, %o.static
  br i1 %m.more, label %kept.next, label %field
kept.next:
  %m.value = get ptr %o.kept %m
  call void @Py_IncRef(ptr %m.value)
  %m.at = getelementptr ptr, ptr %o.values, i64 %m
  store ptr %m.value, ptr %m.at
  %m.next = add i64 %m, 1
  br label %kept
field:
  %o.i = phi i64 [ %o.static, %kept ], [ %o.i1, %field.set ]
  %o.more = icmp ult i64 %o.i, %o.all
  br i1 %o.more, label %field.next, label %filled
field.next:
  %o.child = call ptr @make(ptr %cursor, ptr %entry)
  %o.made = icmp ne ptr %o.child, null
  br i1 %o.made, label %field.set, label %release
field.set:
  %o.at = getelementptr ptr, ptr %o.values, i64 %o.i
  store ptr %o.child, ptr %o.at
  %o.i1 = add i64 %o.i, 1
  br label %field
filled:
  %o.current.word = get i64 %o.type <version>
  %o.current = and i64 %o.current.word, 4294967295
  %o.plain = icmp eq i64 %o.current, %o.version
  %o.known = icmp ne i64 %o.version, 0
  %o.direct = and i1 %o.plain, %o.known
  br i1 %o.direct, label %allocate, label %construct
construct:
  %o.built = call ptr @PyObject_Vectorcall(ptr %o.type, ptr %o.values, i64 0, ptr %o.keywords)
  br label %release
allocate:
  %o.maker = get ptr %context new_object
  %o.nothing = get ptr %context no_axes
  %o.new = call ptr %o.maker(ptr %o.type, ptr %o.nothing, ptr null)
  %o.is.new = icmp ne ptr %o.new, null
  br i1 %o.is.new, label %attribute, label %release
attribute:
  %o.k = phi i64 [ 0, %allocate ], [ %o.k1, %attribute.fine ]
  %o.k.more = icmp ult i64 %o.k, %o.all
  br i1 %o.k.more, label %attribute.set, label %release
attribute.set:
  %o.k.word = mul i64 %o.k, 2
  %o.k.p = getelementptr i64, ptr %o.order, i64 %o.k.word
  %o.k.name = get ptr %o.k.p 0
  %o.k.from = get i64 %o.k.p 1
  %o.k.at = getelementptr ptr, ptr %o.values, i64 %o.k.from
  %o.k.value = load ptr, ptr %o.k.at
  %o.k.failed = call i32 @PyObject_GenericSetAttr(ptr %o.new, ptr %o.k.name, ptr %o.k.value)
  %o.k.fine = icmp eq i32 %o.k.failed, 0
  %o.k1 = add i64 %o.k, 1
  br i1 %o.k.fine, label %attribute.fine, label %abandon
attribute.fine:
  br label %attribute
abandon:
  call void @Py_DecRef(ptr %o.new)
  br label %release
release:
  %o.out = phi ptr [ null, %field.next ], [ %o.built, %construct ], [ null, %allocate ], [ %o.new, %attribute ],
                   [ null, %abandon ]
  %o.held = phi i64 [ %o.i, %field.next ], [ %o.all, %construct ], [ %o.all, %allocate ], [ %o.all, %attribute ],
                    [ %o.all, %abandon ]
  br label %drop
drop:
  %o.r = phi i64 [ 0, %release ], [ %o.r1, %drop.next ]
  %o.r.more = icmp ult i64 %o.r, %o.held
  br i1 %o.r.more, label %drop.next, label %dropped
drop.next:
  %o.r.at = getelementptr ptr, ptr %o.values, i64 %o.r
  %o.r.value = load ptr, ptr %o.r.at
  call void @Py_DecRef(ptr %o.r.value)
  %o.r1 = add i64 %o.r, 1
  br label %drop
dropped:
  ret ptr %o.out

dict:
  %d.count = get i64 %node 1
  %d.keys = getelementptr i64, ptr %node, i64 2
  %d.values = getelementptr i64, ptr %d.keys, i64 %d.count
  store ptr %d.values, ptr %cursor
  %d = call ptr @PyDict_New()
  br label %d.head
d.head:
  %d.i = phi i64 [ 0, %dict ], [ %d.i1, %d.set ]
  %d.more = icmp ult i64 %d.i, %d.count
  br i1 %d.more, label %d.next, label %d.done
d.next:
  %d.key = get ptr %d.keys %d.i
  %d.child = call ptr @make(ptr %cursor, ptr %entry)
  %d.made = icmp ne ptr %d.child, null
  br i1 %d.made, label %d.set, label %d.failed
d.set:
  %d.ok = call i32 @PyDict_SetItem(ptr %d, ptr %d.key, ptr %d.child)
  call void @Py_DecRef(ptr %d.child)
  %d.i1 = add i64 %d.i, 1
  br label %d.head
d.failed:
  call void @Py_DecRef(ptr %d)
  ret ptr null
d.done:
  ret ptr %d
}
"""

RESULT_TEXT = _WRAP + _TREE.replace("<tuple>", _made("t", "Tuple")).replace("<list>", _made("l", "List")).replace(
    "<custom>", _made("c", "Tuple")).replace("<version>", str(VERSION_WORD))

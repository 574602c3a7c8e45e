"""The call of a jitted function as LLVM's text: what calls.py links.

A jitted function has its entries in the slot `_direct`: an array of their addresses. An entry is an array of 64-bit
fields, by the names in `FIELDS`; arguments and results are described by nodes:

    leaf of an argument   0, type of the value, slot, scalar's type, cell, dtype of the cell
    leaf of a result      0, slot, type of the value
    tuple or list         1 or 2, length, type; then its children
    dict                  3, length, keys; then its children
    None                  4
    anything else         5, number of leaves, treedef; then the leaves (results only)
"""

from __future__ import annotations

import re

__all__ = ["API", "CONTEXT", "ENTRY", "FIELDS", "TEXT"]

# Fields by name: of the context, which all calls share, and of an entry.
CONTEXT = """array_type ndarray dict_type float_type int_type bool_type none trace states thread options trace_name
axes_name no_axes epoch slow direct_at buffer_at aval_at device_at data_at flags_at new_array run unflatten""".split()
ENTRY = """valid arity busy nodes items held held_count block fresh fresh_count result lasting captured
captured_count""".split()
FIELDS = {name: i for names in (CONTEXT, ENTRY) for i, name in enumerate(names)}

API = """Py_IncRef Py_DecRef PyThreadState_Get PyThreadState_GetID PyDict_GetItemWithError PyObject_Vectorcall
PyType_GenericAlloc PyTuple_New PyTuple_SetItem PyList_New PyList_SetItem PyDict_New PyDict_SetItem
PyEval_SaveThread PyEval_RestoreThread PyLong_AsLongLongAndOverflow PyErr_Clear
PyErr_Occurred PyObject_CallFunctionObjArgs""".split()

_DECLARATIONS = """
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyThreadState_Get()
declare i64 @PyThreadState_GetID(ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare void @PyErr_Clear()
declare ptr @PyErr_Occurred()
@context = internal global ptr null

define void @connect(ptr %context) #0 {
start:
  store ptr %context, ptr @context
  ret void
}
"""

# `get TYPE BASE FIELD` reads the field of an array of 64-bit words; FIELD is a name, a number or a register.
# An object's words: 0 references, 1 type, 2 length or value, 3 first item.

_TAKE = """
define internal i1 @take(ptr %object, ptr %cursor, ptr %entry) #0 {
start:
  %overflow = alloca i32
  %context = load ptr, ptr @context
  %node = load ptr, ptr %cursor
  %kind = load i64, ptr %node
  %type = get ptr %object 1
  switch i64 %kind, label %no [ i64 0, label %leaf  i64 1, label %series  i64 2, label %series  i64 3, label %dict
                                i64 4, label %nothing ]
no:
  ret i1 false
yes:
  ret i1 true

leaf:
  %leaf.end = getelementptr i64, ptr %node, i64 6
  store ptr %leaf.end, ptr %cursor
  %aval = get ptr %node 1
  %slot = get i64 %node 2
  %items = get ptr %entry items
  %item = getelementptr ptr, ptr %items, i64 %slot
  %array_type = get ptr %context array_type
  %is.array = icmp eq ptr %type, %array_type
  br i1 %is.array, label %array, label %python
array:
  %aval_at = get i64 %context aval_at
  %aval.p = getelementptr i8, ptr %object, i64 %aval_at
  %own = load ptr, ptr %aval.p
  %same = icmp eq ptr %own, %aval
  br i1 %same, label %buffered, label %no
buffered:
  %buffer_at = get i64 %context buffer_at
  %buffer.p = getelementptr i8, ptr %object, i64 %buffer_at
  %buffer = load ptr, ptr %buffer.p
  %given = icmp ne ptr %buffer, null
  br i1 %given, label %typed, label %no
typed:
  %buffer.type = get ptr %buffer 1
  %ndarray = get ptr %context ndarray
  %is.ndarray = icmp eq ptr %buffer.type, %ndarray
  br i1 %is.ndarray, label %laid, label %scalar
laid:
  %flags_at = get i64 %context flags_at
  %flags.p = getelementptr i8, ptr %buffer, i64 %flags_at
  %flags = load i32, ptr %flags.p
  %wanted = and i32 %flags, 257
  %in.order = icmp eq i32 %wanted, 257
  br i1 %in.order, label %keep, label %no
keep:
  store ptr %buffer, ptr %item
  ret i1 true
scalar:
  %scalar_type = get ptr %node 3
  %is.scalar = icmp eq ptr %buffer.type, %scalar_type
  br i1 %is.scalar, label %inside, label %no
inside:
  %inside.p = getelementptr i8, ptr %buffer, i64 16
  br label %cell
cell:
  %value.p = phi ptr [ %inside.p, %inside ], [ %word, %float ], [ %word, %int ], [ %word, %bool ]
  %stand_in = get ptr %node 4
  %stand_in.data = getelementptr i64, ptr %stand_in, i64 2
  store ptr %value.p, ptr %stand_in.data
  store ptr %stand_in, ptr %item
  ret i1 true
python:
  %word.of = get ptr %node 4
  %word = getelementptr i64, ptr %word.of, i64 3
  %code = get i64 %node 5
  switch i64 %code, label %no [ i64 1, label %float.32  i64 2, label %float.64  i64 3, label %int.32
                                i64 4, label %int.64  i64 5, label %bool.8 ]
float.32:
  %float_type = get ptr %context float_type
  %is.float = icmp eq ptr %type, %float_type
  br i1 %is.float, label %single, label %no
single:
  %double.value = get double %object 2
  %single.value = fptrunc double %double.value to float
  store float %single.value, ptr %word
  br label %float
float.64:
  %float_type.64 = get ptr %context float_type
  %is.float.64 = icmp eq ptr %type, %float_type.64
  br i1 %is.float.64, label %double, label %no
double:
  %double.whole = get double %object 2
  store double %double.whole, ptr %word
  br label %float
float:
  br label %cell
int.32:
  br label %whole
int.64:
  br label %whole
whole:
  %int_type = get ptr %context int_type
  %is.int = icmp eq ptr %type, %int_type
  br i1 %is.int, label %number, label %no
number:
  store i32 0, ptr %overflow
  %long = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %over = load i32, ptr %overflow
  %fits.64 = icmp eq i32 %over, 0
  %short = trunc i64 %long to i32
  %long.again = sext i32 %short to i64
  %fits.32 = icmp eq i64 %long.again, %long
  %is.64 = icmp eq i64 %code, 4
  %fits.any = or i1 %fits.32, %is.64
  %fits = and i1 %fits.any, %fits.64
  store i64 %long, ptr %word
  br i1 %fits, label %int, label %no
int:
  br label %cell
bool.8:
  %bool_type = get ptr %context bool_type
  %is.bool = icmp eq ptr %type, %bool_type
  br i1 %is.bool, label %truth, label %no
truth:
  %truth.value = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  store i64 %truth.value, ptr %word
  br label %bool
bool:
  br label %cell

series:
  %count = get i64 %node 1
  %series.type = get ptr %node 2
  %is.series = icmp eq ptr %type, %series.type
  br i1 %is.series, label %sized, label %no
sized:
  %length = get i64 %object 2
  %is.sized = icmp eq i64 %length, %count
  br i1 %is.sized, label %members, label %no
members:
  %children = getelementptr i64, ptr %node, i64 3
  store ptr %children, ptr %cursor
  %inline = getelementptr i64, ptr %object, i64 3
  %apart = load ptr, ptr %inline
  %is.tuple = icmp eq i64 %kind, 1
  %first = select i1 %is.tuple, ptr %inline, ptr %apart
  %some = icmp ugt i64 %count, 0
  br i1 %some, label %member, label %yes
member:
  %i = phi i64 [ 0, %members ], [ %i.next, %member.next ]
  %child = get ptr %first %i
  %taken = call i1 @take(ptr %child, ptr %cursor, ptr %entry)
  br i1 %taken, label %member.next, label %no
member.next:
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %count
  br i1 %i.more, label %member, label %yes

dict:
  %size = get i64 %node 1
  %dict_type = get ptr %context dict_type
  %is.dict = icmp eq ptr %type, %dict_type
  br i1 %is.dict, label %dict.sized, label %no
dict.sized:
  %used = get i64 %object 2
  %is.full = icmp eq i64 %used, %size
  br i1 %is.full, label %keyed, label %no
keyed:
  %keys = getelementptr i64, ptr %node, i64 2
  %values = getelementptr i64, ptr %keys, i64 %size
  store ptr %values, ptr %cursor
  %any = icmp ugt i64 %size, 0
  br i1 %any, label %key, label %yes
key:
  %k = phi i64 [ 0, %keyed ], [ %k.next, %key.next ]
  %name = get ptr %keys %k
  %found = call ptr @PyDict_GetItemWithError(ptr %object, ptr %name)
  %is.there = icmp ne ptr %found, null
  br i1 %is.there, label %value, label %lost
value:
  %value.taken = call i1 @take(ptr %found, ptr %cursor, ptr %entry)
  br i1 %value.taken, label %key.next, label %no
key.next:
  %k.next = add i64 %k, 1
  %k.more = icmp ult i64 %k.next, %size
  br i1 %k.more, label %key, label %yes
lost:
  call void @PyErr_Clear()
  ret i1 false

nothing:
  %after = getelementptr i64, ptr %node, i64 1
  store ptr %after, ptr %cursor
  %none = get ptr %context none
  %is.none = icmp eq ptr %object, %none
  ret i1 %is.none
}
"""

_MAKE = """
define internal ptr @make(ptr %cursor, ptr %entry) #0 {
start:
  %context = load ptr, ptr @context
  %node = load ptr, ptr %cursor
  %kind = load i64, ptr %node
  %none = get ptr %context none
  switch i64 %kind, label %nothing [ i64 0, label %leaf  i64 1, label %tuple  i64 2, label %list
                                     i64 3, label %dict  i64 5, label %other ]
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
  %array_type = get ptr %context array_type
  %array = call ptr @PyType_GenericAlloc(ptr %array_type, i64 0)
  %is.array = icmp ne ptr %array, null
  br i1 %is.array, label %filled, label %failed
filled:
  call void @Py_IncRef(ptr %item)
  call void @Py_IncRef(ptr %aval)
  call void @Py_IncRef(ptr %none)
  %buffer_at = get i64 %context buffer_at
  %buffer.p = getelementptr i8, ptr %array, i64 %buffer_at
  store ptr %item, ptr %buffer.p
  %aval_at = get i64 %context aval_at
  %aval.p = getelementptr i8, ptr %array, i64 %aval_at
  store ptr %aval, ptr %aval.p
  %device_at = get i64 %context device_at
  %device.p = getelementptr i8, ptr %array, i64 %device_at
  store ptr %none, ptr %device.p
  ret ptr %array

tuple:
  %t.count = get i64 %node 1
  %t.children = getelementptr i64, ptr %node, i64 3
  store ptr %t.children, ptr %cursor
  %t = call ptr @PyTuple_New(i64 %t.count)
  %t.some = icmp ugt i64 %t.count, 0
  br i1 %t.some, label %t.next, label %t.done
t.next:
  %t.i = phi i64 [ 0, %tuple ], [ %t.i1, %t.set ]
  %t.child = call ptr @make(ptr %cursor, ptr %entry)
  %t.made = icmp ne ptr %t.child, null
  br i1 %t.made, label %t.set, label %failed
t.set:
  %t.ok = call i32 @PyTuple_SetItem(ptr %t, i64 %t.i, ptr %t.child)
  %t.i1 = add i64 %t.i, 1
  %t.more = icmp ult i64 %t.i1, %t.count
  br i1 %t.more, label %t.next, label %t.done
t.done:
  ret ptr %t

list:
  br label %l
other:
  br label %l
l:
  %l.count = get i64 %node 1
  %l.type = get ptr %node 2
  %l.children = getelementptr i64, ptr %node, i64 3
  store ptr %l.children, ptr %cursor
  %list.new = call ptr @PyList_New(i64 %l.count)
  %l.some = icmp ugt i64 %l.count, 0
  br i1 %l.some, label %l.next, label %l.done
l.next:
  %l.i = phi i64 [ 0, %l ], [ %l.i1, %l.set ]
  %l.child = call ptr @make(ptr %cursor, ptr %entry)
  %l.made = icmp ne ptr %l.child, null
  br i1 %l.made, label %l.set, label %failed
l.set:
  %l.ok = call i32 @PyList_SetItem(ptr %list.new, i64 %l.i, ptr %l.child)
  %l.i1 = add i64 %l.i, 1
  %l.more = icmp ult i64 %l.i1, %l.count
  br i1 %l.more, label %l.next, label %l.done
l.done:
  %is.list = icmp eq i64 %kind, 2
  br i1 %is.list, label %l.out, label %built
l.out:
  ret ptr %list.new
built:
  %unflatten = get ptr %context unflatten
  %tree = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %unflatten, ptr %l.type, ptr %list.new, ptr null)
  call void @Py_DecRef(ptr %list.new)
  ret ptr %tree

dict:
  %d.count = get i64 %node 1
  %d.keys = getelementptr i64, ptr %node, i64 2
  %d.values = getelementptr i64, ptr %d.keys, i64 %d.count
  store ptr %d.values, ptr %cursor
  %d = call ptr @PyDict_New()
  %d.some = icmp ugt i64 %d.count, 0
  br i1 %d.some, label %d.next, label %d.done
d.next:
  %d.i = phi i64 [ 0, %dict ], [ %d.i1, %d.set ]
  %d.key = get ptr %d.keys %d.i
  %d.child = call ptr @make(ptr %cursor, ptr %entry)
  %d.made = icmp ne ptr %d.child, null
  br i1 %d.made, label %d.set, label %failed
d.set:
  %d.ok = call i32 @PyDict_SetItem(ptr %d, ptr %d.key, ptr %d.child)
  call void @Py_DecRef(ptr %d.child)
  %d.i1 = add i64 %d.i, 1
  %d.more = icmp ult i64 %d.i1, %d.count
  br i1 %d.more, label %d.next, label %d.done
d.done:
  ret ptr %d
}
"""

# An entry is busy from its first argument to its last result: a collector's finalizer, a key's `__eq__` or another
# thread may call the same function meanwhile, and takes another way.
_CALL = """
define ptr @call(ptr %self, ptr %args, i64 %count, ptr %names) #0 {
start:
  %cursor = alloca ptr
  %holder = alloca ptr
  %context = load ptr, ptr @context
  %named = icmp ne ptr %names, null
  br i1 %named, label %slow, label %has
has:
  %direct_at = get i64 %context direct_at
  %direct.p = getelementptr i8, ptr %self, i64 %direct_at
  %direct = load ptr, ptr %direct.p
  %is.direct = icmp ne ptr %direct, null
  br i1 %is.direct, label %thread, label %slow
thread:
  %state = call ptr @PyThreadState_Get()
  %id = call i64 @PyThreadState_GetID(ptr %state)
  %known = get i64 %context thread
  %is.known = icmp eq i64 %id, %known
  br i1 %is.known, label %tracing, label %slow
tracing:
  %states = get ptr %context states
  %trace_name = get ptr %context trace_name
  %trace = call ptr @PyDict_GetItemWithError(ptr %states, ptr %trace_name)
  %wanted = get ptr %context trace
  %evaluates = icmp eq ptr %trace, %wanted
  br i1 %evaluates, label %axes, label %slow
axes:
  %axes_name = get ptr %context axes_name
  %axes.own = call ptr @PyDict_GetItemWithError(ptr %states, ptr %axes_name)
  %no_axes = get ptr %context no_axes
  %axes.unset = icmp eq ptr %axes.own, null
  %axes.empty = icmp eq ptr %axes.own, %no_axes
  %no.axes = or i1 %axes.unset, %axes.empty
  br i1 %no.axes, label %options, label %slow
options:
  %options.own = get ptr %context options
  %options.used = get i64 %options.own 2
  %no.options = icmp eq i64 %options.used, 0
  br i1 %no.options, label %entries, label %slow
entries:
  %epoch.p = get ptr %context epoch
  %epoch = load i64, ptr %epoch.p
  %data_at = get i64 %context data_at
  %table.p = getelementptr i8, ptr %direct, i64 %data_at
  %table = load ptr, ptr %table.p
  %total = load i64, ptr %table
  br label %try
try:
  %e = phi i64 [ 0, %entries ], [ %e.next, %other ]
  %more = icmp ult i64 %e, %total
  %e.next = add i64 %e, 1
  br i1 %more, label %look, label %slow
unfit:
  store i64 0, ptr %busy.p
  br label %other
other:
  br label %try
look:
  %entry = get ptr %table %e.next
  %valid = get i64 %entry valid
  %is.valid = icmp eq i64 %valid, %epoch
  %arity = get i64 %entry arity
  %is.arity = icmp eq i64 %arity, %count
  %busy.p = getelementptr i64, ptr %entry, i64 <busy>
  %busy = load i64, ptr %busy.p
  %is.free = icmp eq i64 %busy, 0
  %may.1 = and i1 %is.valid, %is.arity
  %may = and i1 %may.1, %is.free
  br i1 %may, label %arguments, label %other
arguments:
  store i64 1, ptr %busy.p
  %nodes = get ptr %entry nodes
  store ptr %nodes, ptr %cursor
  br label %argument
argument:
  %a = phi i64 [ 0, %arguments ], [ %a.next, %taken ]
  %a.more = icmp ult i64 %a, %count
  br i1 %a.more, label %take, label %captures
take:
  %object = get ptr %args %a
  %ok = call i1 @take(ptr %object, ptr %cursor, ptr %entry)
  br i1 %ok, label %taken, label %unfit
taken:
  %a.next = add i64 %a, 1
  br label %argument
captures:
  %captured = get ptr %entry captured
  %captured_count = get i64 %entry captured_count
  br label %capture
capture:
  %c = phi i64 [ 0, %captures ], [ %c.next, %captured.taken ]
  %c.more = icmp ult i64 %c, %captured_count
  br i1 %c.more, label %capture.take, label %results
capture.take:
  %c.object = get ptr %captured %c
  %c.ok = call i1 @take(ptr %c.object, ptr %cursor, ptr %entry)
  br i1 %c.ok, label %captured.taken, label %unfit
captured.taken:
  %c.next = add i64 %c, 1
  br label %capture

results:
  %items = get ptr %entry items
  %fresh = get ptr %entry fresh
  %fresh_count = get i64 %entry fresh_count
  %ndarray = get ptr %context ndarray
  %new_array = get ptr %context new_array
  br label %result
result:
  %r = phi i64 [ 0, %results ], [ %r.next, %result.made ]
  %r.more = icmp ult i64 %r, %fresh_count
  br i1 %r.more, label %result.new, label %ready
result.new:
  %r4 = mul i64 %r, 4
  %row = getelementptr i64, ptr %fresh, i64 %r4
  %slot = get i64 %row 0
  %descr = get ptr %row 1
  %rank.wide = get i64 %row 2
  %rank = trunc i64 %rank.wide to i32
  %dims = get ptr %row 3
  call void @Py_IncRef(ptr %descr)
  %new = call ptr %new_array(ptr %ndarray, ptr %descr, i32 %rank, ptr %dims, ptr null, ptr null, i32 0, ptr null)
  %is.new = icmp ne ptr %new, null
  br i1 %is.new, label %result.made, label %failed
result.made:
  %item = getelementptr ptr, ptr %items, i64 %slot
  store ptr %new, ptr %item
  %r.next = add i64 %r, 1
  br label %result

ready:
  store ptr %items, ptr %holder
  %block = get ptr %entry block
  %run = get ptr %context run
  %lasting = get i64 %entry lasting
  %is.lasting = icmp ne i64 %lasting, 0
  br i1 %is.lasting, label %alone, label %at.once
at.once:
  call void %run(ptr %holder, ptr %block)
  br label %wrap
alone:
  call void @each_held(ptr %entry, i64 1)
  %saved = call ptr @PyEval_SaveThread()
  call void %run(ptr %holder, ptr %block)
  call void @PyEval_RestoreThread(ptr %saved)
  call void @each_held(ptr %entry, i64 0)
  %error = call ptr @PyErr_Occurred()
  %is.fine = icmp eq ptr %error, null
  br i1 %is.fine, label %wrap, label %failed
wrap:
  %tree = get ptr %entry result
  store ptr %tree, ptr %cursor
  %value = call ptr @make(ptr %cursor, ptr %entry)
  br label %drop
failed:
  br label %drop
drop:
  %out = phi ptr [ %value, %wrap ], [ null, %failed ]
  br label %dropping
dropping:
  %d = phi i64 [ 0, %drop ], [ %d.next, %dropped ]
  %d.more = icmp ult i64 %d, %r
  br i1 %d.more, label %dropped, label %end
dropped:
  %d4 = mul i64 %d, 4
  %d.row = getelementptr i64, ptr %fresh, i64 %d4
  %d.slot = get i64 %d.row 0
  %d.item = get ptr %items %d.slot
  call void @Py_DecRef(ptr %d.item)
  %d.next = add i64 %d, 1
  br label %dropping
end:
  store i64 0, ptr %busy.p
  ret ptr %out

slow:
  %kwargs = icmp eq ptr %names, null
  br i1 %kwargs, label %plain, label %with.names
with.names:
  %n = get i64 %names 2
  br label %plain
plain:
  %n.names = phi i64 [ 0, %slow ], [ %n, %with.names ]
  %given = add i64 %count, %n.names
  %places = add i64 %given, 1
  %all = alloca ptr, i64 %places
  store ptr %self, ptr %all
  br label %copy
copy:
  %s = phi i64 [ 0, %plain ], [ %s.next, %copied ]
  %s.more = icmp ult i64 %s, %given
  br i1 %s.more, label %copied, label %go
copied:
  %s.object = get ptr %args %s
  %s.next = add i64 %s, 1
  %s.place = getelementptr ptr, ptr %all, i64 %s.next
  store ptr %s.object, ptr %s.place
  br label %copy
go:
  %function = get ptr %context slow
  %positional = add i64 %count, 1
  %answer = call ptr @PyObject_Vectorcall(ptr %function, ptr %all, i64 %positional, ptr %names)
  ret ptr %answer
}

define internal void @each_held(ptr %entry, i64 %take) #0 {
start:
  %items = get ptr %entry items
  %held = get ptr %entry held
  %held_count = get i64 %entry held_count
  %is.take = icmp ne i64 %take, 0
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %i.next, %next ]
  %more = icmp ult i64 %i, %held_count
  br i1 %more, label %body, label %done
body:
  %slot = get i64 %held %i
  %item = get ptr %items %slot
  br i1 %is.take, label %inc, label %dec
inc:
  call void @Py_IncRef(ptr %item)
  br label %next
dec:
  call void @Py_DecRef(ptr %item)
  br label %next
next:
  %i.next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""


def _expanded(text: str) -> str:
    """The text with `get` written out."""

    def get(found: re.Match) -> str:
        name, kind, base, field = found.groups()
        index = field if field[0] in "%0123456789" else FIELDS[field]
        return f"{name}.at = getelementptr i64, ptr {base}, i64 {index}\n  {name} = load {kind}, ptr {name}.at"

    text = re.sub(r"(%[\w.]+) = get (\w+) (%[\w.]+) ([%\w.]+)", get, text)
    return re.sub(r"<(\w+)>", lambda m: str(FIELDS[m[1]]), text)


TEXT = "\n".join([_DECLARATIONS, *map(_expanded, (_TAKE, _MAKE, _CALL))])

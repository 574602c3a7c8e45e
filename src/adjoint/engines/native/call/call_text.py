"""The call of a jitted function as LLVM's text: what prepare.py links.

A jitted function has its entries in the slot `_direct`: a tuple, first an array of their addresses. An entry is an
array of 64-bit fields, by the names in `FIELDS`; arguments and results are described by nodes:

    leaf of an argument   0, and what `LEAF` names
    static argument       6, value
    leaf of a result      0, slot, type of the value
    a part of a slot      7, slot, type of the value, dtype, rank, shape, strides, offset
    leaf as it was made   8, index
    tuple or list         1 or 2, length, type; then its children
    named tuple           6, length, type; then its children (results; of an argument it is a tuple)
    dict                  3, length, keys; then its children
    None                  4
    object of a class     7, children, type, static fields, names of the children, name and value of each static field;
                          then its children (arguments)
    object of a class     9, children, type, static fields, version, keywords, static values, name and place of each
                          field; then its children (results)
    object of a class     8, children, type, what takes it apart, data; then its children (arguments)
    object of a class     10, children, a tuple of what builds it and data; then its children (results)
    anything else         5, number of leaves, treedef; then the leaves

An executable is a table of native steps, or a function that takes arrays and returns a list of arrays.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

import re

from .argument_text import ARGUMENT_TEXT
from .result_text import RESULT_TEXT

__all__ = ["API", "CONTEXT", "ENTRY", "FIELDS", "FRESH_WORDS", "LEAF", "TEXT", "THREADS"]

# Fields by name: of the context, which all calls share, of an entry, and of a leaf's node.
CONTEXT = """array_type pending_type ndarray lent_type dict_type float_type int_type bool_type complex_type none trace
trace_name axes_name no_axes threads epoch slow trial_type direct_at buffer_at aval_at device_at data_at flags_at
new_array from_array set_base new_object run run_apart flatten unflatten empty""".split()
ENTRY = """valid arity named names parts statics busy items held held_count nodes captured captured_count function count
outs block lasting fresh fresh_count result givers donated donations code instruction renew""".split()
LEAF = """leaf_kind leaf_aval leaf_slot leaf_scalar leaf_cell leaf_code leaf_descr leaf_wide leaf_wide_scalar
leaf_wide_code leaf_rank leaf_dims leaf_flags leaf_giver leaf_size leaf_cell_descr""".split()
FRESH_WORDS = 7  # of a row about a result's array
FIELDS = {name: i for names in (CONTEXT, ENTRY, LEAF) for i, name in enumerate(names)}
FIELDS |= {"leaf_words": len(LEAF), "fresh_words": FRESH_WORDS}
THREADS = 256  # rows of the table of threads: number, attributes of its state, options of its own

API = """Py_IncRef Py_DecRef PyThreadState_Get PyThreadState_GetID PyDict_GetItemWithError PyObject_Vectorcall
PyType_GenericAlloc PyTuple_New PyTuple_SetItem PyList_New PyList_SetItem PyDict_New PyDict_SetItem PyObject_CallObject
PyLong_AsLongLongAndOverflow PyErr_Clear PyObject_RichCompareBool PyErr_Occurred PyObject_CallFunctionObjArgs
PyEval_GetFrame PyFrame_GetCode PyFrame_GetLasti PyObject_GetAttr PyObject_GenericSetAttr PySequence_Tuple""".split()

_DECLARATIONS = """
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyThreadState_Get()
declare i64 @PyThreadState_GetID(ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare ptr @PyObject_CallObject(ptr, ptr)
declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyTuple_New(i64)
declare ptr @PySequence_Tuple(ptr)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare ptr @PyEval_GetFrame()
declare ptr @PyFrame_GetCode(ptr)
declare i32 @PyFrame_GetLasti(ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare void @PyErr_Clear()
declare ptr @PyErr_Occurred()
declare ptr @PyObject_GetAttr(ptr, ptr)
declare i32 @PyObject_GenericSetAttr(ptr, ptr, ptr)
declare double @llvm.fabs.f64(double)
@context = internal global ptr null

define void @connect(ptr %context) #0 {
start:
  store ptr %context, ptr @context
  ret void
}
"""

# `get TYPE BASE FIELD` reads the field of an array of 64-bit words; FIELD is a name, a number or a register.
# An object's words: 0 references, 1 type, 2 length or value, 3 first item. Of NumPy's arrays: 2 data, 3 rank, 4 shape,
# 6 base, 7 dtype, 8 flags.

# An entry is busy from its first argument to its last result: a static argument's `__eq__`, a tree's flattening, a
# collector's finalizer or another thread may call the same function meanwhile, and takes another entry.
_CALL = """
define ptr @call(ptr %self, ptr %args, i64 %count, ptr %names) #0 {
start:
  %context = load ptr, ptr @context
  %named = icmp ne ptr %names, null
  br i1 %named, label %with.names, label %has
with.names:
  %names.length = get i64 %names 2
  br label %has
has:
  %names.count = phi i64 [ 0, %start ], [ %names.length, %with.names ]
  %given = add i64 %count, %names.count
  %direct_at = get i64 %context direct_at
  %direct.p = getelementptr i8, ptr %self, i64 %direct_at
  %direct = load ptr, ptr %direct.p
  %is.direct = icmp ne ptr %direct, null
  br i1 %is.direct, label %thread, label %slow
thread:
  %state = call ptr @PyThreadState_Get()
  %id = call i64 @PyThreadState_GetID(ptr %state)
  %row.low = and i64 %id, <last_thread>
  %row.number = mul i64 %row.low, 3
  %threads = get ptr %context threads
  %row = getelementptr i64, ptr %threads, i64 %row.number
  %known = get i64 %row 0
  %is.known = icmp eq i64 %id, %known
  br i1 %is.known, label %tracing, label %slow
tracing:
  %states = get ptr %row 1
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
  %options.own = get ptr %row 2
  %options.used = get i64 %options.own 2
  %no.options = icmp eq i64 %options.used, 0
  br i1 %no.options, label %entries, label %slow
entries:
  call void @Py_IncRef(ptr %direct)
  %epoch.p = get ptr %context epoch
  %data_at = get i64 %context data_at
  %holder = get ptr %direct 3
  %table.p = getelementptr i8, ptr %holder, i64 %data_at
  %table = load ptr, ptr %table.p
  %total = load i64, ptr %table
  br label %try
try:
  %e = phi i64 [ 0, %entries ], [ %e.next, %other ]
  %more = icmp ult i64 %e, %total
  %e.next = add i64 %e, 1
  br i1 %more, label %look, label %none.fits
none.fits:
  call void @Py_DecRef(ptr %direct)
  br label %slow
unfit:
  call void @release(ptr %entry)
  br label %other
other:
  br label %try
look:
  %entry = get ptr %table %e.next
  %epoch = load i64, ptr %epoch.p
  %valid = get i64 %entry valid
  %is.valid = icmp eq i64 %valid, %epoch
  %arity = get i64 %entry arity
  %is.arity = icmp eq i64 %arity, %count
  %entry.named = get i64 %entry named
  %is.named = icmp eq i64 %entry.named, %names.count
  %busy.p = getelementptr i64, ptr %entry, i64 <busy>
  %busy = load i64, ptr %busy.p
  %is.free = icmp eq i64 %busy, 0
  %may.1 = and i1 %is.valid, %is.arity
  %may.2 = and i1 %may.1, %is.named
  %may = and i1 %may.2, %is.free
  br i1 %may, label %fits, label %other
fits:
  store i64 1, ptr %busy.p
  %statics = get i64 %entry statics
  %some.statics = icmp ne i64 %statics, 0
  br i1 %some.statics, label %static, label %arguments
static:
  %static.ok = call i1 @each_argument(ptr %entry, ptr %args, i64 %count, i64 %given, ptr %names, i1 1)
  br i1 %static.ok, label %arguments, label %unfit
arguments:
  %taken = call i1 @each_argument(ptr %entry, ptr %args, i64 %count, i64 %given, ptr %names, i1 0)
  br i1 %taken, label %captures, label %unfit
captures:
  %captured.ok = call i1 @take_captured(ptr %entry)
  br i1 %captured.ok, label %execute, label %unfit
execute:
  %function = get ptr %entry function
  %is.python = icmp ne ptr %function, null
  br i1 %is.python, label %python, label %native
python:
  %items = get ptr %entry items
  %operands = get i64 %entry count
  %outs = call ptr @PyObject_Vectorcall(ptr %function, ptr %items, i64 %operands, ptr null)
  %none = get ptr %context none
  %elsewhere = icmp eq ptr %outs, %none
  br i1 %elsewhere, label %declined, label %listed
declined:
  call void @Py_DecRef(ptr %outs)
  br label %unfit
listed:
  %outs.p = getelementptr i64, ptr %entry, i64 <outs>
  store ptr %outs, ptr %outs.p
  %is.list = icmp ne ptr %outs, null
  br i1 %is.list, label %build, label %end
native:
  %ran = call i1 @run_native(ptr %entry)
  br i1 %ran, label %build, label %end
build:
  %value = call ptr @built(ptr %entry)
  br label %end
end:
  %out = phi ptr [ %value, %build ], [ null, %native ], [ null, %listed ]
  call void @release(ptr %entry)
  call void @Py_DecRef(ptr %direct)
  ret ptr %out

slow:
  %type = get ptr %self 1
  %trial_type = get ptr %context trial_type
  %is.trial = icmp eq ptr %type, %trial_type
  br i1 %is.trial, label %no.answer, label %method
no.answer:
  %nothing = get ptr %context none
  call void @Py_IncRef(ptr %nothing)
  ret ptr %nothing
method:
  %places = add i64 %given, 1
  %all = alloca ptr, i64 %places
  store ptr %self, ptr %all
  br label %copy
copy:
  %s = phi i64 [ 0, %method ], [ %s.next, %copied ]
  %s.more = icmp ult i64 %s, %given
  br i1 %s.more, label %copied, label %go
copied:
  %s.object = get ptr %args %s
  %s.next = add i64 %s, 1
  %s.place = getelementptr ptr, ptr %all, i64 %s.next
  store ptr %s.object, ptr %s.place
  br label %copy
go:
  %slow.method = get ptr %context slow
  %positional = add i64 %count, 1
  %answer = call ptr @PyObject_Vectorcall(ptr %slow.method, ptr %all, i64 %positional, ptr %names)
  ret ptr %answer
}

define internal i1 @each_argument(ptr %entry, ptr %args, i64 %count, i64 %given, ptr %names, i1 %statics) #0 {
start:
  %cursor = alloca ptr
  %parts = get ptr %entry parts
  %kept = get ptr %entry names
  %named = get i64 %entry named
  br label %argument
argument:
  %i = phi i64 [ 0, %start ], [ %i.next, %next ]
  %more = icmp ult i64 %i, %given
  br i1 %more, label %place, label %yes
place:
  %i.next = add i64 %i, 1
  %is.positional = icmp ult i64 %i, %count
  br i1 %is.positional, label %known, label %find
find:
  %k = sub i64 %i, %count
  %name.word = add i64 %k, 3
  %name = get ptr %names %name.word
  br label %seek
seek:
  %j = phi i64 [ 0, %find ], [ %j.next, %seek.next ]
  %j.more = icmp ult i64 %j, %named
  br i1 %j.more, label %seek.next, label %no
seek.next:
  %candidate = get ptr %kept %j
  %j.next = add i64 %j, 1
  %is.name = icmp eq ptr %candidate, %name
  br i1 %is.name, label %sought, label %seek
sought:
  %j.part = add i64 %j, %count
  br label %known
known:
  %part = phi i64 [ %i, %place ], [ %j.part, %sought ]
  %node = get ptr %parts %part
  %kind = load i64, ptr %node
  %is.static = icmp eq i64 %kind, 6
  %now = icmp eq i1 %is.static, %statics
  br i1 %now, label %take, label %next
take:
  store ptr %node, ptr %cursor
  %object = get ptr %args %i
  %ok = call i1 @take(ptr %object, ptr %cursor, ptr %entry)
  br i1 %ok, label %next, label %no
next:
  br label %argument
yes:
  ret i1 1
no:
  ret i1 0
}

define internal i1 @take_captured(ptr %entry) #0 {
start:
  %cursor = alloca ptr
  %nodes = get ptr %entry nodes
  store ptr %nodes, ptr %cursor
  %captured = get ptr %entry captured
  %count = get i64 %entry captured_count
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %i.next, %next ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %object = get ptr %captured %i
  %i.next = add i64 %i, 1
  %ok = call i1 @take(ptr %object, ptr %cursor, ptr %entry)
  br i1 %ok, label %next, label %no
next:
  br label %head
yes:
  ret i1 1
no:
  ret i1 0
}

define internal ptr @built(ptr %entry) #0 {
start:
  %cursor = alloca ptr
  %tree = get ptr %entry result
  store ptr %tree, ptr %cursor
  %value = call ptr @make(ptr %cursor, ptr %entry)
  ret ptr %value
}
"""

# A small result is one of the arrays that the entry made for the two calls before, if nothing refers to it any more.
# A result takes the memory of a donated array if nothing else refers to it: the buffer is known to the array and to the
# entry alone, and so is what it is a view of, which owns its memory or has it from buffer_pool.py.
_RUN = """
define internal i1 @run_native(ptr %entry) #0 {
start:
  %holder = alloca ptr
  %context = load ptr, ptr @context
  %items = get ptr %entry items
  %fresh = get ptr %entry fresh
  %fresh_count = get i64 %entry fresh_count
  %ndarray = get ptr %context ndarray
  %new_array = get ptr %context new_array
  br label %result
result:
  %r = phi i64 [ 0, %start ], [ %r.next, %result.made ]
  %r.more = icmp ult i64 %r, %fresh_count
  br i1 %r.more, label %result.next, label %donate
result.next:
  %r.words = mul i64 %r, <fresh_words>
  %row = getelementptr i64, ptr %fresh, i64 %r.words
  %slot = get i64 %row 0
  %descr = get ptr %row 1
  %rank.wide = get i64 %row 2
  %rank = trunc i64 %rank.wide to i32
  %dims = get ptr %row 3
  %donor = get i64 %row 4
  %shape = get ptr %row 5
  %spares = get ptr %row 6
  %item = getelementptr ptr, ptr %items, i64 %slot
  %r.next = add i64 %r, 1
  %is.given = icmp sge i64 %donor, 0
  br i1 %is.given, label %ask, label %own
ask:
  %buffer = get ptr %items %donor
  %free = call i1 @is_free(ptr %buffer)
  br i1 %free, label %take.over, label %own
take.over:
  call void @Py_IncRef(ptr %buffer)
  br label %result.store
own:
  %is.large = icmp ne ptr %shape, null
  br i1 %is.large, label %lend, label %plain
lend:
  %empty = get ptr %context empty
  %lent = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %empty, ptr %shape, ptr %descr, ptr null)
  br label %result.check
plain:
  %has.spares = icmp ne ptr %spares, null
  br i1 %has.spares, label %spare, label %create
spare:
  %s = phi i64 [ 0, %plain ], [ 1, %spare.other ]
  %spare.array = get ptr %spares %s
  %is.spare = call i1 @is_unused(ptr %spare.array, ptr %descr)
  br i1 %is.spare, label %spare.take, label %spare.other
spare.take:
  call void @Py_IncRef(ptr %spare.array)
  br label %result.store
spare.other:
  %is.first = icmp eq i64 %s, 0
  br i1 %is.first, label %spare, label %create
create:
  call void @Py_IncRef(ptr %descr)
  %new = call ptr %new_array(ptr %ndarray, ptr %descr, i32 %rank, ptr %dims, ptr null, ptr null, i32 0, ptr null)
  %is.new = icmp ne ptr %new, null
  %is.kept = and i1 %has.spares, %is.new
  br i1 %is.kept, label %keep, label %result.check
keep:
  %oldest = load ptr, ptr %spares
  %second = getelementptr ptr, ptr %spares, i64 1
  %newer = load ptr, ptr %second
  call void @Py_IncRef(ptr %new)
  store ptr %newer, ptr %spares
  store ptr %new, ptr %second
  call void @Py_DecRef(ptr %oldest)
  br label %result.check
result.check:
  %made = phi ptr [ %lent, %lend ], [ %new, %create ], [ %new, %keep ]
  %is.made = icmp ne ptr %made, null
  br i1 %is.made, label %result.store, label %no
result.store:
  %array = phi ptr [ %buffer, %take.over ], [ %spare.array, %spare.take ], [ %made, %result.check ]
  store ptr %array, ptr %item
  br label %result.made
result.made:
  br label %result

donate:
  %donated = get i64 %entry donated
  %some = icmp ne i64 %donated, 0
  br i1 %some, label %take.away, label %ready
take.away:
  %away = call i1 @take_away(ptr %entry)
  br i1 %away, label %ready, label %no
ready:
  store ptr %items, ptr %holder
  %block = get ptr %entry block
  %lasting = get i64 %entry lasting
  %is.lasting = icmp ne i64 %lasting, 0
  br i1 %is.lasting, label %alone, label %at.once
at.once:
  %run = get ptr %context run
  call void %run(ptr %holder, ptr %block)
  ret i1 1
alone:
  %run.apart = get ptr %context run_apart
  call void %run.apart(ptr %holder, ptr %block)
  %error = call ptr @PyErr_Occurred()
  %is.fine = icmp eq ptr %error, null
  ret i1 %is.fine
no:
  ret i1 0
}

define internal i1 @is_unused(ptr %array, ptr %wanted) #0 {
start:
  %context = load ptr, ptr @context
  %references = get i32 %array 0
  %alone = icmp eq i32 %references, 1
  %type = get ptr %array 1
  %ndarray = get ptr %context ndarray
  %is.array = icmp eq ptr %type, %ndarray
  %may = and i1 %alone, %is.array
  br i1 %may, label %array.own, label %no
array.own:
  %descr = get ptr %array 7
  %is.descr = icmp eq ptr %descr, %wanted
  %flags = get i64 %array 8
  %asked = and i64 %flags, 1285
  %is.plain = icmp eq i64 %asked, 1285
  %same = and i1 %is.descr, %is.plain
  ret i1 %same
no:
  ret i1 0
}

define internal i1 @is_free(ptr %buffer) #0 {
start:
  %context = load ptr, ptr @context
  %references = get i32 %buffer 0
  %alone = icmp eq i32 %references, 2
  %type = get ptr %buffer 1
  %ndarray = get ptr %context ndarray
  %is.array = icmp eq ptr %type, %ndarray
  %may = and i1 %alone, %is.array
  br i1 %may, label %private, label %no
private:
  %flags = get i64 %buffer 8
  %owns.bit = and i64 %flags, 1028
  %owns = icmp eq i64 %owns.bit, 1028
  br i1 %owns, label %yes, label %based
based:
  %base = get ptr %buffer 6
  %has.base = icmp ne ptr %base, null
  %written.bit = and i64 %flags, 1024
  %is.written = icmp ne i64 %written.bit, 0
  %may.look = and i1 %has.base, %is.written
  br i1 %may.look, label %look, label %no
look:
  %base.references = get i32 %base 0
  %base.alone = icmp eq i32 %base.references, 1
  %base.type = get ptr %base 1
  %base.is.array = icmp eq ptr %base.type, %ndarray
  %base.may = and i1 %base.alone, %base.is.array
  br i1 %base.may, label %base.private, label %no
base.private:
  %base.flags = get i64 %base 8
  %base.owns.bit = and i64 %base.flags, 1028
  %base.owns = icmp eq i64 %base.owns.bit, 1028
  br i1 %base.owns, label %yes, label %lender
lender:
  %lent = get ptr %base 6
  %is.lent = icmp ne ptr %lent, null
  br i1 %is.lent, label %from, label %no
from:
  %lent.references = get i32 %lent 0
  %lent.alone = icmp eq i32 %lent.references, 1
  %lent.type = get ptr %lent 1
  %lent_type = get ptr %context lent_type
  %is.ours = icmp eq ptr %lent.type, %lent_type
  %is.free = and i1 %lent.alone, %is.ours
  ret i1 %is.free
yes:
  ret i1 1
no:
  ret i1 0
}

define internal i1 @take_away(ptr %entry) #0 {
start:
  %context = load ptr, ptr @context
  %frame = call ptr @PyEval_GetFrame()
  %framed = icmp ne ptr %frame, null
  br i1 %framed, label %place, label %known
place:
  %code = call ptr @PyFrame_GetCode(ptr %frame)
  %instruction = call i32 @PyFrame_GetLasti(ptr %frame)
  call void @Py_DecRef(ptr %code)
  %own.code = get ptr %entry code
  %own.instruction = get i64 %entry instruction
  %wide = sext i32 %instruction to i64
  %same.code = icmp eq ptr %own.code, %code
  %same.place = icmp eq i64 %own.instruction, %wide
  %same = and i1 %same.code, %same.place
  br i1 %same, label %known, label %renew
renew:
  %renewing = get ptr %entry renew
  %none = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %renewing, ptr %frame, ptr null)
  %is.new = icmp ne ptr %none, null
  br i1 %is.new, label %renewed, label %no
renewed:
  call void @Py_DecRef(ptr %none)
  br label %known
known:
  %count = get i64 %entry donated
  %givers = get ptr %entry givers
  %donations = get ptr %entry donations
  %gone = get ptr %context none
  %buffer_at = get i64 %context buffer_at
  %device_at = get i64 %context device_at
  br label %next
next:
  %i = phi i64 [ 1, %known ], [ %i.next, %given ]
  %i.next = add i64 %i, 1
  %more = icmp ule i64 %i, %count
  br i1 %more, label %giver, label %yes
giver:
  %array = get ptr %givers %i
  %is.array = icmp ne ptr %array, null
  br i1 %is.array, label %take, label %given
take:
  %donation = get ptr %donations %i
  %buffer.p = getelementptr i8, ptr %array, i64 %buffer_at
  %device.p = getelementptr i8, ptr %array, i64 %device_at
  %buffer = load ptr, ptr %buffer.p
  %device = load ptr, ptr %device.p
  call void @Py_IncRef(ptr %gone)
  call void @Py_IncRef(ptr %donation)
  store ptr %gone, ptr %buffer.p
  store ptr %donation, ptr %device.p
  call void @Py_DecRef(ptr %buffer)
  call void @Py_DecRef(ptr %device)
  br label %given
given:
  br label %next
yes:
  ret i1 1
no:
  ret i1 0
}

define internal void @drop(ptr %place) #0 {
start:
  %object = load ptr, ptr %place
  store ptr null, ptr %place
  %is.there = icmp ne ptr %object, null
  br i1 %is.there, label %there, label %done
there:
  call void @Py_DecRef(ptr %object)
  br label %done
done:
  ret void
}

define internal void @release(ptr %entry) #0 {
start:
  %items = get ptr %entry items
  %held = get ptr %entry held
  %held_count = get i64 %entry held_count
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %held_count
  br i1 %more, label %body, label %donors
body:
  %slot = get i64 %held %i
  %item = getelementptr ptr, ptr %items, i64 %slot
  call void @drop(ptr %item)
  %i.next = add i64 %i, 1
  br label %head
donors:
  %givers = get ptr %entry givers
  %donated = get i64 %entry donated
  br label %donor
donor:
  %d = phi i64 [ 1, %donors ], [ %d.next, %donor.body ]
  %d.more = icmp ule i64 %d, %donated
  br i1 %d.more, label %donor.body, label %done
donor.body:
  %giver = getelementptr ptr, ptr %givers, i64 %d
  call void @drop(ptr %giver)
  %d.next = add i64 %d, 1
  br label %donor
done:
  %outs.p = getelementptr i64, ptr %entry, i64 <outs>
  call void @drop(ptr %outs.p)
  %busy.p = getelementptr i64, ptr %entry, i64 <busy>
  store i64 0, ptr %busy.p
  ret void
}
"""


def _expanded(text: str) -> str:
    """Return the text with `get` written out."""

    def get(found: re.Match) -> str:
        name, kind, base, field = found.groups()
        index = field if field[0] in "%0123456789" else FIELDS[field]
        return f"{name}.at = getelementptr i64, ptr {base}, i64 {index}\n  {name} = load {kind}, ptr {name}.at"

    text = re.sub(r"(%[\w.]+) = get (\w+) (%[\w.]+) ([%\w.]+)", get, text)
    return re.sub(r"<(\w+)>", lambda m: str({**FIELDS, "last_thread": THREADS - 1}[m[1]]), text)


TEXT = "\n".join([_DECLARATIONS, *map(_expanded, (ARGUMENT_TEXT, RESULT_TEXT, _CALL, _RUN))])

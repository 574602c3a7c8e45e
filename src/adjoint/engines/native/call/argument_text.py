"""The part of a call that takes its arguments apart, as LLVM's text; `call_text.py` says what the nodes and fields are.

Whatever is taken is owned by the entry until the call is over: a tree's own flattening is Python and may do
anything to the containers that the arguments came in.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

__all__ = ["ARGUMENT_TEXT"]

# `array`, `NumPy's array`, `NumPy's scalar` and `Python's scalar` are told apart by their types. An executable that
# takes arrays gets the object itself, code gets a buffer; scalars are written into a cell that looks like a buffer.
_LEAF = """
define internal i1 @take_leaf(ptr %object, ptr %node, ptr %entry) #0 {
start:
  %overflow = alloca i32
  %context = load ptr, ptr @context
  %type = get ptr %object 1
  %aval = get ptr %node leaf_aval
  %slot = get i64 %node leaf_slot
  %items = get ptr %entry items
  %item = getelementptr ptr, ptr %items, i64 %slot
  %function = get ptr %entry function
  %takes.arrays = icmp ne ptr %function, null
  %flags.wide = get i64 %node leaf_flags
  %wanted = trunc i64 %flags.wide to i32
  %copies.bit = and i64 %flags.wide, 32
  %copies = icmp ne i64 %copies.bit, 0
  %code = get i64 %node leaf_code
  %cell = get ptr %node leaf_cell
  %word = getelementptr i64, ptr %cell, i64 3
  %flags_at = get i64 %context flags_at
  %from_array = get ptr %context from_array
  %new_array = get ptr %context new_array
  %array_type = get ptr %context array_type
  %is.array = icmp eq ptr %type, %array_type
  br i1 %is.array, label %array, label %no.array
no:
  ret i1 false
keep:
  call void @Py_IncRef(ptr %object)
  store ptr %object, ptr %item
  ret i1 true

array:
  %aval_at = get i64 %context aval_at
  %aval.p = getelementptr i8, ptr %object, i64 %aval_at
  %own = load ptr, ptr %aval.p
  %same = icmp eq ptr %own, %aval
  br i1 %same, label %fitting, label %no
fitting:
  br i1 %takes.arrays, label %keep, label %buffered
buffered:
  %buffer_at = get i64 %context buffer_at
  %buffer.p = getelementptr i8, ptr %object, i64 %buffer_at
  %buffer = load ptr, ptr %buffer.p
  %given = icmp ne ptr %buffer, null
  br i1 %given, label %owned, label %no
owned:
  %giver = get i64 %node leaf_giver
  %gives = icmp ne i64 %giver, 0
  br i1 %gives, label %note, label %typed
note:
  %givers = get ptr %entry givers
  %giver.p = getelementptr ptr, ptr %givers, i64 %giver
  call void @Py_IncRef(ptr %object)
  store ptr %object, ptr %giver.p
  br label %typed
typed:
  %buffer.type = get ptr %buffer 1
  %ndarray = get ptr %context ndarray
  %is.ndarray = icmp eq ptr %buffer.type, %ndarray
  br i1 %is.ndarray, label %laid, label %scalar
laid:
  %flags.p = getelementptr i8, ptr %buffer, i64 %flags_at
  %flags = load i32, ptr %flags.p
  %order = and i32 %flags, 257
  %in.order = icmp eq i32 %order, 257
  br i1 %in.order, label %keep.buffer, label %straighten
keep.buffer:
  call void @Py_IncRef(ptr %buffer)
  store ptr %buffer, ptr %item
  ret i1 true
straighten:
  %straight = call ptr %from_array(ptr %buffer, ptr null, i32 257)
  br label %made
scalar:
  %scalar_type = get ptr %node leaf_scalar
  %is.scalar = icmp eq ptr %buffer.type, %scalar_type
  br i1 %is.scalar, label %copy.scalar, label %no

made:
  %new = phi ptr [ %straight, %straighten ], [ %cast, %convert ]
  %is.made = icmp ne ptr %new, null
  br i1 %is.made, label %keep.made, label %forget
keep.made:
  store ptr %new, ptr %item
  ret i1 true
forget:
  call void @PyErr_Clear()
  ret i1 false

no.array:
  %ndarray.type = get ptr %context ndarray
  %is.numpy = icmp eq ptr %type, %ndarray.type
  br i1 %is.numpy, label %numpy, label %no.numpy
numpy:
  %own.descr = get ptr %object 7
  %descr = get ptr %node leaf_descr
  %wide = get ptr %node leaf_wide
  %is.descr = icmp eq ptr %own.descr, %descr
  %is.wide = icmp eq ptr %own.descr, %wide
  %is.known = or i1 %is.descr, %is.wide
  br i1 %is.known, label %ranked, label %no
ranked:
  %own.rank.wide = get i64 %object 3
  %own.rank = and i64 %own.rank.wide, 4294967295
  %rank = get i64 %node leaf_rank
  %is.rank = icmp eq i64 %own.rank, %rank
  %own.dims = get ptr %object 4
  %dims = get ptr %node leaf_dims
  br i1 %is.rank, label %dim, label %no
dim:
  %d = phi i64 [ 0, %ranked ], [ %d.next, %dim.next ]
  %d.more = icmp ult i64 %d, %rank
  br i1 %d.more, label %dim.next, label %shaped
dim.next:
  %own.length = get i64 %own.dims %d
  %length = get i64 %dims %d
  %d.next = add i64 %d, 1
  %is.length = icmp eq i64 %own.length, %length
  br i1 %is.length, label %dim, label %no
shaped:
  br i1 %takes.arrays, label %keep, label %shaped.buffer
shaped.buffer:
  %n.flags.p = getelementptr i8, ptr %object, i64 %flags_at
  %n.flags = load i32, ptr %n.flags.p
  %n.order = and i32 %n.flags, 257
  %n.in.order = icmp eq i32 %n.order, 257
  %n.same = and i1 %n.in.order, %is.descr
  %n.free = xor i1 %copies, true
  %as.it.is = and i1 %n.same, %n.free
  br i1 %as.it.is, label %keep, label %convert
convert:
  call void @Py_IncRef(ptr %descr)
  %cast = call ptr %from_array(ptr %object, ptr %descr, i32 %wanted)
  br label %made

no.numpy:
  %own.scalar = get ptr %node leaf_scalar
  %descr.any = get ptr %node leaf_descr
  %is.strong = icmp ne ptr %descr.any, null
  %is.number = icmp eq ptr %type, %own.scalar
  %is.numpys = and i1 %is.number, %is.strong
  br i1 %is.numpys, label %copy.scalar, label %no.scalar
copy.scalar:
  %source = phi ptr [ %buffer, %scalar ], [ %object, %no.numpy ]
  %source.p = getelementptr i64, ptr %source, i64 2
  %first = load i64, ptr %source.p
  store i64 %first, ptr %word
  %size = get i64 %node leaf_size
  %is.long = icmp ugt i64 %size, 8
  br i1 %is.long, label %copy.rest, label %written
copy.rest:
  %rest.p = getelementptr i64, ptr %source, i64 3
  %rest = load i64, ptr %rest.p
  %word.rest = getelementptr i64, ptr %word, i64 1
  store i64 %rest, ptr %word.rest
  br label %written

no.scalar:
  %wide_scalar = get ptr %node leaf_wide_scalar
  %is.wide.scalar = icmp eq ptr %type, %wide_scalar
  %wide_code = get i64 %node leaf_wide_code
  br i1 %is.wide.scalar, label %narrow, label %python
narrow:
  switch i64 %wide_code, label %no [ i64 1, label %narrow.float  i64 3, label %narrow.int ]
narrow.float:
  %double = get double %object 2
  br label %single
narrow.int:
  %wide.int = get i64 %object 2
  br label %number

python:
  switch i64 %code, label %pending [ i64 1, label %float  i64 2, label %float  i64 3, label %int  i64 4, label %int
                                     i64 5, label %bool  i64 6, label %complex  i64 7, label %complex ]
float:
  %float_type = get ptr %context float_type
  %is.float = icmp eq ptr %type, %float_type
  br i1 %is.float, label %float.value, label %pending
float.value:
  %value = get double %object 2
  %is.single = icmp eq i64 %code, 1
  br i1 %is.single, label %single, label %whole
single:
  %double.value = phi double [ %double, %narrow.float ], [ %value, %float.value ]
  %single.value = fptrunc double %double.value to float
  store float %single.value, ptr %word
  %back = fpext float %single.value to double
  %difference = fsub double %back, %double.value
  %infinite = call double @llvm.fabs.f64(double %difference)
  %too.large = fcmp oeq double %infinite, 0x7FF0000000000000
  br i1 %too.large, label %no, label %written
whole:
  store double %value, ptr %word
  br label %written
int:
  %int_type = get ptr %context int_type
  %is.int = icmp eq ptr %type, %int_type
  br i1 %is.int, label %int.value, label %pending
int.value:
  store i32 0, ptr %overflow
  %python.int = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %over = load i32, ptr %overflow
  %fits.64 = icmp eq i32 %over, 0
  br i1 %fits.64, label %number, label %no
number:
  %long = phi i64 [ %wide.int, %narrow.int ], [ %python.int, %int.value ]
  %short = trunc i64 %long to i32
  %long.again = sext i32 %short to i64
  %fits.32 = icmp eq i64 %long.again, %long
  %is.64 = icmp eq i64 %code, 4
  %fits = or i1 %fits.32, %is.64
  store i64 %long, ptr %word
  br i1 %fits, label %written, label %no
bool:
  %bool_type = get ptr %context bool_type
  %is.bool = icmp eq ptr %type, %bool_type
  br i1 %is.bool, label %truth, label %pending
truth:
  %truth.value = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  store i64 %truth.value, ptr %word
  br label %written
complex:
  %complex_type = get ptr %context complex_type
  %is.complex = icmp eq ptr %type, %complex_type
  br i1 %is.complex, label %parts, label %pending
parts:
  %re = get double %object 2
  %im = get double %object 3
  %is.short = icmp eq i64 %code, 6
  br i1 %is.short, label %short.parts, label %long.parts
short.parts:
  %re.short = fptrunc double %re to float
  %im.short = fptrunc double %im to float
  store float %re.short, ptr %word
  %word.im = getelementptr float, ptr %word, i64 1
  store float %im.short, ptr %word.im
  br label %written
long.parts:
  store double %re, ptr %word
  %word.im.long = getelementptr double, ptr %word, i64 1
  store double %im, ptr %word.im.long
  br label %written

pending:
  %pending_type = get ptr %context pending_type
  %is.pending = icmp eq ptr %type, %pending_type
  %may.pend = and i1 %is.pending, %takes.arrays
  br i1 %may.pend, label %pends, label %no
pends:
  %p.aval_at = get i64 %context aval_at
  %p.aval.p = getelementptr i8, ptr %object, i64 %p.aval_at
  %p.own = load ptr, ptr %p.aval.p
  %p.same = icmp eq ptr %p.own, %aval
  br i1 %p.same, label %keep, label %no

written:
  br i1 %takes.arrays, label %keep, label %in.cell
in.cell:
  br i1 %copies, label %cell.array, label %keep.cell
keep.cell:
  store ptr %cell, ptr %item
  call void @Py_IncRef(ptr %cell)
  ret i1 true
cell.array:
  %cell.descr = get ptr %node leaf_cell_descr
  call void @Py_IncRef(ptr %cell.descr)
  %c.ndarray = get ptr %context ndarray
  %c.dims = get ptr %node leaf_dims
  %array.new = call ptr %new_array(
    ptr %c.ndarray, ptr %cell.descr, i32 0, ptr %c.dims, ptr null, ptr null, i32 0, ptr null)
  %array.made = icmp ne ptr %array.new, null
  br i1 %array.made, label %bytes, label %forget
bytes:
  %data = get ptr %array.new 2
  %bytes.count = get i64 %node leaf_size
  br label %byte
byte:
  %b = phi i64 [ 0, %bytes ], [ %b.next, %byte ]
  %b.from = getelementptr i8, ptr %word, i64 %b
  %b.to = getelementptr i8, ptr %data, i64 %b
  %b.value = load i8, ptr %b.from
  store i8 %b.value, ptr %b.to
  %b.next = add i64 %b, 1
  %b.more = icmp ult i64 %b.next, %bytes.count
  br i1 %b.more, label %byte, label %keep.array
keep.array:
  store ptr %array.new, ptr %item
  ret i1 true
}
"""

# A list may be changed by the flattening of one of its members, so each is looked up when its turn comes.
_TREE = """
define internal i1 @take(ptr %object, ptr %cursor, ptr %entry) #0 {
start:
  %context = load ptr, ptr @context
  %node = load ptr, ptr %cursor
  %kind = load i64, ptr %node
  %type = get ptr %object 1
  switch i64 %kind, label %no [ i64 0, label %leaf  i64 1, label %series  i64 2, label %series  i64 3, label %dict
                                i64 4, label %nothing  i64 5, label %other  i64 6, label %static  i64 7, label %fields
                                i64 8, label %custom ]
no:
  ret i1 false
yes:
  ret i1 true

leaf:
  %leaf.end = getelementptr i64, ptr %node, i64 <leaf_words>
  store ptr %leaf.end, ptr %cursor
  %leaf.taken = call i1 @take_leaf(ptr %object, ptr %node, ptr %entry)
  ret i1 %leaf.taken

series:
  %count = get i64 %node 1
  %series.type = get ptr %node 2
  %is.series = icmp eq ptr %type, %series.type
  %children = getelementptr i64, ptr %node, i64 3
  store ptr %children, ptr %cursor
  %is.tuple = icmp eq i64 %kind, 1
  %inline = getelementptr i64, ptr %object, i64 3
  br i1 %is.series, label %member, label %no
member:
  %i = phi i64 [ 0, %series ], [ %i.next, %member.taken ]
  %length = get i64 %object 2
  %is.sized = icmp eq i64 %length, %count
  br i1 %is.sized, label %sized, label %no
sized:
  %i.more = icmp ult i64 %i, %count
  br i1 %i.more, label %member.next, label %yes
member.next:
  %apart = load ptr, ptr %inline
  %first = select i1 %is.tuple, ptr %inline, ptr %apart
  %child = get ptr %first %i
  call void @Py_IncRef(ptr %child)
  %taken = call i1 @take(ptr %child, ptr %cursor, ptr %entry)
  call void @Py_DecRef(ptr %child)
  %i.next = add i64 %i, 1
  br i1 %taken, label %member.taken, label %no
member.taken:
  br label %member

dict:
  %size = get i64 %node 1
  %dict_type = get ptr %context dict_type
  %is.dict = icmp eq ptr %type, %dict_type
  br i1 %is.dict, label %dict.sized, label %no
dict.sized:
  %used = get i64 %object 2
  %is.full = icmp eq i64 %used, %size
  %keys = getelementptr i64, ptr %node, i64 2
  %values = getelementptr i64, ptr %keys, i64 %size
  store ptr %values, ptr %cursor
  br i1 %is.full, label %key, label %no
key:
  %k = phi i64 [ 0, %dict.sized ], [ %k.next, %key.taken ]
  %k.more = icmp ult i64 %k, %size
  br i1 %k.more, label %key.next, label %yes
key.next:
  %name = get ptr %keys %k
  %found = call ptr @PyDict_GetItemWithError(ptr %object, ptr %name)
  %is.there = icmp ne ptr %found, null
  br i1 %is.there, label %value, label %lost
value:
  call void @Py_IncRef(ptr %found)
  %value.taken = call i1 @take(ptr %found, ptr %cursor, ptr %entry)
  call void @Py_DecRef(ptr %found)
  %k.next = add i64 %k, 1
  br i1 %value.taken, label %key.taken, label %no
key.taken:
  br label %key
lost:
  call void @PyErr_Clear()
  ret i1 false

nothing:
  %after = getelementptr i64, ptr %node, i64 1
  store ptr %after, ptr %cursor
  %none = get ptr %context none
  %is.none = icmp eq ptr %object, %none
  ret i1 %is.none

other:
  %leaves.count = get i64 %node 1
  %tree = get ptr %node 2
  %leaves.nodes = getelementptr i64, ptr %node, i64 3
  store ptr %leaves.nodes, ptr %cursor
  %flatten = get ptr %context flatten
  %leaves = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %flatten, ptr %object, ptr %tree, ptr null)
  %is.flat = icmp ne ptr %leaves, null
  br i1 %is.flat, label %flat, label %lost
flat:
  %other.none = get ptr %context none
  %is.alike = icmp ne ptr %leaves, %other.none
  br i1 %is.alike, label %flat.leaf, label %unlike
flat.leaf:
  %f = phi i64 [ 0, %flat ], [ %f.next, %flat.taken ]
  %f.more = icmp ult i64 %f, %leaves.count
  br i1 %f.more, label %flat.next, label %flat.done
flat.next:
  %f.items = get ptr %leaves 3
  %f.leaf = get ptr %f.items %f
  %f.taken = call i1 @take(ptr %f.leaf, ptr %cursor, ptr %entry)
  %f.next = add i64 %f, 1
  br i1 %f.taken, label %flat.taken, label %unlike
flat.taken:
  br label %flat.leaf
flat.done:
  call void @Py_DecRef(ptr %leaves)
  ret i1 true
unlike:
  call void @Py_DecRef(ptr %leaves)
  ret i1 false

custom:
  %c.count = get i64 %node 1
  %c.type = get ptr %node 2
  %c.take = get ptr %node 3
  %c.kept = get ptr %node 4
  %c.children = getelementptr i64, ptr %node, i64 5
  store ptr %c.children, ptr %cursor
  %is.custom = icmp eq ptr %type, %c.type
  br i1 %is.custom, label %c.call, label %no
c.call:
  %c.pair = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %c.take, ptr %object, ptr null)
  %c.given = icmp ne ptr %c.pair, null
  br i1 %c.given, label %c.typed, label %lost
c.typed:
  %c.tuple = get ptr %context no_axes
  %tuple_type = get ptr %c.tuple 1
  %c.pair.type = get ptr %c.pair 1
  %c.is.tuple = icmp eq ptr %c.pair.type, %tuple_type
  br i1 %c.is.tuple, label %c.sized, label %c.unlike
c.sized:
  %c.length = get i64 %c.pair 2
  %c.is.pair = icmp eq i64 %c.length, 2
  br i1 %c.is.pair, label %c.data, label %c.unlike
c.data:
  %c.given.data = get ptr %c.pair 4
  %c.equal = call i32 @PyObject_RichCompareBool(ptr %c.given.data, ptr %c.kept, i32 2)
  %c.same = icmp eq i32 %c.equal, 1
  br i1 %c.same, label %c.listed, label %c.unlike
c.listed:
  %c.given.parts = get ptr %c.pair 3
  %c.parts = call ptr @PySequence_Tuple(ptr %c.given.parts)
  %c.are.parts = icmp ne ptr %c.parts, null
  br i1 %c.are.parts, label %c.counted, label %c.unlike
c.counted:
  %c.found = get i64 %c.parts 2
  %c.all = icmp eq i64 %c.found, %c.count
  br i1 %c.all, label %c.part, label %c.release
c.part:
  %c.i = phi i64 [ 0, %c.counted ], [ %c.i.next, %c.part.taken ]
  %c.more = icmp ult i64 %c.i, %c.count
  br i1 %c.more, label %c.part.next, label %c.release
c.part.next:
  %c.word = add i64 %c.i, 3
  %c.child = get ptr %c.parts %c.word
  %c.i.next = add i64 %c.i, 1
  %c.taken = call i1 @take(ptr %c.child, ptr %cursor, ptr %entry)
  br i1 %c.taken, label %c.part.taken, label %c.release
c.part.taken:
  br label %c.part
c.release:
  %c.fits = phi i1 [ 0, %c.counted ], [ 1, %c.part ], [ 0, %c.part.next ]
  call void @Py_DecRef(ptr %c.parts)
  call void @Py_DecRef(ptr %c.pair)
  ret i1 %c.fits
c.unlike:
  call void @Py_DecRef(ptr %c.pair)
  call void @PyErr_Clear()
  ret i1 false

fields:
  %o.count = get i64 %node 1
  %o.type = get ptr %node 2
  %o.static = get i64 %node 3
  %o.names = getelementptr i64, ptr %node, i64 4
  %o.kept = getelementptr i64, ptr %o.names, i64 %o.count
  %o.kept.words = mul i64 %o.static, 2
  %o.children = getelementptr i64, ptr %o.kept, i64 %o.kept.words
  store ptr %o.children, ptr %cursor
  %is.object = icmp eq ptr %type, %o.type
  br i1 %is.object, label %fixed, label %no
fixed:
  %m = phi i64 [ 0, %fields ], [ %m.next, %fixed.same ]
  %m.more = icmp ult i64 %m, %o.static
  br i1 %m.more, label %fixed.next, label %field
fixed.next:
  %m.word = mul i64 %m, 2
  %m.at = getelementptr i64, ptr %o.kept, i64 %m.word
  %m.name = get ptr %m.at 0
  %m.kept = get ptr %m.at 1
  %m.value = call ptr @PyObject_GetAttr(ptr %object, ptr %m.name)
  %m.there = icmp ne ptr %m.value, null
  br i1 %m.there, label %fixed.value, label %lost
fixed.value:
  %m.equal = call i32 @PyObject_RichCompareBool(ptr %m.value, ptr %m.kept, i32 2)
  call void @Py_DecRef(ptr %m.value)
  %m.same = icmp eq i32 %m.equal, 1
  br i1 %m.same, label %fixed.same, label %lost
fixed.same:
  %m.next = add i64 %m, 1
  br label %fixed
field:
  %o = phi i64 [ 0, %fixed ], [ %o.next, %field.taken ]
  %o.more = icmp ult i64 %o, %o.count
  br i1 %o.more, label %field.next, label %yes
field.next:
  %o.name = get ptr %o.names %o
  %o.value = call ptr @PyObject_GetAttr(ptr %object, ptr %o.name)
  %o.there = icmp ne ptr %o.value, null
  br i1 %o.there, label %field.value, label %lost
field.value:
  %o.taken = call i1 @take(ptr %o.value, ptr %cursor, ptr %entry)
  call void @Py_DecRef(ptr %o.value)
  %o.next = add i64 %o, 1
  br i1 %o.taken, label %field.taken, label %no
field.taken:
  br label %field

static:
  %static.end = getelementptr i64, ptr %node, i64 2
  store ptr %static.end, ptr %cursor
  %kept = get ptr %node 1
  %is.same = icmp eq ptr %kept, %object
  br i1 %is.same, label %yes, label %static.typed
static.typed:
  %kept.type = get ptr %kept 1
  %is.typed = icmp eq ptr %kept.type, %type
  br i1 %is.typed, label %compare, label %no
compare:
  %equal = call i32 @PyObject_RichCompareBool(ptr %object, ptr %kept, i32 2)
  %is.equal = icmp eq i32 %equal, 1
  br i1 %is.equal, label %yes, label %lost
}
"""

ARGUMENT_TEXT = _LEAF + _TREE

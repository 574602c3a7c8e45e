"""Tracebacks of errors that leave this package, cut as `jax_traceback_filtering` asks for.

Errors pass through `leave` at the boundaries (`boundaries.py`): the functions that users call. There the frames of
the package are taken out of the traceback, so that programs which catch the error, test runners and notebooks show
the user's frames alone. A note says so. A text without the user's line gets it there. The modes are JAX's:

    quiet_remove_frames, auto    take the frames out
    remove_frames                the same, and the whole traceback becomes the error's cause
    tracebackhide                leave them in, marked for IPython and pytest, which hide frames that are marked
    off                          leave all as it is

Frames of NumPy and the standard library go where they stand beside ours: `np.mean(x)` calls `x.mean`.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

from ..options.config import config
from . import advice
from .arguments import is_of_arrays, wrong_argument
from .errors import at_line
from .frames import file_of, is_internal, is_ours, is_stray, locate, user_frame_above
from .hints import arguments_of, hint

__all__ = ["TRIMMED", "UnfilteredStackTrace", "filtered", "install", "leave"]

# JAX parity: the note, test_frames_are_removed_and_told_in_one_note
_NOTE = (
    "--------------------\nFor simplicity, JAX has removed its internal frames from the traceback of the following "
    "exception. Set JAX_TRACEBACK_FILTERING=off to include these."
)


class UnfilteredStackTrace(Exception):
    """Carries the whole traceback of an error, as its cause, in the mode `remove_frames`."""


TRIMMED = (Exception, KeyboardInterrupt)  # what programs stop with
# Classes whose text is their one argument, but for those that programs catch to try something else.
_PLAIN = frozenset((
    ArithmeticError, IndexError, NotImplementedError, OverflowError, RuntimeError, TypeError, ValueError,
    ZeroDivisionError,
))


def leave(error: BaseException, caller: FrameType | None = None) -> None:
    """Take our frames out of the traceback of an error that goes to the user's code, which is `caller`."""
    frames = _frames(error.__traceback__)
    hidden = _hidden(frames)
    if not any(hidden):
        return
    last = file_of(frames[-1].tb_frame)
    if hidden[-1] and type(error) in _PLAIN and (is_ours(last) or is_stray(last)):  # not a library whose frames go too
        _say_where(error, frames, hidden, caller)
    elif type(error) is AttributeError and all(hidden):
        _advise_attribute(error, frames[0].tb_frame, caller)
    mode = config.read("jax_traceback_filtering")
    if mode == "off":
        return
    if mode == "tracebackhide":
        for t, inside in zip(frames, hidden):
            if inside:
                t.tb_frame.f_locals["__tracebackhide__"] = True
        return _settle(error, False)
    if mode == "remove_frames":
        _keep_whole(error, frames)
    else:
        _tell(error, frames, hidden)
    _settle(error, True)
    error.__traceback__ = _linked([t for t, inside in zip(frames, hidden) if not inside])


def _say_where(error: BaseException, frames: list[TracebackType], hidden: list[bool], caller: FrameType | None) -> None:
    """Put the user's line into the text of an error that was raised in this package without one."""
    if len(error.args) != 1 or not isinstance(error.args[0], str):
        return
    shown = [t for t, inside in zip(frames, hidden) if not inside]
    if shown:
        frame, instruction = shown[-1].tb_frame, shown[-1].tb_lasti
    elif (frame := user_frame_above(caller)) is not None:
        instruction = frame.f_lasti
    else:
        return
    advised = _advised(error, frames[0].tb_frame, frame, instruction, bool(shown))
    error.args = (at_line(error.args[0], locate(frame.f_code, instruction)) + (f"\n{advised}" if advised else ""),)


def _advised(error: BaseException, called: FrameType, frame: FrameType, instruction: int, is_inside: bool) -> str:
    """Return what to write instead for an error of Python's, where a function of this package was `called`.

    `frame` and `instruction` are the user's, which the error passed, if it `is_inside` of what was called.
    """
    text = error.args[0]
    if type(error) is not TypeError or "  Try: " in text:
        return ""
    place = advice.place_of(frame.f_code, instruction, {**frame.f_globals, **frame.f_locals})
    if fix := arguments_of(called.f_code.co_name, text, place):
        return f"  Try: {fix}"
    return "" if is_inside else advice.written(lambda place: wrong_argument(text, called, place), place, "")


def _advise_attribute(error: AttributeError, called: FrameType, caller: FrameType | None) -> None:
    """Say in a note which argument is no array; the text is left, as programs that try attributes read it."""
    frame = user_frame_above(caller)
    if frame is None or not is_of_arrays(str(error)) or getattr(error, "__notes__", ()):
        return
    names = {**frame.f_globals, **frame.f_locals}
    place = advice.place_of(frame.f_code, frame.f_lasti, names)
    if text := advice.written(lambda place: wrong_argument(str(error), called, place), place, ""):
        error.add_note(text)


def filtered(traceback: TracebackType | None) -> TracebackType | None:
    """Return the traceback with the user's frames alone; whole if none is the user's."""
    frames = _frames(traceback)
    return _linked([t for t, inside in zip(frames, _hidden(frames)) if not inside]) or traceback


def install() -> None:
    """Filter what the interpreter prints of errors that are not caught, wherever they come from."""
    shown: Any = sys.excepthook

    def excepthook(kind, error, traceback):
        if isinstance(error, TRIMMED) and traceback is not None:
            error.__traceback__ = traceback
            leave(error)
            traceback = error.__traceback__ or traceback
            if text := hint(error):
                error.add_note(text)
        shown(kind, error, traceback)

    sys.excepthook = excepthook


def _hidden(frames: list[TracebackType]) -> list[bool]:
    """Return whether each frame is ours, or stands with others like it between or below ones that are."""
    files = [file_of(t.tb_frame) for t in frames]
    hidden = [is_internal(f) and not is_stray(f) for f in files]
    for order in (range(1, len(files)), range(len(files) - 2, -1, -1)):
        step = -1 if order.step > 0 else 1
        for i in order:
            if hidden[i + step] and is_stray(files[i]):
                hidden[i] = True
    return hidden


def _settle(error: BaseException, take_out: bool) -> None:
    """The errors that led to one: those that the library raised to find its way are not shown."""
    link, seen = error, {id(error)}
    while (cause := link.__cause__ or link.__context__) is not None and id(cause) not in seen:
        if isinstance(cause, UnfilteredStackTrace):
            return
        seen.add(id(cause))
        frames = _frames(cause.__traceback__)
        if link.__cause__ is None and frames and _hidden(frames)[-1]:
            link.__suppress_context__ = True
        if take_out:
            cause.__traceback__ = filtered(cause.__traceback__)
        link = cause


def _tell(error: BaseException, frames: list[TracebackType], hidden: list[bool]) -> None:
    """Say once in a note that frames are gone, if others are than those that started the program."""
    outermost = next((i for i, inside in enumerate(hidden) if not inside), len(frames))
    starts = any(t.tb_frame.f_globals.get("__name__") == "__main__" for t in frames[:outermost])
    if any(hidden[outermost:] if starts else hidden) and _NOTE not in getattr(error, "__notes__", ()):
        error.add_note(_NOTE)


def _keep_whole(error: BaseException, frames: list[TracebackType]) -> None:
    """Keep the whole traceback in the error's cause; what was taken out further in is there already."""
    whole = error.__cause__
    if isinstance(whole, UnfilteredStackTrace):
        inner = _frames(whole.__traceback__)
        shown = len(inner) - sum(_hidden(inner))  # the last of the frames
        whole.__traceback__ = _linked(frames[: len(frames) - shown] + inner)
        return
    whole = UnfilteredStackTrace(
        f"{type(error).__name__}: {error}\n\n"
        "The stack trace below excludes JAX-internal frames.\n"
        "The preceding is the original exception that occurred, unmodified.\n\n--------------------"
    )
    whole.__cause__, whole.__context__ = error.__cause__, error.__context__
    whole.__suppress_context__ = error.__suppress_context__
    whole.__traceback__ = _linked(frames)
    error.__cause__ = whole


def _frames(traceback: TracebackType | None) -> list[TracebackType]:
    frames = []
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    return frames


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    out = None
    for t in reversed(frames):
        out = TracebackType(out, t.tb_frame, t.tb_lasti, t.tb_lineno)
    return out

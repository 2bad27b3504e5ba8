"""Every command of ours, in the order the help lists them."""

from __future__ import annotations

from showmemory.commands.begin import Init, Remember
from showmemory.commands.checkpoint import Checkpoint, Handover, Resume
from showmemory.commands.command import ShowCommand
from showmemory.commands.deciding import Log, Plan, Redo, Undo
from showmemory.commands.editing import (
    Add,
    Clear,
    Drop,
    Forget,
    Keep,
    Lock,
    Pin,
    Place,
    Reset,
    Rest,
    Restore,
    Retire,
    Revert,
    Rewrite,
    Supersede,
    Unlock,
    Unpin,
    Unrest,
)
from showmemory.commands.fleet import Fleet
from showmemory.commands.looking import Cast, Read, Show, Why
from showmemory.commands.merge_driver import MergeDriver
from showmemory.commands.model import Spend, WriteAgain
from showmemory.commands.notes import Notes
from showmemory.commands.report import Report
from showmemory.commands.reviewing import Review
from showmemory.commands.settings import Set
from showmemory.commands.standing import Check, Status
from showmemory.commands.window import Record, Window
from showmemory.commands.writing import Context

PARTS = ("Begin", "Look", "Write", "Decide", "Edit", "Model", "Check")
COMMANDS: tuple[type[ShowCommand], ...] = (
    *(Init, Remember, Fleet),
    *(Status, Show, Notes, Why, Cast, Read, Window, Record, Report),
    *(Context, Handover, Checkpoint, Resume),
    *(Plan, Review, Undo, Redo, Log),
    *(Add, Rewrite, Pin, Unpin, Keep, Drop, Clear, Lock, Unlock, Rest, Unrest, Retire, Forget, Restore, Revert),
    *(Supersede, Place, Set, Reset),
    *(WriteAgain, Spend),
    *(Check, MergeDriver),
)

"""A store that went back in time: may the round that it still has open be played on, or has somebody seen too much of it?"""

from __future__ import annotations

from tapete_server.core.state import Table


def spoilt(lost: Table, found: Table) -> bool:
    """`lost`: the table as a node had it, `found`: as the store has it now. True where `lost` was past the end of the open
    round, whose secret is public then, or knew cards or bytes of it that are to come once more. Never true of a table that
    only went on. (Design, fine print 15)"""
    if lost.round != found.round:
        return lost.round > found.round
    if lost.nonce != found.nonce or not lost.close_head:
        return False
    return lost.close_head != found.close_head or lost.words > found.words

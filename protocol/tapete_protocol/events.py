"""What happened at a table: past facts, in batches that are the same bytes for everyone.

Every amount is whole minor units; every `..._at` is the store's time in milliseconds since 1970. The events of the felt
(from `CardDealt` down) are the events of the rules package, field by field; a test holds the two lists together.
"""

from __future__ import annotations

from typing import Literal

from tapete_protocol.base import Part, Wire

Why = Literal["left", "freed", "idle", "away", "closed"]


class TableOpened(Wire):
    """`settings` is the document as it was given, byte for byte; the round records carry its SHA-256."""

    name: str
    game: str
    settings: str
    public: bool
    opener: str


class SettingsChanged(Wire):
    """The table goes on with this document, from a new felt."""

    settings: str


class SettingsQueued(Wire):
    """The table goes on with these settings from the next round on."""

    settings: str


class BoxTaken(Wire):
    """`stint`: the version at which this player arrived here. `via` names node and connection, for the nodes."""

    box: int
    player: str
    name: str
    stint: int
    via: str


class BoxFreed(Wire):
    """The box is free again, and why."""

    box: int
    player: str
    why: Why


class PlayerLeft(Wire):
    """Nothing of this player is at the table any more."""

    player: str


class PlayerLeaving(Wire):
    """Goes when the round is settled."""

    player: str


class ChipsIn(Wire):
    """A buy-in: from the wallet to the stack."""

    player: str
    amount: int
    transfer: str


class ChipsOut(Wire):
    """From the stack to the wallet; on its way until `ChipsArrived`."""

    player: str
    amount: int
    transfer: str


class ChipsArrived(Wire):
    """The cash-out is in the wallet."""

    transfer: str


class RoundOpened(Wire):
    """The next round, and the SHA-256 of its secret. Bets may be placed from `BettingOpened` on."""

    round: int
    nonce: bytes
    commitment: bytes


class BettingOpened(Wire):
    """Bets are taken."""

    round: int


class BetPlaced(Wire):
    """`amount` is what lies on the spot now; 0: nothing."""

    box: int
    player: str
    spot: str
    amount: int


class PlayerReady(Wire):
    """The round need not wait for this player, or has to again."""

    player: str
    ready: bool


class StakeOf(Part):
    """What lies on a spot."""

    spot: str
    amount: int


class BoxBets(Part):
    """The bets of a box."""

    box: int
    player: str
    stakes: tuple[StakeOf, ...]


class EntropyCommitted(Wire):
    """A player is bound to 32 random bytes for this round; a later one takes its place."""

    player: str
    commitment: bytes


class CommitmentOf(Part):
    """What a player is bound to."""

    player: str
    commitment: bytes


class BettingClosed(Wire):
    """All bets of the round, in box order, and the commitments of those who bet, in the order of their lowest boxes. Ends
    its batch: the head after it fixes the cards, with what is revealed."""

    round: int
    bets: tuple[BoxBets, ...]
    commitments: tuple[CommitmentOf, ...] = ()


class EntropyRevealed(Wire):
    """The 32 bytes that a player was bound to."""

    player: str
    entropy: bytes


class EntropyClosed(Wire):
    """The cards are fixed. `missing`: who was bound to bytes that did not come in time."""

    round: int
    missing: tuple[str, ...]


class ClockSet(Wire):
    """A countdown starts, moves or (with `until_at` 0) vanishes: `betting`, `closing`, `deal`, `turn`, `pause`,
    `hold:PLAYER`, `idle:PLAYER`, `out`. Nothing else changes the clocks, but `ClockExtended`."""

    clock: str
    until_at: int


class ClockExtended(Wire):
    """The house was late: nobody loses by it."""

    clock: str
    until_at: int
    by_ms: int


class PlayerAway(Wire):
    """The connection is gone; box and stack are held until `held_until_at`. `since_at`: when the node was last alive, if it
    is the house's fault (the time that a turn lost since then is given back); else 0."""

    player: str
    held_until_at: int
    since_at: int = 0


class PlayerBack(Wire):
    """Connected, again or elsewhere. `via` names node and connection, for the nodes."""

    player: str
    via: str


class PlayerTimedOut(Wire):
    """The clock ran out: the house plays this player's remaining hands of the round."""

    player: str


class RoundSettled(Wire):
    """`result` in one word, for histories; `secret` lets anyone check the cards."""

    round: int
    result: str
    secret: bytes


class RoundVoided(Wire):
    """Every stake went back. `why`: `idle` (nobody bet for long), `interrupted` (the house was late too often), `incident` (a
    mistake of ours), `rewound` (the store may have forgotten something)."""

    round: int
    why: str
    secret: bytes


class TableFrozen(Wire):
    """An invariant broke: nothing moves until an operator looks. Stakes stay in the ledger."""

    incident: str


class TableClosed(Wire):
    """The table is gone; `bank` is what its house part came to."""

    bank: int


# --- the felt: one struct per event of the rules ---

Place = Literal["box", "dealer", "punto", "banca"]
Side = Literal["punto", "banca"]
Action = Literal["hit", "stand", "stand_all", "double", "split"]
Closing = Literal["stood", "twenty_one", "bust", "doubled", "split_aces", "blackjack", "dealer_blackjack"]
Outcome = Literal["win", "lose", "bust", "push", "blackjack"]
By = Literal["player", "house"]


class CardDealt(Wire):
    """A card, with the hand's total after it. `soft`: an ace counts eleven. `box` is 0 where it goes to no box."""

    place: Place
    box: int
    hand: int
    card: str
    total: int
    soft: bool
    word: int


class TurnStarted(Wire):
    """This hand decides; `legal` is all that it may do. Comes again after each card that leaves it a choice."""

    box: int
    hand: int
    owner: str
    legal: tuple[Action, ...]


class ActionsChanged(Wire):
    """The hand whose turn it is may do other things than before: chips arrived."""

    box: int
    hand: int
    legal: tuple[Action, ...]


class StakeAdded(Wire):
    """Chips from the owner's stack to the hand: a double or a split."""

    box: int
    hand: int
    owner: str
    amount: int


class HandSplit(Wire):
    """Hand `hand` became `hand` and `hand + 1`, one card each; the hands to the right moved up by one."""

    box: int
    hand: int


class AllStood(Wire):
    """Every remaining hand of this player stands as its turn comes."""

    owner: str
    by: By


class HandClosed(Wire):
    """Nothing more is dealt to this hand, and why. `by`: who decided it, where somebody did."""

    box: int
    hand: int
    why: Closing
    by: By


class DealerDone(Wire):
    """The dealer's hand is final. `drew`: it took cards beyond its two."""

    total: int
    soft: bool
    blackjack: bool
    drew: bool


class HandSettled(Wire):
    """The main bet of one hand. `returned` includes the stake where it comes back."""

    box: int
    hand: int
    outcome: Outcome
    stake: int
    returned: int


class SpotSettled(Wire):
    """A bet on a spot: a bonus bet, or any bet of Punto Banco."""

    box: int
    spot: str
    outcome: Outcome
    stake: int
    returned: int


class BoxSettled(Wire):
    """A box's sum: `staked` left the stack in this round, `returned` goes back to it."""

    box: int
    owner: str
    staked: int
    returned: int


class ShoeOpened(Wire):
    """A new shuffled shoe."""

    decks: int


class CardBurnt(Wire):
    """A card out of play. The first one of a shoe is turned and says how many follow it."""

    card: str
    word: int


class CutCardShown(Wire):
    """The cut card came out. `last_coups`: how many more coups are dealt after the present one."""

    last_coups: int


class ThirdCardDecided(Wire):
    """Whether a side draws, and the cell of the tableau that says so: `row` is the side's two-card total, `column` what
    the tableau looks at besides, or -1."""

    side: Side
    draws: bool
    row: int
    column: int
    source: str


class CoupDecided(Wire):
    """Both totals are final. `natural`: an 8 or 9 in two cards ended the coup."""

    winner: Literal["punto", "banca", "tie"]
    punto: int
    banca: int
    natural: bool
    punto_pair: bool
    banca_pair: bool


FeltEvent = (
    CardDealt
    | TurnStarted
    | ActionsChanged
    | StakeAdded
    | HandSplit
    | AllStood
    | HandClosed
    | DealerDone
    | HandSettled
    | SpotSettled
    | BoxSettled
    | ShoeOpened
    | CardBurnt
    | CutCardShown
    | ThirdCardDecided
    | CoupDecided
)
TableEvent = (
    TableOpened
    | SettingsChanged
    | SettingsQueued
    | BoxTaken
    | BoxFreed
    | PlayerLeft
    | PlayerLeaving
    | ChipsIn
    | ChipsOut
    | ChipsArrived
    | RoundOpened
    | BettingOpened
    | BetPlaced
    | PlayerReady
    | EntropyCommitted
    | BettingClosed
    | EntropyRevealed
    | EntropyClosed
    | ClockSet
    | ClockExtended
    | PlayerAway
    | PlayerBack
    | PlayerTimedOut
    | RoundSettled
    | RoundVoided
    | TableFrozen
    | TableClosed
)
Event = TableEvent | FeltEvent

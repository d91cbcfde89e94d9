"""A table as everyone may see it: what a snapshot carries and `reduce` keeps up to date. There is no secret in it."""

from __future__ import annotations

from tapete_protocol.base import Part


class SpotView(Part):
    """A bet on a spot. `outcome` is absent until it is settled."""

    spot: str
    stake: int
    outcome: str | None = None
    returned: int = 0


class HandView(Part):
    """A hand and the main bet on it. One card: it comes from a split and waits for its turn."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    stake: int
    doubled: bool = False
    closed: str | None = None
    by: str | None = None
    outcome: str | None = None
    returned: int = 0


class BoxFelt(Part):
    """A box in the present or last round. `returned` is absent until it is settled."""

    box: int
    staked: int
    hands: tuple[HandView, ...] = ()
    spots: tuple[SpotView, ...] = ()
    returned: int | None = None


class SideView(Part):
    """The dealer's cards, or punto's, or banca's."""

    cards: tuple[str, ...]
    total: int
    soft: bool = False


class TurnView(Part):
    """The hand that decides, and all that it may do."""

    box: int
    hand: int
    owner: str
    legal: tuple[str, ...]


class CoupView(Part):
    """As `CoupDecided`."""

    winner: str
    punto: int
    banca: int
    natural: bool
    punto_pair: bool
    banca_pair: bool


class ThirdView(Part):
    """As `ThirdCardDecided`."""

    side: str
    draws: bool
    row: int
    column: int
    source: str


class ShoeView(Part):
    """Cards `left` and `dealt` (burnt ones too), the coup's number, and the cards behind the cut card. `number`: how many
    shoes were opened at this table, this one included."""

    decks: int
    left: int
    dealt: int
    coup: int
    cut_card: int
    last_coups: int | None = None
    burnt: tuple[str, ...] = ()
    number: int = 0


class Felt(Part):
    """Cards and results of the present round, or of the last one until the next is dealt."""

    shoe: ShoeView
    boxes: tuple[BoxFelt, ...] = ()
    dealer: SideView | None = None
    punto: SideView | None = None
    banca: SideView | None = None
    dealer_done: bool = False
    turn: TurnView | None = None
    standing: tuple[str, ...] = ()
    coup: CoupView | None = None
    third: tuple[ThirdView, ...] = ()


class PlayerView(Part):
    """Somebody with a box or chips here."""

    player: str
    name: str
    stack: int
    away: bool = False
    held_until_at: int = 0
    ready: bool = False
    leaving: bool = False


class BetView(Part):
    """What lies on a spot before the close."""

    box: int
    spot: str
    amount: int


class ContributionView(Part):
    """A player's part in the cards of the round. `entropy` is absent until it is revealed."""

    player: str
    commitment: bytes
    entropy: bytes | None = None
    missing: bool = False


class TableView(Part):
    """`boxes[i]` is the player who holds box i + 1, or nil. `clocks`: name and store time of each countdown."""

    name: str
    game: str
    settings: str
    public: bool
    opener: str
    phase: str
    round: int
    commitment: bytes
    boxes: tuple[str | None, ...]
    players: tuple[PlayerView, ...]
    bets: tuple[BetView, ...]
    clocks: tuple[tuple[str, int], ...]
    felt: Felt
    recent: tuple[str, ...]
    frozen: str | None = None
    contributions: tuple[ContributionView, ...] = ()

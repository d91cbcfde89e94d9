"""One message or more of every kind, as the vectors have them. Data: longer than other files."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tapete_protocol import view as v
from tapete_protocol.base import WHOLE_MAX

TABLE = "green-room"
ANA, BEN = "p-ana", "p-ben"
SESSION = "t.0123456789abcdef"
AT = 1_900_000_000_000
NONCE, SECRET, COMMITMENT, HEAD, ENTROPY = (bytes([first]) * 32 for first in (1, 2, 3, 4, 5))
SETTINGS = '{"game":"double_exposure"}'

COMMANDS: tuple[c.Command, ...] = (
    c.Hello(id=1, name="Ana"),
    c.Hello(id=1, token=SESSION, client="example 1.0"),
    c.Hello(id=1, name="Ñandú 21"),
    c.Ping(id=2),
    c.Ping(id=WHOLE_MAX),
    c.WatchLobby(id=3),
    c.WatchLobby(id=4, on=False),
    c.OpenTable(id=5, command="open-0001", name="Green room", settings=SETTINGS),
    c.OpenTable(id=6, command="open-0002", name="Amigos", settings='{"game":"punto_banco"}', public=False),
    c.CloseTable(id=7, table=TABLE),
    c.Watch(id=8, table=TABLE),
    c.Watch(id=9, table=TABLE, since=c.Since(version=41, head=HEAD)),
    c.Unwatch(id=10, table=TABLE),
    c.TopUp(id=11, command="topup-0001"),
    c.BuyIn(id=12, command="buyin-0001", table=TABLE, amount=20_000),
    c.TakeBox(id=13, table=TABLE, stint=0, seq=1, box=2),
    c.FreeBox(id=14, table=TABLE, stint=42, seq=2, box=2),
    c.Leave(id=15, table=TABLE, stint=42, seq=3),
    c.CashOut(id=16, table=TABLE, stint=42, seq=4, amount=5_000),
    c.PlaceBets(id=17, table=TABLE, stint=42, seq=5, bets=(c.Bet(2, "main", 1_000), c.Bet(2, "sevens", 100))),
    c.PlaceBets(id=18, table=TABLE, stint=42, seq=6, bets=(c.Bet(2, "sevens", 0),)),
    c.PlaceBets(id=26, table=TABLE, stint=42, seq=7, bets=(c.Bet(2, "main", 1_000),), commitment=COMMITMENT),
    c.Reveal(id=27, table=TABLE, round=7, entropy=ENTROPY),
    c.AskAdvice(id=28, table=TABLE),
    c.AskAdvice(id=29, table=TABLE, exact=True),
    c.Ready(id=19, table=TABLE, stint=42, seq=7),
    c.Ready(id=20, table=TABLE, stint=42, seq=8, ready=False),
    c.Act(id=21, table=TABLE, stint=42, seq=9, box=2, hand=0, action="hit"),
    c.Act(id=22, table=TABLE, stint=42, seq=10, box=2, hand=0, action="stand"),
    c.Act(id=23, table=TABLE, stint=42, seq=11, box=2, hand=0, action="stand_all"),
    c.Act(id=24, table=TABLE, stint=42, seq=12, box=2, hand=0, action="double"),
    c.Act(id=25, table=TABLE, stint=42, seq=13, box=2, hand=0, action="split"),
)

EVENTS: tuple[e.Event, ...] = (
    e.TableOpened(name="Green room", game="double_exposure", settings=SETTINGS, public=True, opener=ANA),
    e.SettingsChanged(settings='{"game":"double_exposure","decks":4}'),
    e.SettingsQueued(settings='{"game":"double_exposure","decks":8}'),
    e.BoxTaken(box=2, player=ANA, name="Ana", stint=4, via="n1.17"),
    e.BoxFreed(box=2, player=ANA, why="left"),
    e.PlayerLeft(player=ANA),
    e.PlayerLeaving(player=BEN),
    e.ChipsIn(player=ANA, amount=20_000, transfer="p-ana.buyin-0001"),
    e.ChipsOut(player=ANA, amount=5_000, transfer="p-ana.4.4"),
    e.ChipsArrived(transfer="p-ana.4.4"),
    e.RoundOpened(round=7, nonce=NONCE, commitment=COMMITMENT),
    e.BettingOpened(round=7),
    e.BetPlaced(box=2, player=ANA, spot="main", amount=1_000),
    e.PlayerReady(player=ANA, ready=True),
    e.BettingClosed(
        round=7,
        bets=(
            e.BoxBets(2, ANA, (e.StakeOf("main", 1_000), e.StakeOf("sevens", 100))),
            e.BoxBets(3, BEN, (e.StakeOf("main", 500),)),
        ),
    ),
    e.EntropyCommitted(player=ANA, commitment=COMMITMENT),
    e.BettingClosed(
        round=7,
        bets=(e.BoxBets(2, ANA, (e.StakeOf("main", 1_000),)),),
        commitments=(e.CommitmentOf(ANA, COMMITMENT),),
    ),
    e.EntropyRevealed(player=ANA, entropy=ENTROPY),
    e.EntropyClosed(round=7, missing=()),
    e.EntropyClosed(round=7, missing=(ANA,)),
    e.ClockSet(clock="betting", until_at=AT + 15_000),
    e.ClockSet(clock="hold:p-ana", until_at=0),
    e.ClockExtended(clock="turn", until_at=AT + 24_000, by_ms=4_000),
    e.PlayerAway(player=ANA, held_until_at=AT + 120_000),
    e.PlayerBack(player=ANA, via="n2.3"),
    e.PlayerTimedOut(player=BEN),
    e.RoundSettled(round=7, result="dealer 17", secret=SECRET),
    e.RoundVoided(round=7, why="late", secret=SECRET),
    e.TableFrozen(incident="i-0001"),
    e.TableClosed(bank=-1_250),
    e.CardDealt(place="box", box=2, hand=0, card="AS", total=11, soft=True, word=1),
    e.CardDealt(place="dealer", box=0, hand=0, card="TH", total=10, soft=False, word=2),
    e.TurnStarted(box=2, hand=0, owner=ANA, legal=("hit", "stand", "stand_all", "double")),
    e.ActionsChanged(box=2, hand=0, legal=("hit", "stand", "stand_all", "double", "split")),
    e.StakeAdded(box=2, hand=0, owner=ANA, amount=1_000),
    e.HandSplit(box=2, hand=0),
    e.AllStood(owner=ANA, by="player"),
    e.HandClosed(box=2, hand=0, why="stood", by="house"),
    e.DealerDone(total=17, soft=True, blackjack=False, drew=True),
    e.HandSettled(box=2, hand=0, outcome="win", stake=1_000, returned=2_000),
    e.SpotSettled(box=2, spot="sevens", outcome="lose", stake=100, returned=0),
    e.BoxSettled(box=2, owner=ANA, staked=1_100, returned=2_000),
    e.ShoeOpened(decks=8),
    e.CardBurnt(card="7D", word=1),
    e.CutCardShown(last_coups=1),
    e.ThirdCardDecided(side="banca", draws=True, row=5, column=6, source="punto's third card"),
    e.CoupDecided(winner="tie", punto=8, banca=8, natural=True, punto_pair=False, banca_pair=True),
)

_VIEW_OF_BLACKJACK = v.TableView(
    name="Green room", game="double_exposure", settings=SETTINGS, public=True, opener=ANA,
    phase="playing", round=7, commitment=COMMITMENT,
    boxes=(None, ANA, BEN, None),
    players=(
        v.PlayerView(ANA, "Ana", 18_900),
        v.PlayerView(BEN, "Ben", 0, away=True, held_until_at=AT + 120_000, ready=True, leaving=True),
    ),
    bets=(),
    clocks=(("hold:p-ben", AT + 120_000), ("turn", AT + 20_000)),
    felt=v.Felt(
        shoe=v.ShoeView(decks=6, left=306, dealt=6, coup=0, cut_card=0, number=7),
        boxes=(
            v.BoxFelt(
                2, 1_100,
                (v.HandView(("AS", "7D"), 18, soft=True, stake=1_000),), (v.SpotView("sevens", 100, "lose", 0),),
            ),
            v.BoxFelt(3, 500, (v.HandView(("9C", "8H"), 17, soft=False, stake=500, closed="stood", by="house"),)),
        ),
        dealer=v.SideView(("TH", "6C"), 16),
        turn=v.TurnView(2, 0, ANA, ("hit", "stand", "stand_all")),
        standing=(BEN,),
    ),
    recent=("dealer 20", "dealer bust"),
    contributions=(
        v.ContributionView(ANA, COMMITMENT, ENTROPY),
        v.ContributionView(BEN, COMMITMENT, missing=True),
    ),
)  # fmt: skip

_VIEW_OF_BACCARAT = v.TableView(
    name="Sala", game="punto_banco", settings='{"game":"punto_banco"}', public=False, opener=BEN,
    phase="settled", round=3, commitment=b"",
    boxes=(BEN, None, None, None),
    players=(v.PlayerView(BEN, "Ben", 4_950),),
    bets=(),
    clocks=(("pause", AT + 4_000),),
    felt=v.Felt(
        shoe=v.ShoeView(decks=8, left=399, dealt=17, coup=3, cut_card=14, burnt=("2C", "9H", "4D"), number=1),
        boxes=(v.BoxFelt(1, 1_000, (), (v.SpotView("banca", 1_000, "win", 1_950),), 1_950),),
        punto=v.SideView(("3S", "2D", "TH"), 5),
        banca=v.SideView(("4C", "3H"), 7),
        coup=v.CoupView("banca", 5, 7, natural=False, punto_pair=False, banca_pair=False),
        third=(v.ThirdView("punto", draws=True, row=5, column=-1, source="punto"),
            v.ThirdView("banca", draws=False, row=7, column=10, source="third card")),
    ),
    recent=("punto", "tie", "banca"),
    frozen="i-0001",
)  # fmt: skip

FRAMES: tuple[f.Frame, ...] = (
    f.Welcome(id=1, player=ANA, name="Ana", token=SESSION, balance=100_000, now=AT, node="n1"),
    f.Welcome(id=1, player=ANA, name="Ana", token=SESSION, balance=0, now=AT, node="n2", tables=(TABLE,)),
    f.Ack(id=2, now=AT),
    f.Ack(id=13, now=AT, version=42, table=TABLE),
    f.Refused(id=17, code="bet_below_minimum", message="The bet is below the minimum of 1. Raise it, or take it back.",
              detail={"box": 2, "spot": "main", "amount": 50, "minimum": 100}),
    f.Refused(id=18, code="busy", message="Many people act at this table at this moment. Try again at once.",
              retry_ms=200),
    f.Batch(table=TABLE, v=42, prev=HEAD, at=AT, by=f.Author(ANA, 5, COMMITMENT),
            events=(e.BetPlaced(2, ANA, "main", 1_000), e.ClockSet("betting", AT + 15_000))),
    f.Batch(table=TABLE, v=43, prev=COMMITMENT, at=AT, events=(e.ClockSet("betting", 0),)),
    f.Snapshot(table=TABLE, v=42, head=HEAD, at=AT, view=_VIEW_OF_BLACKJACK),
    f.Snapshot(table="sala", v=9, head=HEAD, at=AT, view=_VIEW_OF_BACCARAT, rewound=True),
    f.Place(table=TABLE, stint=42, seq=5),
    f.Place(table=TABLE, stint=42, seq=5, control=False),
    f.Advice(id=28, table=TABLE, v=42, box=2, hand=0, stake=1_000, exact=False,
             worth=(f.Worth("hit", -457_204), f.Worth("stand", -1_000_000)), very_bad=("stand",)),
    f.Wallet(balance=80_000),
    f.Heartbeat(now=AT),
    f.Heartbeat(now=AT, table=TABLE, v=42),
    f.Crowd(table=TABLE, spectators=2_000),
    f.Lobby(tables=()),
    f.Lobby(tables=(
        f.LobbyTable(TABLE, "Green room", "double_exposure", "playing", 2, 2, 2_000, 100, 50_000, 7, ("dealer 20",),
                     boxes=(f.LobbyBox(2, "Ana", 1_100, ("AS", "7D")), f.LobbyBox(3, "Ben")), dealer=("TH", "6C"), turn=2,
                     until_at=AT + 20_000),
        f.LobbyTable("sala", "Sala", "punto_banco", "settled", 1, 4, 0, 100, 50_000, 3, ("tie",), tableau="standard",
                     edges=(f.Edge("punto", 12_351), f.Edge("banca", 10_579))),
    )),
    f.Gone(table=TABLE),
    f.StoreState(available=False),
)  # fmt: skip

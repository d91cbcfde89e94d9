"""The table as a few lines of text."""

from __future__ import annotations

from tapete_client.texts.prompts import prompts_of
from tapete_client.texts.scene import money, words_of
from tapete_protocol.view import BoxFelt, HandView, SideView, TableView

SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
NAME_CHARS = 14


def felt_lines(view: TableView, lang: str, me: str | None = None) -> list[str]:
    """A heading, the house's cards, and a line per box; `*` marks the boxes of `me`. Once bets lie, the last round's cards
    are gone."""
    words, prompts = words_of(lang), prompts_of(lang)
    phase = prompts.phases.get(view.phase, view.phase)
    game = words.games.get(view.game, view.game)
    lines = [prompts.heading.format(table=view.name, game=game, round=view.round, phase=phase)]
    for name, side in (("dealer", view.felt.dealer), ("punto", view.felt.punto), ("banca", view.felt.banca)):
        if side is not None and side.cards and not view.bets:
            lines.append(f"    {words.places[name]:<{NAME_CHARS}} {_side(side, lang)}")
    lines += [_box(view, box, lang, me) for box in range(1, len(view.boxes) + 1) if _shown(view, box)]
    return lines


def card_text(card: str) -> str:
    """`TH`: `10♥`."""
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_SIGNS.get(card[1:], card[1:])}"


def _shown(view: TableView, box: int) -> bool:
    return view.game != "punto_banco" or view.boxes[box - 1] is not None or box == 1


def _box(view: TableView, box: int, lang: str, me: str | None) -> str:
    prompts = prompts_of(lang)
    holder = next((one for one in view.players if one.player == view.boxes[box - 1]), None)
    mark = "*" if holder is not None and holder.player == me else " "
    parts = [f"  {mark}{box} {holder.name if holder else prompts.free:<{NAME_CHARS}}"]
    parts += [f"{_spot(bet.spot, lang)} {money(bet.amount, lang)}" for bet in view.bets if bet.box == box]
    felt = next((one for one in view.felt.boxes if one.box == box), None)
    if felt is not None and not view.bets:
        parts += _hands(view, felt, lang)
    if holder is not None and holder.away:
        parts.append(f"({prompts.away})")
    elif holder is not None and holder.ready and view.phase == "betting":
        parts.append(f"({prompts.ready})")
    return "  ".join(parts).rstrip()


def _hands(view: TableView, felt: BoxFelt, lang: str) -> list[str]:
    prompts, turn = prompts_of(lang), view.felt.turn
    shown = []
    for number, hand in enumerate(felt.hands):
        decides = turn is not None and (turn.box, turn.hand) == (felt.box, number)
        shown.append(_hand(hand, lang) + (f" <- {prompts.deciding}" if decides else ""))
    for spot in felt.spots:
        outcome = f" {prompts.outcomes.get(spot.outcome, spot.outcome)}" if spot.outcome else ""
        shown.append(f"{_spot(spot.spot, lang)} {money(spot.stake, lang)}{outcome}")
    return shown


def _hand(hand: HandView, lang: str) -> str:
    words, prompts = words_of(lang), prompts_of(lang)
    total = words.soft.format(total=hand.total) if hand.soft and hand.total < 21 else str(hand.total)
    outcome = f" {prompts.outcomes.get(hand.outcome, hand.outcome)}" if hand.outcome else ""
    cards = f"[{' '.join(map(card_text, hand.cards))} = {total}] " if hand.cards else ""
    return f"{cards}{money(hand.stake, lang)}{outcome}"


def _side(side: SideView, lang: str) -> str:
    words = words_of(lang)
    total = words.soft.format(total=side.total) if side.soft and side.total < 21 else str(side.total)
    return f"[{' '.join(map(card_text, side.cards))} = {total}]"


def _spot(spot: str, lang: str) -> str:
    return words_of(lang).spots.get(spot, spot)

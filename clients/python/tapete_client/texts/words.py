"""Every phrase that a client says, by name. A language is one `Words`: a phrase that it lacks is a type error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """Templates for `str.format`. `{where}` is a box with its hand and its player, `{hand}` the same at the start of a
    sentence; amounts, cards and totals arrive already in words."""

    # numbers and names
    decimal: str
    thousands: str
    ranks: Names
    suits: Names
    card: str
    spots: Names
    games: Names
    actions: Names
    alternative: str
    places: Names
    soft: str
    box: str
    box_of: str
    box_hand: str
    somebody: str

    # the table
    table_opened: str
    settings_changed: str
    settings_queued: str
    box_taken: str
    box_freed: Names
    player_left: str
    player_leaving: str
    chips_in: str
    chips_out: str
    betting_opened: str
    bet_placed: str
    bet_taken_back: str
    ready: str
    not_ready: str
    betting_closed: str
    entropy_missing: str
    part_missing: str
    part_taken: str
    bets_close_in: str
    clock_extended: str
    away: str
    back: str
    timed_out: str
    round_settled: str
    round_voided: str
    frozen: str
    closed: str

    # the felt
    card_dealt: str
    turn: str
    actions_changed: str
    stake_added: str
    split: str
    all_stood: Names
    hand_closed: Names
    stood_by_house: str
    dealer_blackjack: str
    dealer_bust: str
    dealer_total: str
    hand_settled: Names
    spot_settled: Names
    box_settled: str
    shoe_opened: str
    burnt: str
    cut_card_last: str
    cut_card_one_more: str
    cut_card_more: str
    punto_draws: str
    punto_stands: str
    banca_draws: str
    banca_stands: str
    punto_stood: str
    winner: Names
    natural: str
    pairs: Names

    # the connection
    synced: str
    rewound: str
    reconnected: str
    store_away: str
    store_back: str
    control_lost: str
    control_held: str
    missed: str

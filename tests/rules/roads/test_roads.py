"""What holds for the roads of every shoe."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tapete_rules.roads import ROWS, Coup, Roads, place, read_coups, roads_of, streaks

SHOES = st.text("BPT", max_size=110).map(read_coups)
STREAKY = st.lists(st.integers(1, 20), max_size=30).map(
    lambda lengths: read_coups("".join("BP"[place % 2] * length for place, length in enumerate(lengths)))
)
ANY = st.one_of(SHOES, STREAKY)
LENGTHS = st.lists(st.integers(1, 30), max_size=40)
Shoe = tuple[Coup, ...]


def derived(roads: Roads) -> tuple[str, str, str]:
    return roads.big_eye_boy, roads.small_road, roads.cockroach_road


class TestTheBigRoad:
    @given(ANY)
    def test_has_every_decision_and_every_tie_once(self, shoe: Shoe) -> None:
        columns = roads_of(shoe).big_road
        cells = [cell for column in columns for cell in column]
        assert [cell.coup for cell in cells] == [coup for coup in shoe if coup.winner != "tie"]
        assert not cells or sum(cell.ties for cell in cells) == sum(coup.winner == "tie" for coup in shoe)

    @given(ANY)
    def test_columns_are_streaks_of_alternating_sides(self, shoe: Shoe) -> None:
        sides = [{cell.coup.winner for cell in column} for column in roads_of(shoe).big_road]
        assert all(len(side) == 1 for side in sides)
        assert all(side != after for side, after in pairwise(sides))

    def test_ties_before_the_first_decision_are_marked_on_it(self) -> None:
        (column,) = roads_of(read_coups("TTBTB")).big_road
        assert [cell.ties for cell in column] == [3, 0]
        assert roads_of(read_coups("TT")).big_road == ()


class TestDerivedRoads:
    @given(ANY)
    def test_marks_are_only_ever_added(self, shoe: Shoe) -> None:
        before = derived(roads_of(()))
        for length in range(1, len(shoe) + 1):
            now = derived(roads_of(shoe[:length]))
            added = 0 if shoe[length - 1].winner == "tie" else 1
            for then, marks in zip(before, now, strict=True):
                assert marks.startswith(then)
                assert len(marks) - len(then) <= added
            before = now

    @given(ANY)
    def test_ties_and_marks_of_coups_do_not_count(self, shoe: Shoe) -> None:
        bare = [replace(coup, natural=True, banca_pair=True) for coup in shoe if coup.winner != "tie"]
        assert derived(roads_of(shoe)) == derived(roads_of(bare))

    @given(ANY)
    def test_they_do_not_know_which_side_is_which(self, shoe: Shoe) -> None:
        other = {"banca": "punto", "punto": "banca", "tie": "tie"}
        turned = [Coup(other[coup.winner]) for coup in shoe]  # type: ignore[arg-type]
        assert derived(roads_of(shoe)) == derived(roads_of(turned))

    @given(ANY)
    def test_once_there_is_a_mark_every_decision_adds_one(self, shoe: Shoe) -> None:
        roads = roads_of(shoe)
        heights = [len(column) for column in roads.big_road]
        for k, marks in enumerate(derived(roads), 1):
            late = sum(heights[k:]) - (1 if len(heights) > k else 0)
            assert len(marks) == late


class TestAsks:
    @given(ANY)
    def test_the_asks_are_both_absent_or_opposite(self, shoe: Shoe) -> None:
        roads = roads_of(shoe)
        for banca, punto in zip(roads.ask("banca"), roads.ask("punto"), strict=True):
            assert {banca, punto} in ({None}, {"R", "B"})

    @given(ANY, st.sampled_from(("banca", "punto")))
    def test_an_ask_is_what_the_coup_then_adds(self, shoe: Shoe, side: str) -> None:
        now = roads_of(shoe)
        then = roads_of((*shoe, Coup(side)))  # type: ignore[arg-type]
        for mark, before, after in zip(now.ask(side), derived(now), derived(then), strict=True):  # type: ignore[arg-type]
            assert after == before + (mark or "")

    def test_there_is_nothing_to_ask_of_an_empty_shoe(self) -> None:
        assert roads_of(()).ask("banca") == roads_of(()).ask("punto") == (None, None, None)


class TestTheDrawing:
    @given(LENGTHS)
    @example([12, 11, 10, 9, 8, 7, 3])
    def test_nothing_overlaps_and_nothing_leaves_the_rows(self, lengths: list[int]) -> None:
        drawn = place(lengths)
        spots = [spot for streak in drawn for spot in streak]
        assert [len(streak) for streak in drawn] == lengths
        assert len(set(spots)) == len(spots)
        assert all(column >= 0 and 0 <= row < ROWS for column, row in spots)

    @given(LENGTHS)
    def test_a_streak_goes_down_then_right_and_turns_only_where_it_must(self, lengths: list[int]) -> None:
        taken: set[tuple[int, int]] = set()
        for streak in place(lengths):
            steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(streak)]
            down = steps.count((0, 1))
            assert steps == [(0, 1)] * down + [(1, 0)] * (len(steps) - down)
            column, row = streak[down]
            assert len(steps) == down or row == ROWS - 1 or (column, row + 1) in taken
            taken.update(streak)

    @given(LENGTHS)
    def test_a_streak_starts_at_the_first_free_column_after_the_last_start(self, lengths: list[int]) -> None:
        taken: set[tuple[int, int]] = set()
        before = -1
        for streak in place(lengths):
            start, row = streak[0]
            assert row == 0
            assert start > before
            assert all((column, 0) in taken for column in range(before + 1, start))
            taken.update(streak)
            before = start

    @given(LENGTHS)
    def test_what_is_drawn_stays_where_it_is(self, lengths: list[int]) -> None:
        drawn = place(lengths)
        assert all(place(lengths[:many]) == drawn[:many] for many in range(len(lengths)))

    @given(st.text("RB"))
    def test_a_derived_road_is_drawn_in_runs(self, marks: str) -> None:
        lengths = streaks(marks)
        assert sum(lengths) == len(marks)
        ends = [sum(lengths[:many]) for many in range(1, len(lengths))]
        assert [at for at in range(1, len(marks)) if marks[at] != marks[at - 1]] == ends

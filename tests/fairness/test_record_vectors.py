"""The published records: good ones are proven, bad ones fail with the field that they name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tapete_client import verify
from tapete_protocol.vectors import FOLDER

RECORDS: dict[str, Any] = json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", RECORDS["good"], ids=lambda vector: vector["why"])
def test_good_records(vector: dict[str, Any]) -> None:
    proofs = list(verify.verify_all(verify.records_of(json.dumps(vector["records"]).encode())))
    assert [proof for proof in proofs if isinstance(proof, verify.Unproven)] == []
    assert len(proofs) == len(vector["records"])


@pytest.mark.parametrize("vector", RECORDS["bad"], ids=lambda vector: vector["why"])
def test_bad_records(vector: dict[str, Any]) -> None:
    (failed,) = verify.verify_all(verify.records_of(json.dumps(vector["record"]).encode()))
    assert isinstance(failed, verify.Unproven)
    assert failed.where.startswith(vector["field"]), str(failed)
    assert failed.round == vector["record"]["round"]

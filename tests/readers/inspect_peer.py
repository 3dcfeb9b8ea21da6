"""Write a log with Inspect itself, and print what it reads from it, as JSON: ``inspect_peer.py eval``, or ``json``."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, includes, mean, scorer
from inspect_ai.solver import solver


@scorer(metrics=[mean()])  # type: ignore[untyped-decorator]
def size() -> Any:
    async def score(state: Any, target: Any) -> Any:
        if state.sample_id == "q05" and state.epoch == 2:
            raise RuntimeError("a scorer that fails")
        return Score(value=len(state.output.completion))

    return score


@solver  # type: ignore[untyped-decorator]
def answer() -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        right = random.Random(f"{state.sample_id} {state.epoch}").random() < 0.6
        state.output = ModelOutput.from_content("mockllm/model", state.target.text if right else "no idea")
        return state

    return solve


def main(form: Any) -> None:
    data = MemoryDataset([Sample(input=f"{n} + {n}?", target=str(2 * n), id=f"q{n:02}") for n in range(10)])
    task = Task(dataset=data, solver=answer(), scorer=[includes(), size()], epochs=3, name="sums")
    made = eval(task, model="mockllm/model", log_dir=".", log_format=form, display="none", fail_on_error=0.5)
    log = read_eval_log(made[0].location)
    assert log.reductions is not None
    assert log.results is not None
    found = {
        "status": log.status,
        "location": made[0].location.removeprefix("file://"),
        "reductions": {one.scorer: {str(own.sample_id): own.value for own in one.samples} for one in log.reductions},
        "means": {one.name: next(iter(one.metrics.values())).value for one in log.results.scores},
    }
    print(json.dumps(found))


main(sys.argv[1])

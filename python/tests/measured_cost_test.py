from skyline._measured_cost import LEAST_STEPS, MOST_STEPS, MeasuredCost


def cost_of(recorded_s: list[float], unrecorded_s: list[float]) -> MeasuredCost:
    """Of steps of these durations, with a pause between, as it takes to write the recording."""
    cost, now = MeasuredCost(), 100.0
    for is_recorded, durations in ((True, recorded_s), (False, unrecorded_s)):
        now += 3
        cost.step_ended(now, is_recorded)
        for duration in durations:
            now += duration
            cost.step_ended(now, is_recorded)
    return cost


def test_the_cost_is_what_recorded_steps_take_longer():
    cost = cost_of([0.0055] * 10, [0.005] * 10)
    assert cost.sentence() == "a step took 5.5 ms while recorded, 5 ms in the 10 steps after: +10 %"


def test_one_long_step_changes_nothing():
    cost = cost_of([0.0055] * 10 + [9], [0.005] * 10 + [0.0])
    assert cost.sentence() == "a step took 5.5 ms while recorded, 5 ms in the 11 steps after: +10 %"


def test_steps_that_differ_among_themselves_prove_nothing():
    cost = cost_of([0.004, 0.007] * 5, [0.003, 0.006] * 5)
    assert (cost.sentence() or "").endswith("a difference within the spread of steps")


def test_too_few_steps_say_nothing():
    assert cost_of([0.005] * 10, [0.005] * (LEAST_STEPS - 1)).sentence() is None
    assert cost_of([0.005] * (LEAST_STEPS - 1), [0.005] * 10).sentence() is None
    assert MeasuredCost().sentence() is None


def test_it_ends_with_enough_steps():
    assert not cost_of([0.005] * 10, [0.005] * (MOST_STEPS - 1)).is_known()
    assert cost_of([0.005] * 10, [0.005] * MOST_STEPS).is_known()
    assert cost_of([0.005] * 2, []).is_known(), "a window of two steps cannot be compared with anything"

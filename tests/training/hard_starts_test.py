"""Whatever start() and stop() meet, training goes on, and nothing stays switched on."""

import pytest

STANDARD_ERRORS = {
    "closed": "sys.stderr.close()",
    "missing": "sys.stderr = None",
    "broken": "reader, writer = os.pipe(); os.close(reader); os.dup2(writer, 2)",
}


@pytest.mark.parametrize("how", STANDARD_ERRORS)
def test_a_sentence_that_nobody_can_hear_is_not_worth_a_training(script, how: str) -> None:
    done = script(f"""
        import os, sys
        open("file", "w").close()
        {STANDARD_ERRORS[how]}
        with skyline.profile("file/out.skyline"):
            torch.ones(3).add(1)
        print("trained")
    """)
    assert (done.stdout, done.stderr) == ("trained\n", "")


# Ctrl-C is let in where Python lets it in: when a function begins, and when one has returned.
INTERRUPTED = """
    import gc, sys
    from skyline import _environment, _profile, _recorders
    _environment.describe = dict  # takes long, and is only asked
    collector = _recorders.find_collector()
    model = nn.Linear(4, 4)

    def is_interrupted(call, place):
        left, inside = place, False
        def strike(frame, event, argument):
            nonlocal left, inside
            if inside and event != "c_call":
                left -= 1
                if left == 0:
                    sys.setprofile(None)
                    raise KeyboardInterrupt
            inside = inside or event == "call"
        try:
            sys.setprofile(strike)
            call()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False

    def is_clean():
        return not collector.is_active() and _profile.current is None and gc.isenabled()
"""


def test_an_interrupt_at_any_place_of_a_start_leaves_nothing_on(script) -> None:
    done = script(
        INTERRUPTED
        + """
    place = 0
    while True:
        place += 1
        profile = skyline.profile("out.skyline", schedule=lambda step: skyline.ProfilerAction.RECORD, with_stack=True)
        if not is_interrupted(profile.start, place):
            break
        assert is_clean(), place
    profile.stop()
    assert is_clean() and profile.outcome["trouble"] == ""
    print(place)
    """
    )
    assert int(done.stdout) > 50


def test_an_interrupt_at_any_place_of_a_stop_leaves_nothing_on_and_a_readable_trace(script, ask, tmp_path) -> None:
    done = script(
        INTERRUPTED
        + """
    import os
    place = 0
    while True:
        place += 1
        profile = skyline.profile("out.skyline", schedule=lambda step: skyline.ProfilerAction.RECORD, with_stack=True)
        profile.start()
        model(torch.ones(4, 4))
        if not is_interrupted(profile.stop, place):
            break
        assert is_clean() and str(profile.trace_path) == "out.skyline", place
        if place % 20 == 0:
            os.rename("out.skyline", f"interrupted.{place}.skyline")
    assert is_clean()
    print(place)
    """
    )
    assert int(done.stdout) > 50
    traces = list(tmp_path.glob("interrupted.*.skyline"))
    assert len(traces) >= 2 and all(ask("info", trace)["ranks"] for trace in traces)


def test_what_a_signals_handler_raises_reaches_the_user_and_leaves_nothing_on(script) -> None:
    script("""
        import signal
        from skyline import _modules, _profile, _recorders
        class Late(Exception): pass
        def handler(*_): raise Late
        signal.signal(signal.SIGALRM, handler)
        def slow(*_):
            signal.raise_signal(signal.SIGALRM)
        usual = _modules.Namer.start, _modules.Namer.stop
        for at_start in (True, False):
            _modules.Namer.start, _modules.Namer.stop = (slow, usual[1]) if at_start else (usual[0], slow)
            try:
                with skyline.profile("out.skyline", with_stack=True):
                    torch.ones(3)
            except Late:
                assert not _recorders.find_collector().is_active() and _profile.current is None
            else:
                raise AssertionError("the handler's exception is gone")
        _modules.Namer.start, _modules.Namer.stop = usual
        with skyline.profile("out.skyline", with_stack=True) as profile:
            torch.ones(3)
        assert profile.outcome["records"] > 0
    """)

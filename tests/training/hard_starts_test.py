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

"""What tests of executors share is read as tests are: with values in failed assertions."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.executors.behaviour")

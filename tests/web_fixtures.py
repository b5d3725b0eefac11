"""What tests of the server's answers start from: an empty home, and a client of a server there."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from railbird.web.app import make_app
from railbird.web.serving import Serving


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def client(home):
    with TestClient(make_app(Serving(home, workers=1)), base_url="http://127.0.0.1") as found:
        yield found

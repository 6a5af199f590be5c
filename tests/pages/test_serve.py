"""The local server does what a static host does."""

from __future__ import annotations

import gzip
import http.client
import socket
from urllib.parse import urlsplit

import pytest

from openbook.errors import PortInUseError, SourceNotFoundError
from openbook.pages import serve
from openbook.pages.serve import Server, normalise_base_path, serving


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "dist"
    (root / "assets").mkdir(parents=True)
    (root / "lectures/ü").mkdir(parents=True)
    (root / "index.html").write_text("<p>" + "hello " * 200)
    (root / "lectures/index.html").write_text("<p>lectures")
    (root / "lectures/ü/notes.html").write_text("<p>ü")
    (root / "assets/a.mjs").write_text("export {}")
    (root / "assets/a.wasm").write_bytes(b"\0asm" + b"\0" * 500)
    (root / "assets/a.json").write_text('{"a": "' + "x" * 500 + '"}')
    (root / "assets/model.onnx").write_bytes(b"\0" * 500)
    (tmp_path / "secret.txt").write_text("secret")
    return root


def get(url, path, method="GET", **headers):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_it_listens_on_this_machine_only(site):
    with serving(site) as url:
        assert urlsplit(url).hostname == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/assets/a.mjs", "text/javascript; charset=utf-8"),
        ("/assets/a.wasm", "application/wasm"),
        ("/assets/a.json", "application/json; charset=utf-8"),
        ("/assets/model.onnx", "application/octet-stream"),
        ("/lectures/%C3%BC/notes.html?lecture=a", "text/html; charset=utf-8"),
    ],
)
def test_files_have_their_types(site, path, kind):
    with serving(site) as url:
        response, _ = get(url, path)
    assert response.status == 200
    assert response.headers["Content-Type"] == kind
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_text_and_wasm_are_gzipped_and_weights_are_not(site):
    with serving(site) as url:
        for path in ("/index.html", "/assets/a.json", "/assets/a.wasm"):
            response, body = get(url, path, **{"Accept-Encoding": "gzip, br"})
            assert response.headers["Content-Encoding"] == "gzip"
            assert int(response.headers["Content-Length"]) == len(body)
            assert gzip.decompress(body) == (site / path.lstrip("/")).read_bytes()
        response, body = get(url, "/assets/model.onnx", **{"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in response.headers
        assert len(body) == 500
        response, body = get(url, "/index.html")
        assert "Content-Encoding" not in response.headers


def test_a_changed_file_is_sent_changed(site):
    with serving(site) as url:
        get(url, "/index.html", **{"Accept-Encoding": "gzip"})
        (site / "index.html").write_text("<p>" + "other " * 300)
        _, body = get(url, "/index.html", **{"Accept-Encoding": "gzip"})
    assert b"other" in gzip.decompress(body)


def test_head_sends_no_body_and_an_unchanged_file_is_not_sent_again(site):
    with serving(site) as url:
        response, body = get(url, "/index.html", method="HEAD")
        assert (response.status, body) == (200, b"")
        assert int(response.headers["Content-Length"]) > 0
        again, body = get(url, "/index.html", **{"If-Modified-Since": response.headers["Last-Modified"]})
        assert (again.status, body) == (304, b"")


def test_folders_are_not_listed_and_have_their_index(site):
    with serving(site) as url:
        assert get(url, "/assets/")[0].status == 404
        assert get(url, "/lectures/")[1] == b"<p>lectures"
        response, _ = get(url, "/lectures")
        assert (response.status, response.headers["Location"]) == (301, "/lectures/")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/..\\secret.txt",
        "/a%00b",
        "//x",
    ],
)
def test_nothing_outside_of_the_folder_is_sent(site, path):
    with serving(site) as url:
        response, body = get(url, path)
    assert response.status == 404
    assert b"secret" not in body


def test_a_link_that_leads_out_of_the_folder_is_not_followed(site):
    (site / "out.txt").symlink_to(site.parent / "secret.txt")
    with serving(site) as url:
        assert get(url, "/out.txt")[0].status == 404


def test_a_site_can_stand_under_a_path(site):
    with serving(site, "sub/path") as url:
        assert url.endswith("/sub/path/")
        assert get(url, "/sub/path/lectures/")[1] == b"<p>lectures"
        assert get(url, "/sub/path")[0].headers["Location"] == "/sub/path/"
        assert get(url, "/lectures/")[0].status == 404
        assert get(url, "/sub/pathology/")[0].status == 404


def test_the_next_free_port_is_taken(site):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with Server(site, port=port) as server:
            assert port < server.server_port <= port + serve.PORTS_TRIED


def test_no_free_port_is_an_error_of_its_own(site, monkeypatch):
    monkeypatch.setattr(serve, "PORTS_TRIED", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortInUseError, match="--port"):
            Server(site, port=taken.getsockname()[1])


def test_a_missing_folder_is_an_error_with_the_next_step(tmp_path):
    with pytest.raises(SourceNotFoundError, match="openbook build"), serving(tmp_path / "dist"):
        pass


@pytest.mark.parametrize(("given", "path"), [("", "/"), ("/", "/"), ("a", "/a/"), ("/a/b/", "/a/b/")])
def test_base_paths_are_normalised(given, path):
    assert normalise_base_path(given) == path

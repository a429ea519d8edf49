"""The wheel: what pip looks at. Go is not asked."""

import base64
import hashlib
import importlib.util
import os
import zipfile

import pytest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@pytest.fixture
def builder(monkeypatch):
    spec = importlib.util.spec_from_file_location("build_wheel", os.path.join(HERE, "build_wheel.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def tools(goos, goarch, to):
        path = os.path.join(to, "tile-run")
        with open(path, "wb") as f:
            f.write(b"binary")
        return [path]

    monkeypatch.setattr(module, "build_tools", tools)
    return module


@pytest.mark.parametrize("platform", [("linux", "amd64"), ("darwin", "arm64"), ("windows", "amd64")])
def test_wheel(builder, tmp_path, platform):
    first = builder.build(*platform, str(tmp_path))
    with open(first, "rb") as f:
        data = f.read()
    assert builder.build(*platform, str(tmp_path)) == first
    with open(first, "rb") as f:
        assert f.read() == data, "the same source gives another file"
    with zipfile.ZipFile(first) as z:
        names = z.namelist()
        assert "tilewright/cutile.py" in names and not any("__pycache__" in n for n in names)
        assert z.getinfo("tilewright/bin/tile-run").external_attr >> 16 == 0o100755
        info = next(n for n in names if n.endswith("/RECORD"))
        records = dict(line.split(",")[:2] for line in z.read(info).decode().split())
        assert set(records) == set(names)
        for name in names:
            if name != info:
                want = base64.urlsafe_b64encode(hashlib.sha256(z.read(name)).digest()).rstrip(b"=").decode()
                assert records[name] == "sha256=" + want
        assert "tilewright/py.typed" in names
        scripts = z.read(info.replace("RECORD", "entry_points.txt")).decode()
        assert "tilewright = tilewright._cli:entry\n" in scripts and "tilewright = tilewright.pytest_plugin\n" in scripts
        assert b"Requires-Dist: numpy" in z.read(info.replace("RECORD", "METADATA"))


def test_platform_that_is_none(builder, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.argv", ["build_wheel.py", "--goos=plan9", "--goarch=386", "--out", str(tmp_path)])
    with pytest.raises(SystemExit, match="no wheel can be made for plan9/386"):
        builder.main()
    assert not os.listdir(tmp_path)

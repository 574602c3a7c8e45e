"""The command line: `cache`, `doctor`, `env`, `version`, the prompt, and variables that nobody reads."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import adjoint
from adjoint.__main__ import main
from adjoint.commandline import doctor
from adjoint.core.options import variables
from adjoint.core.process import requirements
from adjoint.engines.cache import Store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of compiled programs, with two whole ones and a damaged one."""
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path))
    store = Store("native")
    store.store("one", b"code")
    store.store("two", b"more code")
    (tmp_path / "native" / "three").write_bytes(b"x" * 40)
    return tmp_path / "native"


def printed(capsys, *arguments: str, status: int | None = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == status
    return capsys.readouterr().out


def test_the_cache_is_looked_at_and_emptied(folder, capsys):
    assert "     3 programs      0.0 MiB" in printed(capsys, "cache")
    assert "  40 bytes" in printed(capsys, "cache", "ls")
    assert f"damaged, and removed: {folder / 'three'}" in printed(capsys, "cache", "verify", status=1)
    assert "0 programs were damaged" in printed(capsys, "cache", "verify")
    assert "2 programs removed" in printed(capsys, "cache", "clear")
    assert not list(folder.iterdir())


def test_whole_files_of_a_cache_that_is_not_used_are_not_called_damaged(folder, monkeypatch, capsys):
    (folder / "three").unlink()
    folder.chmod(0o770)
    text = printed(capsys, "cache", "verify", status=1)
    assert f"not used: {folder}. Its mode is 770: others may write to it." in text
    assert "0 programs were damaged" in text and len(list(folder.iterdir())) == 2
    folder.chmod(0o700)
    (folder / "one").chmod(0o620)
    assert "0 programs were damaged" in printed(capsys, "cache", "verify")
    read = Store.is_damaged
    monkeypatch.setattr(Store, "is_damaged", lambda self, key: (folder / key).unlink() or read(self, key))
    assert "0 programs were damaged" in printed(capsys, "cache", "verify")  # another process removed them


def test_a_folder_that_is_a_file_holds_no_programs(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path / "file"))
    why = f"{tmp_path / 'file'} is not a folder."
    assert " 0 programs " in (text := printed(capsys, "cache", "info")) and why in text
    assert why in printed(capsys, "cache", "ls")
    assert "0 programs were damaged" in (text := printed(capsys, "cache", "verify", status=1)) and why in text


def test_a_folder_that_is_not_there_holds_no_programs(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path / "later" / "still"))
    assert f"native  no programs in {tmp_path / 'later' / 'still' / 'native'}\n" in printed(capsys, "cache", "ls")
    assert printed(capsys, "cache", "verify") == "0 programs were damaged\n"
    (tmp_path / "later").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path / "later")  # root may write anywhere
    assert f"{tmp_path / 'later'} cannot be written to." in printed(capsys, "cache", "ls")


def test_a_cache_that_is_off_says_so(monkeypatch, capsys):
    monkeypatch.setenv("ADJOINT_CACHE_DIR", "off")
    for action in ("info", "ls", "clear", "verify"):
        assert "ADJOINT_CACHE_DIR is off" in printed(capsys, "cache", action)
    assert "0 programs removed" in printed(capsys, "cache", "clear")


def test_the_doctor_tests_and_reports(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path))
    text = printed(capsys, "doctor")
    assert "All is well." in text and f"cache            {tmp_path / 'native'}" in text
    assert "derivatives      right" in text and f"Python           {sys.version.split()[0]}" in text


def test_the_doctor_names_what_is_wrong(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("ADJOINT_CACHEDIR", "x")
    text = printed(capsys, "doctor", status=1)
    assert f"Compiled programs cannot be kept in {tmp_path / 'file' / 'native'}" in text
    assert "The environment variable ADJOINT_CACHEDIR is none of adjoint's. Did you mean 'ADJOINT_CACHE_DIR'?" in text


@pytest.mark.parametrize("name, why", [
    ("nomodule", "No module named nomodule"), ("nopackage.inside", "No module named 'nopackage'"),
    ("json", "'json' is a package and cannot be directly executed"),
])
def test_a_module_that_cannot_be_found_is_one_line(name, why):
    done = subprocess.run([sys.executable, "-m", "adjoint", "-m", name], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.splitlines()[-1].startswith(f"adjoint: -m {name}: ")
    assert why in done.stderr and "Traceback" not in done.stderr


def test_a_variable_that_is_nearly_an_option_is_named(monkeypatch, capsys):
    monkeypatch.setenv("JAX_ENABLE_X46", "1")
    monkeypatch.setenv("JAX_PROCESS_ID", "0")
    text = printed(capsys, "env", status=1)
    assert "JAX_ENABLE_X46 sets no option. Did you mean 'JAX_ENABLE_X64'?" in text and "JAX_PROCESS_ID" not in text


def test_variables_are_listed_and_wrong_ones_named(monkeypatch, capsys):
    monkeypatch.setenv("JAX_LOG_COMPILES", "0")
    text = printed(capsys, "env")
    assert "ADJOINT_LOG_COMPILES=0" in text and "ADJOINT_CPU_ENGINE" not in text.replace("ADJOINT_CPU_ENGINE=", "")
    assert set(variables.VARIABLES) <= {line.partition("=")[0] for line in printed(capsys, "env", "all").splitlines()}
    monkeypatch.setenv("ADJOINT_NUM_THREAD", "2")
    assert "ADJOINT_NUM_THREAD is none of adjoint's" in printed(capsys, "env", status=1)
    with pytest.warns(UserWarning, match="Did you mean 'ADJOINT_NUM_THREADS'"):
        variables.warn_of_wrong()
    monkeypatch.delenv("ADJOINT_NUM_THREAD")
    monkeypatch.setenv("ADJOINT_NUM_THREADS", "many")
    assert "ADJOINT_NUM_THREADS is 'many', which is not a number of threads" in printed(capsys, "env", status=1)
    monkeypatch.delenv("ADJOINT_NUM_THREADS")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        variables.warn_of_wrong()


def test_version_and_help(capsys):
    main(["version"])
    assert capsys.readouterr().out.startswith(f"adjoint {adjoint.version.own_version} (the interface of JAX ")
    main(["--help"])
    assert "adjoint cache [info | ls | clear | verify]" in capsys.readouterr().out


def test_a_prompt_knows_the_names_of_the_program(tmp_path):
    """And is there without a program, and after one that failed."""
    (tmp_path / "main.py").write_text("import jax\nthree = 3\nthree / 0\n")
    command = [sys.executable, "-m", "adjoint", "-i", "-c", "import jax; two = jax.numpy.ones(2).sum()"]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, input="print(jnp.sin(two - 2), jax.__name__)\n", text=True, capture_output=True,
                          env=environment)
    assert "0.0 adjoint" in done.stdout and done.returncode == 0, done.stderr
    assert "is adjoint.numpy" in done.stderr


def test_run_is_a_word_for_nothing(tmp_path):
    (tmp_path / "main.py").write_text("import sys, jax; print(sys.argv[1:], jax.__name__)")
    command = [sys.executable, "-m", "adjoint", "run", "main.py", "-i", "--help"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
    assert done.stdout == "['-i', '--help'] adjoint\n", done.stderr


def test_a_notebook_loads_it_as_an_extension():
    program = "import adjoint; adjoint.load_ipython_extension(None); import jax; print(jax.jit is adjoint.jit)"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("arguments, text", [
    (["broken.ipynb"], "'broken.ipynb' is a notebook. Open it in Jupyter and begin with `%load_ext adjoint`"),
    (["trian.py"], "'. Did you mean 'train.py'?"), (["docter"], "'. Did you mean 'doctor'?"),
    (["folder"], "'folder' is a folder without a __main__.py"),
    (["-m"], "-m needs a module"),
    (["--fast"], "unknown option '--fast'"),
])
def test_what_cannot_be_run_is_one_clear_line(monkeypatch, capsys, tmp_path, arguments, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("")
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("adjoint: ") and text in line


def test_a_script_that_may_not_be_read_is_one_clear_line(monkeypatch, capsys, tmp_path):
    (tmp_path / "train.py").write_text("")

    def refused(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "train.py")])
    assert capsys.readouterr().err.splitlines()[-1].endswith("train.py' cannot be read: Permission denied")


def test_without_standard_input_there_is_no_prompt_and_no_error():
    done = subprocess.run(["sh", "-c", 'exec "$0" -m adjoint <&-', sys.executable], timeout=60)
    assert done.returncode == 0


def test_packages_that_are_missing_or_old_are_named(monkeypatch, capsys):
    versions = {"numpy": "1.26.4", "ml_dtypes": "0.5.0"}

    def version(name):
        if name == "scipy":
            raise doctor.metadata.PackageNotFoundError(name)
        return versions.get(name, "99.0")

    needed = ["numpy>=2.0", "scipy>=1.14", "ml_dtypes>=0.5", 'rich>=100; extra == "demo"']
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: needed)
    monkeypatch.setattr(doctor.metadata, "version", version)
    assert doctor.unmet() == [
        "numpy is 1.26.4, which is too old.\n  Try: python -m pip install 'numpy>=2.0'",
        "scipy is not installed.\n  Try: python -m pip install 'scipy>=1.14'",
    ]


def test_the_oldest_numpy_is_that_of_the_metadata():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'"numpy>={".".join(map(str, requirements._OLDEST_NUMPY))}"' in text

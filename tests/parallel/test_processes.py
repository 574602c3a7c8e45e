"""Two and four processes of two devices each, on this machine: they are one program, and end together."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.modes import PLAIN

from adjoint.parallel import clusters, distributed

TESTS = Path(__file__).resolve().parents[1]
x = np.arange(16.0, dtype=np.float32).reshape(8, 2)


def started(task: str, count: int = 2, folder: Path | None = None) -> list[subprocess.Popen]:
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    env = {**PLAIN, "XLA_FLAGS": "", "TF_CPP_MIN_LOG_LEVEL": "3", "FOLDER": str(folder)}
    return [
        subprocess.Popen([sys.executable, "-m", "parallel.member", task, str(i), str(count), str(port)], cwd=TESTS,
                         env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for i in range(count)
    ]


@cache
def outcomes() -> list[dict]:
    processes = started("facts,computations,messages")
    done = [p.communicate(timeout=120) for p in processes]
    assert [0, 0] == [p.returncode for p in processes], done
    return [json.loads(out.splitlines()[-1]) for out, _ in done]


def results(task: str) -> list:
    """What each process returns."""
    return [found[task] for found in outcomes()]


def test_each_process_knows_itself_and_all_devices():
    for i, found in enumerate(results("facts")):
        once = "RuntimeError: distributed.initialize should only be called once."
        assert [i, 2, 4, 2, [0, 0, 1, 1], [i, i], [1 - i, 1 - i], True, True, 3.0, once] == found


def test_programs_run_over_the_devices_of_all():
    """Both processes get what one process computes, and see only their own parts."""
    w = np.ones(2)
    slope = (x / 16).T @ (1 - np.tanh(x / 16 @ w) ** 2)
    mapped = sum(x[2 * i : 2 * i + 2] * i for i in range(4))
    host = np.concatenate([x[:4], x[:4] + 1])
    first, second = results("computations")
    assert first == second
    np.testing.assert_allclose(slope, first[5], rtol=1e-5)
    nowhere = "RuntimeError: Fetching value for `jax.Array` that spans non-addressable (non process local) devices"
    *same, fetched, parts = first[:5] + first[6:]
    assert [
        (x * 2).tolist(), 120.0, True, 256.0, mapped.tolist(), host.tolist(), [4, 2], 2, x.tolist(), [8, 2],
        "Array(shape=(8, 2), dtype=float32)", 2, 4, False,
    ] == same
    assert fetched.startswith(nowhere) and [[2, 2], [2, 2]] == parts


def test_processes_exchange_arrays():
    first, second = results("messages")
    assert [[[0, 1], [1, 2]], [0, 1, 1, 2], [False], 6] == first[:-1] == second[:-1]
    assert "AssertionError" == first[-1] == second[-1]


def test_four_processes_of_two_devices_are_one_program():
    """Calls of Python, `pmap` and exchanges over all of them: what JAX gives, of which the numbers are here."""
    processes = started("together", 4)
    done = [p.communicate(timeout=180) for p in processes]
    assert [0] * 4 == [p.returncode for p in processes], done
    found = [json.loads(out.splitlines()[-1])["together"] for out, _ in done]
    for i, (devices, summed, gathered, shown, parts, tree, wholes, refused) in enumerate(found):
        assert [8, 2] == devices
        assert [[[24.0, 32.0, 40.0]] * 2, [24.0 * k for k in (2 * i, 2 * i + 1)]] == summed
        assert [[0, 1, 10, 11, 20, 21, 30, 31]] * 2 == gathered
        assert [[[120.0]], [[2 * k, 2 * k + 1] for k in (2 * i, 2 * i + 1)]] == [shown[0] or [[120.0]], parts]
        assert bool(shown[0]) == (i == 0) and shown[1]  # the first device calls, for all
        assert [[16, 2], [4, 4]] == tree and [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3]] == wholes
        assert ["ValueError", "ValueError", "AssertionError"] == refused


def test_a_restart_goes_on_from_what_was_written(tmp_path):
    """One of four processes dies after the second step; all start anew, read what the devices wrote, and finish."""
    first = started("steps", 4, tmp_path)
    ended = [p.communicate(timeout=120) for p in first]
    assert all([p.returncode for p in first]), ended
    again = started("steps", 4, tmp_path)
    done = [p.communicate(timeout=120) for p in again]
    assert [0] * 4 == [p.returncode for p in again], done
    assert [[2, (x * 16).sum()]] * 4 == [json.loads(out.splitlines()[-1])["steps"] for out, _ in done]


@pytest.mark.skipif(find_spec("tensorstore") is None, reason="tensorstore is not installed")
def test_a_restart_with_fewer_devices_reads_what_tensorstore_has(tmp_path):
    """Four processes of two devices write, and one dies; two processes read the same arrays, and finish."""
    first = started("checkpoints", 4, tmp_path)
    ended = [p.communicate(timeout=120) for p in first]
    assert all([p.returncode for p in first]), ended
    again = started("checkpoints", 2, tmp_path)
    done = [p.communicate(timeout=120) for p in again]
    assert [0] * 2 == [p.returncode for p in again], done
    expected = [2, float((x * 16).sum()), [float(1 + (x * 15).sum())] * 3, 2]
    assert [expected] * 2 == [json.loads(out.splitlines()[-1])["checkpoints"] for out, _ in done]


def test_a_process_that_dies_is_named_by_the_others():
    """They end within a minute (here: the connection breaks, 5 seconds), with an error and not with success."""
    survivor, dead = started("death")
    begin = time.monotonic()
    _, error = survivor.communicate(timeout=60)
    assert 3 == dead.wait(timeout=10)
    dead.communicate()
    assert 0 != survivor.returncode and time.monotonic() - begin < 60
    assert "Process 1 of 2 is gone" in error and "Try: see the output of that process" in error


def test_the_first_process_is_named_too():
    """The others are aborted by the runtime, since the service where all meet is gone with it."""
    dead, survivor = started("death_of_the_first")
    _, error = survivor.communicate(timeout=60)
    assert 3 == dead.wait(timeout=10)
    dead.communicate()
    assert 1 == survivor.returncode
    assert "Process 0 of 2 is gone" in error and "It ran the service where all meet" in error


# ---- finding the others --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nodes", "first"),
    [("a", "a"), ("a,b", "a"), ("n[03-07,12],b", "n03"), ("n[1,4]", "n1"), ("rack2-[8-9]-x", "rack2-8-x")],
)
def test_first_host_of_a_slurm_list(nodes, first):
    assert first == clusters.first_host(nodes)


def test_slurm_and_mpi_are_found_in_the_environment():
    slurm = {"SLURM_JOB_ID": "4097", "SLURM_STEP_NODELIST": "n[2-3]", "SLURM_NTASKS": "2", "SLURM_PROCID": "1",
             "SLURM_LOCALID": "0"}
    assert clusters.Job("n2:61441", 2, 1, 0) == clusters.slurm(slurm)
    mpi = {"OMPI_MCA_orte_hnp_uri": "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911", "OMPI_COMM_WORLD_SIZE": "4",
           "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_RANK": "1"}
    job = clusters.open_mpi(mpi)
    assert ("10.96.0.1", 4, 3, 1) == (job.address.partition(":")[0], job.count, job.index, job.local_index)
    assert clusters.slurm({}) is None and clusters.open_mpi({}) is None and clusters.kubernetes({}) is None


def test_kubernetes_is_asked_for_the_job():
    objects = {
        "/api/v1/namespaces/lab/pods/train-1-abc": {
            "metadata": {"labels": {"job-name": "train"}}, "spec": {"subdomain": "workers"}},
        "/apis/batch/v1/namespaces/lab/jobs/train": {"spec": {"completions": 4}},
    }
    env = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1-abc",
           "POD_NAMESPACE": "lab"}
    assert clusters.Job("train-0.workers:8476", 4, 1) == clusters.kubernetes(env, objects.__getitem__)


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ({}, "coordinator_address should be defined."),
        (dict(coordinator_address="h:1"), "Number of processes must be defined."),
        (dict(coordinator_address="h:1", num_processes=2), "The process id of the current process must be defined."),
        (dict(coordinator_address="h:1", num_processes=2, process_id=5),
         "process_id and num_processes must be nonnegative, with process_id < num_processes. Got process_id=5"),
        (dict(coordinator_address="h", num_processes=1, process_id=0), "coordinator_address 'h' has no port."),
        (dict(cluster_detection_method="foo"), "Automatic Distributed initialization can not proceed: foo is not"),
    ],
)
def test_initialize_says_what_is_missing(given, start, monkeypatch):
    monkeypatch.setattr(distributed.devices_module, "_devices", [])
    with pytest.raises(ValueError) as caught:
        distributed.initialize(**given)
    assert str(caught.value).startswith(start)

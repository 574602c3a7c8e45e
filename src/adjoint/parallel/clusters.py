"""The processes of a job as the environment tells of them: under SLURM, Open MPI, or Kubernetes.

A cluster is found by the variables that it sets, and gives the address of the first process, their number, and
which one this is. `mpi4py` asks the MPI library instead, and only if it is named.

Tests: `tests/parallel/test_processes.py`.
"""

from __future__ import annotations

import json
import os
import re
import socket
import ssl
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module

from ..core.process.records import NamedTuple

__all__ = ["CLUSTERS", "Job", "detected"]


class Job(NamedTuple):
    """The processes of a job; None for what is not known."""

    address: str | None
    count: int | None
    index: int | None
    local_index: int | None = None


def _port(number: int) -> int:
    """Return a port in the upper range for a job, the same in all of its processes."""
    return number % 2**12 + (65535 - 2**12 + 1)


def slurm(env: Mapping[str, str]) -> Job | None:
    """Return a SLURM step: `srun` starts a process a task."""
    if not {"SLURM_JOB_ID", "SLURM_STEP_NODELIST", "SLURM_NTASKS", "SLURM_PROCID"} <= env.keys():
        return None
    host = first_host(env["SLURM_STEP_NODELIST"])
    return Job(
        f"{host}:{_port(int(env['SLURM_JOB_ID']))}", int(env["SLURM_NTASKS"]), int(env["SLURM_PROCID"]),
        int(env["SLURM_LOCALID"]) if "SLURM_LOCALID" in env else None,
    )


def first_host(nodes: str) -> str:
    """Return the first of a list of hosts such as `node[03-07,12],login1`."""
    found = re.match(r"([^,\[]+)(?:\[([^\],-]+)[^\]]*\](.*?)(?:,|$))?", nodes)
    assert found is not None
    return found[1] + (found[2] or "") + (found[3] or "")


def open_mpi(env: Mapping[str, str]) -> Job | None:
    """Open MPI: `mpirun` tells its processes where it is, and their numbers."""
    uri = env.get("OMPI_MCA_orte_hnp_uri") or env.get("PMIX_SERVER_URI2") or env.get("PMIX_SERVER_URI")
    if uri is None or "OMPI_COMM_WORLD_RANK" not in env:
        return None
    number = re.search(r"(\d+)", uri.split(";")[0])
    address = re.search(r"tcp[46]?://\[?([^,:\]]+)", uri)
    host = address[1] if address else "localhost"
    return Job(
        f"{host}:{_port(int(number[1]) if number else 0)}", int(env["OMPI_COMM_WORLD_SIZE"]),
        int(env["OMPI_COMM_WORLD_RANK"]), int(env["OMPI_COMM_WORLD_LOCAL_RANK"]),
    )


def kubernetes(env: Mapping[str, str], ask: Callable[[str], dict] | None = None) -> Job | None:
    """Return an indexed job of Kubernetes whose pods have names through a headless service.

    `ask` gets an object of the API, by default with the pod's service account.
    """
    if "KUBERNETES_SERVICE_HOST" not in env or "JOB_COMPLETION_INDEX" not in env:
        return None
    ask = ask or _asked(env)
    space = env.get("POD_NAMESPACE") or _account("namespace")
    pod = ask(f"/api/v1/namespaces/{space}/pods/{env['HOSTNAME']}")
    name = pod["metadata"]["labels"].get("batch.kubernetes.io/job-name") or pod["metadata"]["labels"]["job-name"]
    job = ask(f"/apis/batch/v1/namespaces/{space}/jobs/{name}")
    subdomain = pod["spec"].get("subdomain")
    host = f"{name}-0.{subdomain}" if subdomain else f"{name}-0"
    return Job(f"{host}:{env.get('JAX_COORDINATOR_PORT', '8476')}", int(job["spec"]["completions"]),
               int(env["JOB_COMPLETION_INDEX"]))


def _account(what: str) -> str:
    """Return what Kubernetes gives every pod for asking its API."""
    with open(f"/var/run/secrets/kubernetes.io/serviceaccount/{what}", encoding="utf8") as file:
        return file.read().strip()


def _asked(env: Mapping[str, str]) -> Callable[[str], dict]:
    def ask(path: str) -> dict:
        address = f"https://{env['KUBERNETES_SERVICE_HOST']}:{env.get('KUBERNETES_SERVICE_PORT', '443')}{path}"
        request = urllib.request.Request(address, headers={"Authorization": "Bearer " + _account("token")})
        context = ssl.create_default_context(cadata=_account("ca.crt"))
        with urllib.request.urlopen(request, timeout=30, context=context) as answer:
            return json.load(answer)

    return ask


def mpi4py(env: Mapping[str, str]) -> Job:
    """Any MPI, through the package mpi4py."""
    world = import_module("mpi4py.MPI").COMM_WORLD
    host = world.bcast(socket.gethostname(), root=0)
    return Job(f"{host}:{_port(zlib.crc32(host.encode()))}", world.Get_size(), world.Get_rank())


CLUSTERS: dict[str, Callable] = {"slurm": slurm, "ompi": open_mpi, "k8s": kubernetes}
_ONLY_BY_NAME: dict[str, Callable] = {"mpi4py": mpi4py}


def detected(method: str | None = None) -> Job:
    """Return the job that this process is of, as far as the environment says; of one cluster if `method` names it."""
    if method in ("deactivate", "none"):
        return Job(None, None, None)
    if method is not None and method not in (known := CLUSTERS | _ONLY_BY_NAME):
        raise ValueError(
            f"Automatic Distributed initialization can not proceed: {method} is not supported.\n"
            f"  The known values of cluster_detection_method are {sorted([*known, 'deactivate'])}."
        )
    tried = CLUSTERS.values() if method is None else [(CLUSTERS | _ONLY_BY_NAME)[method]]
    return next((job for find in tried if (job := find(os.environ)) is not None), Job(None, None, None))

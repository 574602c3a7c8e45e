"""Accelerators: PJRT plugins, found without being loaded, and the clients that they make.

A plugin is a library with the runtime of one kind of device. Those of packages that this library knows are found
where they are installed, if the machine has such a device; any other one is named by its path in the variable
`PJRT_NAMES_AND_LIBRARY_PATHS`, as `name:path,name:path`. The first that is found and starts has the default devices.

Tests: `tests/parallel/test_accelerators.py`.
"""

from __future__ import annotations

import ctypes
import os
from functools import partial
from importlib import import_module
from typing import Any

from ...core.messages.errors import message, warn
from ...core.options.config import local, watch
from ...core.process.locks import making
from ...sharding.device import here, look_for_platforms, not_initialized, use_plugin
from ..bottom import choose_bottom

__all__ = ["Plugin", "find", "look", "use"]


class Plugin:
    """The runtime of an accelerator. It is started when its devices are first needed.

    `name` is of the platform that programs are written for, `platform` what its devices say.
    """

    def __init__(self, name: str, platform: str, library: str, kernels: str = ""):
        self.name, self.platform, self.library = name, platform, library
        self.kernels = kernels  # the package with the functions that programs call beside what the compiler makes
        self.client: Any = None

    def start(self) -> bool:
        """Make the client, once. False, and the CPU is the default again, if there is no device after all."""
        if self.client is not None:
            return True
        with making:
            return self.client is not None or self._started()

    def _started(self) -> bool:
        try:
            self.client = self.make_client()
        except (RuntimeError, OSError, ImportError) as error:
            why = str(error).splitlines()[0]
            if {self.name, self.platform} & set((local.platforms or "").split(",")):
                raise not_initialized(self.name, why) from None
            warn(message(
                f"The accelerator '{self.name}' was found but cannot be used, so the CPU is.", why=why,
                fix=f"pip install 'adjoint[cuda13]' with a driver that suits it; JAX_PLATFORMS=cpu to leave it alone, "
                f"JAX_PLATFORMS={self.name} for an error here",
            ))
            use(None)
            return False
        return True

    def device(self, id: int) -> Any:
        """Return what the runtime has as a device."""
        self.start()
        return next(d for d in self.client.devices() if d.id == id)

    @property
    def exchange(self) -> Any:
        """Return how arrays are handed to other libraries, and taken from them."""
        from . import exchange

        return exchange

    def make_client(self) -> Any:
        """Load the library and make its client."""
        from .runtime import client_options, extension

        (xla_client,) = extension("xla_client")
        if self.platform == "gpu":
            _load_nvidia_libraries()
        loaded = xla_client.load_pjrt_plugin_dynamically(self.name, self.library)
        xla_client.initialize_pjrt_plugin(self.name)
        if self.kernels:
            _register(xla_client, loaded, self.kernels, self.name.upper())
        options = xla_client.generate_pjrt_gpu_plugin_options() if self.platform == "gpu" else {}
        group = client_options()
        if group and self.platform == "gpu":
            options |= dict(node_id=group["node_id"], num_nodes=group["num_nodes"])
        if local.cuda_visible_devices != "all":
            options["visible_devices"] = [int(i) for i in local.cuda_visible_devices.split(",")]
        return xla_client.make_c_api_client(self.name, options, group.get("distributed_client"))


# Those that others need come first.
_LIBRARIES = """cudart nvJitLink cublasLt cublas cusparse cusolver cufft cupti nvrtc nccl cudnn nvshmem_host""".split()


def _load_nvidia_libraries() -> None:
    """Load NVIDIA's libraries from where pip has put them, which is not where the loader looks."""
    from glob import glob
    from importlib.util import find_spec

    spec = find_spec("nvidia")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    for name in _LIBRARIES:
        for path in [p for folder in folders for p in glob(f"{folder}/*/lib/lib{name}.so.*")][:1]:
            try:
                ctypes.CDLL(path)
            except OSError:  # it needs what this machine lacks; a call of it will say so
                pass


def _register(xla_client, loaded, package: str, platform: str) -> None:
    """Tell the runtime the functions that programs call: of cuSOLVER, cuSPARSE, and Python's."""
    extension = import_module(f"{package}.cuda_plugin_extension")
    xla_client.register_custom_type_handler(platform, partial(extension.register_custom_type, loaded))
    xla_client.register_custom_call_handler(platform, partial(extension.register_custom_call_target, loaded))
    for name, kind in extension.ffi_types().items():
        xla_client.register_custom_type(name, kind, platform=platform)
    targets = dict(extension.ffi_handlers())
    for module in [import_module(f"{package}.{m}") for m in ("_solver", "_linalg", "_prng", "_sparse", "_hybrid")]:
        targets |= module.registrations()
        if hasattr(module, "initialize"):  # it looks for SciPy's LAPACK
            module.initialize()
    for name, target in targets.items():
        xla_client.register_custom_call_target(name, target, platform=platform, api_version=1)


def _has_device(*paths: str) -> bool:
    return any([os.path.exists(p) for p in paths])


def find() -> Plugin | None:
    """Return the plugin of the accelerator that programs are to use by default; None if that is the CPU."""
    asked = [p for p in str(local.platforms or local.platform_name or "").split(",") if p]
    if asked and asked[0] == "cpu":
        return None
    wanted = lambda *names: not asked or asked[0] in names
    for entry in filter(None, os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").split(",")):
        name, _, path = entry.partition(":")
        if wanted(name):
            return Plugin(name, name, path)
    if wanted("cuda", "gpu") and (asked or _has_device("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg")):
        for version in ("13", "12"):
            library = _inside("jax_plugins", f"xla_cuda{version}", "xla_cuda_plugin.so")
            if library is not None:
                return Plugin("cuda", "gpu", library, f"jax_cuda{version}_plugin")
    if wanted("tpu") and (asked or _has_device("/dev/accel0", "/dev/vfio/0")):
        library = _inside("libtpu", "", "libtpu.so")
        if library is not None:
            return Plugin("tpu", "tpu", library)
    return None


def _inside(package: str, part: str, file: str) -> str | None:
    """Return a file of an installed package, which is not imported: that would run it."""
    from importlib.util import find_spec

    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(folder, part, file)
        if os.path.exists(path):
            return path
    return None


def use(plugin: Plugin | None) -> None:
    """Make the devices of a plugin the default ones; for None the CPU."""
    use_plugin(plugin)
    look_for_platforms()
    choose_bottom()


def look() -> None:
    """Make an accelerator the default if the options say so, unless one is in use already."""
    if here.plugin is None or here.plugin.client is None:
        plugin = find()
        if plugin is not here.plugin:
            use_plugin(plugin)
    look_for_platforms()
    choose_bottom()


watch(("platforms", "platform_name"), look)

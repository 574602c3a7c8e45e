"""Arrays go to TensorStore and come back, where it is installed; without it an error says what to install."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental.array_serialization import serialization

HAS_TENSORSTORE = find_spec("tensorstore") is not None


def test_specs_name_folders_and_buckets():
    spec = serialization.get_tensorstore_spec("gs://bucket/a/b")
    assert spec == {"driver": "zarr", "kvstore": {"driver": "gcs", "bucket": "bucket", "path": "a/b"}}
    nested = serialization.get_tensorstore_spec("/tmp/a/b", ocdbt=True)
    assert nested["kvstore"] == {"driver": "ocdbt", "base": "file:///tmp/a", "path": "b"}
    assert serialization.is_remote_storage(spec) and not serialization.is_remote_storage("/tmp/x")


@pytest.mark.skipif(HAS_TENSORSTORE, reason="tensorstore is installed")
def test_without_tensorstore_an_error_says_what_to_install(tmp_path):
    with pytest.raises(ImportError, match="pip install tensorstore"):
        serialization.run_serialization([jnp.ones(2)], [serialization.get_tensorstore_spec(tmp_path)])


@pytest.mark.skipif(not HAS_TENSORSTORE, reason="tensorstore is not installed")
def test_arrays_come_back(tmp_path):
    sharding = adjoint.NamedSharding(adjoint.make_mesh((1,), ("x",)), adjoint.P("x"))
    x, done = adjoint.device_put(jnp.arange(8.0).reshape(4, 2), sharding), []
    manager = serialization.GlobalAsyncCheckpointManager()
    path = str(tmp_path / "x")
    manager.serialize_with_paths([x], [path], on_commit_callback=lambda: done.append(True))
    manager.wait_until_finished()
    (same,) = manager.deserialize_with_paths([sharding], [path])
    (longer,) = manager.deserialize_with_paths([sharding], [path], [(6, 2)], [jnp.float16])
    assert done == [True] and same.sharding == sharding and np.array_equal(same, x)
    assert longer.dtype == "float16" and np.array_equal(longer, np.vstack([x, np.zeros((2, 2))]))

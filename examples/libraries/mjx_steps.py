"""A pendulum on a cart above a floor, stepped with MuJoCo MJX: one, a batch, and the gradient of a rollout."""

import jax
import jax.numpy as jnp
import mujoco
from mujoco import mjx

XML = """
<mujoco>
  <option timestep="0.01" iterations="4" ls_iterations="8"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="cart" pos="0 0 1">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1" contype="0" conaffinity="0"/>
      <body name="pole" pos="0 0 0.1">
        <joint name="hinge" type="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.04" mass="0.2" contype="0" conaffinity="0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 0.3">
      <freejoint/>
      <geom type="sphere" size="0.1" mass="0.1"/>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="5"/></actuator>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
device_model = mjx.put_model(model)
data = mjx.put_data(model, mujoco.MjData(model))
step = jax.jit(mjx.step)

state = data.replace(ctrl=jnp.array([0.2]))
for _ in range(30):
    state = step(device_model, state)
print("time", state.time)
print("position", state.qpos)
print("velocity", state.qvel)


def rollout(angle):
    start = data.replace(qpos=data.qpos.at[1].set(angle))
    end, heights = jax.lax.scan(
        lambda s, _: (mjx.step(device_model, s), s.xpos[2, 2]), start, None, length=20
    )
    return end.qpos, heights


positions, heights = jax.jit(jax.vmap(rollout))(jnp.linspace(-0.3, 0.3, 4))
print("batch", positions[:, :2])
print("heights", heights[:, -1])
print("derivative", jax.jit(jax.jacfwd(lambda angle: rollout(angle)[0][:2]))(0.1))

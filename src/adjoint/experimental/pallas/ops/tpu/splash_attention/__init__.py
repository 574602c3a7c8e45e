"""Attention for TPUs: `jax.nn.dot_product_attention` computes the same on every device."""

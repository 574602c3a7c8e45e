"""Devices, and what runs over several of them."""

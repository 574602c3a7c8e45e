"""Programs of StableHLO as programs here; `program.py` is where to begin."""

from . import calls as calls
from . import elementwise as elementwise
from . import products as products
from . import regions as regions
from . import shapes as shapes

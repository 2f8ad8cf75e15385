"""Tables of tiles, as --tune writes them."""

import json

from . import Case, run
from .archive import INPUT, archive


def table(**cut):
    tile = {"packed": 0, "loop": 0, "vectors": 1, "points": [1, 1]} | cut
    return json.dumps({"version": 1, "cpu": "", "products": {"f32": tile}})


def cases():
    program = archive()
    texts = {"empty": "", "null": "null", "list": "[]", "deep": "[" * 100000, "deep-objects": '{"a":' * 100000, "deep-behind-text": '["' + "]" * 100000 + '",' + "[" * 100000,
             "version": '{"version": 7}', "no-cpu": '{"version": 1}', "products": '{"version": 1, "cpu": "", "products": 3}', "digits": '{"version": ' + "9" * 100000 + "}",
             "zeros": "\0" * 100, "packed": table(packed=7), "loop": table(loop=-1), "vectors": table(vectors=0), "points": table(points=[1]), "point": table(points=[0, 1]),
             "float": table(vectors=1.5), "beyond": table(vectors=2**80)}
    for label, text in texts.items():
        yield Case("table-" + label, run("program.pt", "--input=@x.npy", "--tiles=tiles.json"), {"program.pt": program, "x.npy": INPUT, "tiles.json": text.encode()},
                   "expected a table of tiles|expected")

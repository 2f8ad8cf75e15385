"""The file that a job's processes have mapped (Points.h): which condition is changed, and what each of them was."""

import mmap
import os
import struct

import checkout

HEAD = struct.Struct("ii")
NONE = (-1, 0)


class Shared:
    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(HEAD.size + checkout.NUMBERS))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        os.environ["JIT_MUTATION"] = str(path)
        self.change(NONE)

    def change(self, change):
        self.memory[:HEAD.size] = HEAD.pack(*change)

    def clear(self):
        self.memory[HEAD.size:] = bytes(checkout.NUMBERS)

    def seen(self):
        """{point: 1, 2 or 3}: was true, was false, was both."""
        data = self.memory[HEAD.size:]
        return {place: data[place] for place in range(len(data)) if data[place]} if data.strip(b"\0") else {}

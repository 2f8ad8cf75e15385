"""Zips whose directory, headers and data contradict each other, or ask for far more than they hold."""

import random
import struct

from . import Case, run
from .archive import CODE, INPUT, SUM, Zip, archive, members

COMMAND = run("program.pt", "--input=@x.npy")


def with_lie(member, **lies):
    out = Zip()
    for key, content in members().items():
        out.add("m/" + key, content, **(lies if key == member else {}))
    return out.bytes()


def whole(**lies):
    out = Zip()
    for key, content in members().items():
        out.add("m/" + key, content)
    return out.bytes(**lies)


def bomb(kilobytes, count=1):
    """Members of zeros, which deflate takes to a thousandth."""
    out = Zip()
    for key, content in members().items():
        out.add("m/" + key, content)
    for i in range(count):
        out.add(f"m/data/{i + 1}", bytes(kilobytes << 10), 8)
    return out.bytes()


def nested_code_bomb():
    return archive(code=CODE + "#" * (40 << 20) + "\n", method=8)


def zip64(sizes):
    extra = struct.pack("<HH", 1, 8 * len(sizes)) + b"".join(struct.pack("<Q", s) for s in sizes)
    return with_lie("data/0", size=0xFFFFFFFF, held=0xFFFFFFFF, extra=extra)


def locator(at):
    return struct.pack("<IIQI", 0x07064B50, 0, at, 1)


def cases():
    def case(name, data, error=None, **more):
        return Case("zip-" + name, COMMAND, {"program.pt": data, "x.npy": INPUT}, error, **more)

    good = whole()
    yield case("good", good, prints=SUM)
    yield case("deflated", archive(method=8), prints=SUM)
    yield case("empty", b"", "expected a TorchScript archive")
    yield case("magic-alone", b"PK\x03\x04", "expected a zip archive")
    yield case("end-alone", b"PK\x05\x06" + bytes(18), "expected")
    yield case("no-members", Zip().bytes(), "expected")
    for kept in (4, 30, 100, 300, 500, len(good) // 2, len(good) - 22, len(good) - 1):
        yield case(f"cut-{kept}", good[:kept], "expected")
    for count in (0, 1, 3, 7, 1000, 65535):
        yield case(f"count-{count}", whole(count=count), "error")
    for start in (0, 1, 10**6, 2**31, 2**32 - 1):
        yield case(f"directory-at-{start}", whole(start=start), "error")
    for size in (0, 1, 45, 10**6, 2**32 - 1):
        yield case(f"directory-of-{size}", whole(size=size), "error")
    for size in (1, 40000, 65535):
        yield case(f"comment-of-{size}", whole(comment_size=size), "expected a zip archive")
    yield case("tail", whole(tail=b"x"), "expected a zip archive")
    yield case("one-letter", b"P", "error")
    # What a zip's directory does not name is not there.
    yield case("twice", good + good, prints=SUM)
    for at in (0, 7, 2**63, 2**64 - 1):
        yield case(f"locator-{at}", whole(locator=locator(at)), "zip64 locator points outside|zip archive")
    for member in ("data.pkl", "data/0", "code/__torch__.py"):
        label = member.replace("/", "-")
        for held in (0, 1, 10**6, 2**32 - 2):
            yield case(f"{label}-holds-{held}", with_lie(member, held=held), "error")
        for size in (0, 1, 10**9, 2**32 - 2):
            yield case(f"{label}-of-{size}", with_lie(member, size=size), "error")
        for offset in (1, 29, 10**6, 2**32 - 2):
            yield case(f"{label}-at-{offset}", with_lie(member, offset=offset), "error")
        yield case(f"{label}-other-name", with_lie(member, local="m/other"), "another name in its local header")
        yield case(f"{label}-encrypted", with_lie(member, flags=1), "encrypted|error")
        for method in (1, 9, 12, 93, 99, 65535):
            yield case(f"{label}-method-{method}", with_lie(member, method=method), "error")
        yield case(f"{label}-deflate-of-nothing", with_lie(member, method=8, packed=b""), "error")
        yield case(f"{label}-deflate-of-noise", with_lie(member, method=8, packed=bytes(range(200))), "error")
        yield case(f"{label}-wrong-checksum", with_lie(member, method=8, crc=1), "error")
    for sizes in ((8,), (2**63, 8), (8, 2**63), (2**64 - 1, 2**64 - 1), (8, 8, 2**62)):
        yield case("zip64-" + "-".join(map(str, sizes)), zip64(sizes), "error")
    yield case("name-twice", Zip().add("m/data.pkl", b"").add("m/data.pkl", b"").bytes(), "stands twice")
    yield case("two-roots", Zip().add("m/data.pkl", b"").add("n/data.pkl", b"").bytes(), "expected one root folder")
    yield case("no-root", Zip().add("data.pkl", b"").bytes(), "expected every member in one root folder")
    yield case("climbing", archive(**{"../../climbed": b"x"}), prints=SUM)
    yield case("many-members", archive(**{f"extra/{i}": b"" for i in range(20000)}), prints=SUM)
    yield case("long-name", archive(**{"n" * 60000: b""}), prints=SUM)
    yield case("bomb-beside", bomb(1 << 17), prints=SUM)
    yield case("bomb-of-code", nested_code_bomb(), "expected at most")
    yield case("bomb-of-weights", archive_of_zeros(), "error")
    noise = random.Random(0)
    for number in range(24):
        broken = bytearray(good)
        for _ in range(noise.choice((1, 2, 8))):
            broken[noise.randrange(len(broken))] ^= 1 << noise.randrange(8)
        yield case(f"flipped-{number}", bytes(broken))


def archive_of_zeros():
    """A weight of 2 GiB that a few megabytes claim to hold: past what an archive of this size may unfold to."""
    out = Zip()
    for key, content in members().items():
        if key == "data/0":
            out.add("m/data/0", bytes(1 << 20), 8, size=1 << 31)
        else:
            out.add("m/" + key, content)
    return out.bytes()

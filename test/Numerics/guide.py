"""A page of docs/ that shows how something is added, followed to the letter in a copy of the sources."""

import re
import shutil
import subprocess

from conftest import ROOT


class Guide:
    def __init__(self, page):
        self.blocks = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", (ROOT / "docs" / page).read_text(), flags=re.M | re.S)

    def languages(self):
        return {language for language, _, _ in self.blocks}

    def files(self):
        return [name for _, name, _ in self.blocks if name]

    def follow(self, folder):
        """Each block that names a file goes to its end, the commands run; gives what they print."""
        copy_sources(folder)
        shown = ""
        for language, name, text in self.blocks:
            if name:
                add(folder / name, text)
            elif language == "sh":
                done = subprocess.run(["bash", "-eu", "-c", text], cwd=folder, capture_output=True, text=True, timeout=3000)
                assert done.returncode == 0, done.stdout + done.stderr
                shown += done.stdout
        return shown


def copy_sources(folder):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def add(path, text):
    """To the end of the file, before the end of its include guard."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text() if path.exists() else ""
    guard = before.rfind("\n#endif //")
    path.write_text(before + text if guard < 0 else before[:guard] + text + before[guard:])

"""Processes that run programs, started again after one that ended them."""

import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time

PATIENCE = 60  # seconds of the processor's time for one answer, and ten times as many of the clock's
TASKS = 1500  # of one process; PyTorch keeps what it has scripted
WORKER = pathlib.Path(__file__).with_name("worker.py")


def processor_time(pid):
    """Seconds that a process has computed for, or none where it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    def __init__(self, package):
        self.command = [sys.executable, "-W", "ignore", str(WORKER), str(package)]
        self.process = None
        self.tasks = 0

    def _start(self):
        self.stop()
        self.tasks = 0
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = []
        threading.Thread(target=self._listen, args=(self.process.stderr, self.said), daemon=True).start()
        if self._line() is None:  # of no program's doing
            raise RuntimeError(f"expected a worker that starts, got {' '.join(self.said[-3:])}")

    @staticmethod
    def _listen(stream, said):
        for line in stream:
            said.append(line.strip())
            del said[:-40]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _line(self):
        answered = threading.Event()
        threading.Thread(target=self._watch, args=(self.process, answered), daemon=True).start()
        line = self.process.stdout.readline()
        answered.set()
        return json.loads(line) if line else None

    @staticmethod
    def _watch(process, answered):
        """Ends a process that hangs; on a busy machine one that only waits has its time."""
        first, began = processor_time(process.pid), time.monotonic()
        while not answered.wait(1):
            if processor_time(process.pid) - first > PATIENCE or time.monotonic() - began > 10 * PATIENCE:
                return process.kill()

    def _ended(self):
        code = self.process.wait()
        self.process = None
        if code == -signal.SIGKILL:
            return "timeout", f"no answer within {PATIENCE} s"
        said = next((line for line in self.said if "ssertion" in line or "error" in line.lower() or "LLVM ERROR" in line), "")
        return "crash", f"{signal.Signals(-code).name if code < 0 else f'exit code {code}'} {said}".strip()

    def run(self, task):
        """(program as JSON or None, {way: (outcome, message)}) of a task."""
        if self.process is None or self.tasks >= TASKS:
            self._start()
        self.tasks += 1
        program, outcomes, waiting, begun = task.get("program"), {}, list(task["ways"]), None
        while waiting:
            if self.process is None:
                self._start()
            asked = {"ways": waiting, "program": program} if program else {**task, "ways": waiting}
            print(json.dumps(asked), file=self.process.stdin, flush=True)
            while True:
                answer = self._line()
                if answer is None:
                    outcomes[begun or waiting[0]] = self._ended()
                    waiting = waiting[waiting.index(begun or waiting[0]) + 1:]
                    begun = None
                    break
                if "program" in answer:
                    program = answer["program"]
                elif "begins" in answer:
                    begun = answer["begins"]
                elif "way" in answer:
                    outcomes[answer["way"]] = answer["outcome"], answer["message"]
                else:
                    return program, outcomes
        return program, outcomes


def run_all(package, tasks, jobs, take):
    """Runs tasks in `jobs` processes; take(task, program, outcomes) is called for each, by one thread at a time."""
    waiting, lock = queue.SimpleQueue(), threading.Lock()
    for task in tasks:
        waiting.put(task)

    def work():
        worker = Worker(package)
        try:
            while True:
                task = waiting.get_nowait()
                result = worker.run(task)
                with lock:
                    take(task, *result)
        except queue.Empty:
            pass
        finally:
            worker.stop()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

# Sourced by the scripts beside it: short lines with the time since the first one, and logs that show only when something fails.
# JIT_STARTED is exported so that a script called by another goes on with the same clock.
export JIT_STARTED=${JIT_STARTED:-$(date +%s)}

say() { printf '[%4d s] %s\n' $(($(date +%s) - JIT_STARTED)) "$*"; }

die() {
  say "error: $*" >&2
  exit 1
}

# logged NAME COMMAND... - runs it with its output in out/log/NAME.log; a failure prints the log's end and its place.
logged() {
  local log=out/log/$1.log
  shift
  mkdir -p out/log
  "$@" >"$log" 2>&1 && return
  local code=$?
  tail -n 40 "$log" >&2
  say "failed (exit $code): $* - the whole log is $log" >&2
  return $code
}

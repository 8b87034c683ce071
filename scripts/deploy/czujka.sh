#!/bin/sh
# To /usr/local/bin/czujka: the operator's command line, as the user of the service. Root runs every verb. Members of
# czujka-moderators run theirs through sudo: moderate.ts opens the files that they name, with their rights.
run='/srv/czujka/node_modules/.bin/node'
# The user of the service may not read the journal.
if [ "$1 $2" = 'doctor --request' ] && [ -t 0 ]; then journalctl -u czujka -o cat | "$0" "$@"; exit; fi
case $(id -un) in
  root) exec runuser -u czujka -- "$0" "$@" ;;
  # By CZUJKA_INSTALLED, a verb takes the lock of install.sh, and knows when another version was installed. With a cache from
  # the start on, Node loads nothing that takes the types out of the first files: 16 MB less. /tmp may lie in memory.
  czujka)
    exec env --chdir /srv/czujka TMPDIR=/var/tmp CZUJKA_INSTALLED=/srv/czujka NODE_COMPILE_CACHE=/var/lib/czujka/.cache/czujka \
      "$run" scripts/czujka.ts "$@"
    ;;
esac
if ! id -nG | grep -qw czujka-moderators; then
  echo 'only root and members of czujka-moderators run czujka (adduser NAME czujka-moderators, and a new login)' >&2
  exit 1
fi
exec "$run" /srv/czujka/scripts/moderate.ts sudo -n -u czujka /usr/local/bin/czujka --received -- "$@"

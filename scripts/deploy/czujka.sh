#!/bin/sh
# To /usr/local/bin/czujka: the operator's command line, as the user of the service. Root runs every verb. Members of
# czujka-moderators run theirs through sudo: moderate.ts opens the files that they name, with their rights.
run='/srv/czujka/node_modules/.bin/node'
# The user of the service may not read the journal.
if [ "$1 $2" = 'doctor --request' ] && [ -t 0 ]; then journalctl -u czujka -o cat | "$0" "$@"; exit; fi
case $(id -un) in
  root) set -- runuser -u czujka -- env --chdir /srv/czujka "$run" scripts/czujka.ts "$@" ;;
  czujka) set -- env --chdir /srv/czujka "$run" scripts/czujka.ts "$@" ;;
  *)
    if ! id -nG | grep -qw czujka-moderators; then
      echo 'only root and members of czujka-moderators run czujka (adduser NAME czujka-moderators, and a new login)' >&2
      exit 1
    fi
    exec "$run" /srv/czujka/scripts/moderate.ts sudo -n -u czujka /usr/local/bin/czujka --received -- "$@"
    ;;
esac
# Not while install.sh changes versions: what it wrote could be lost.
flock --shared --nonblock --conflict-exit-code 75 /srv/czujka-versions "$@"
code=$?
[ $code -eq 75 ] || exit $code
echo 'install.sh is running: try again when it has ended' >&2
exit 2

#!/bin/sh
# To /usr/local/bin/czujka-ssh: a forced command in authorized_keys of a member of czujka-moderators,
#   command="/usr/local/bin/czujka-ssh NAME-OF-THE-KEY",restrict ssh-ed25519 …
# It reads the arguments from the first line of standard input, a JSON array; files follow as standard input of the verb.
exec /srv/czujka/node_modules/.bin/node /srv/czujka/scripts/moderate.ts --key "$1" sudo -n -u czujka /usr/local/bin/czujka --received --

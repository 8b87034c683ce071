#!/bin/bash
# To /usr/local/bin/czujka-ssh: a forced command in authorized_keys of a member of czujka-moderators,
#   command="/usr/local/bin/czujka-ssh NAME-OF-THE-KEY",restrict ssh-ed25519 …
# The client sends the arguments as a JSON array in the first line of standard input, and then standard input of the verb.
# shellcheck disable=SC2024 # The account reads its own standard input.
sudo -n -u czujka /usr/local/bin/czujka --received < <(printf '{"key":"%s"}\n' "$1" && exec cat)
code=$?
# The client may keep standard input open.
kill $! 2>/dev/null
exit $code

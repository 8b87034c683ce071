#!/bin/sh
exec /srv/czujka/node_modules/.bin/node /srv/czujka/scripts/czujka.ts "$@"

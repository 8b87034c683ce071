# shellcheck shell=bash
# The settings of the service: questions, answers, and what this way of installing needs of them.

# setting NAME [DEFAULT]: as the settings have it, or will have it.
setting() {
  local file=$SETTINGS value
  if [ -f "$WORK/answers" ]; then file=$WORK/answers; fi
  value=$(sed -n "s/^$1=//p" "$file" 2>/dev/null | tail -n 1 | sed "s/^\"\(.*\)\"\$/\1/; s/^'\(.*\)'\$/\1/") || true
  say "${value:-${2-}}"
}

site_name() { setting BASE_URL https://czujka.example | sed 's|^https\{0,1\}://||; s|/$||'; }
tls_certificate() { setting TLS_CERTIFICATE "/etc/letsencrypt/live/$(site_name)/fullchain.pem"; }
tls_key() { setting TLS_KEY "/etc/letsencrypt/live/$(site_name)/privkey.pem"; }

# ask NAME QUESTION: a line for the settings.
ask() {
  local answer
  read -r -p "$2: " answer
  if [ -n "$answer" ]; then say "$1=$answer"; fi
}

ask_questions() {
  local name
  read -r -p 'Public name of the site, such as czujka.example: ' name
  say "BASE_URL=https://$name"
  ask OPERATOR_NAME 'Who runs it (visitors read this and what follows; Enter leaves it out)'
  ask PLATFORM_NAME 'What people call the chat platform'
  ask APPEALS_CONTACT 'E-mail or https address for appeals'
  ask APPEALS_ANSWER_DAYS 'Within how many days an appeal is answered'
  ask REPORTS_CONTACT 'E-mail or https address for new reports'
  ask SECURITY_CONTACT 'E-mail or https address for whoever finds a hole'
}

# Until something is installed, answers win over the settings that an earlier attempt has left.
take_answers() {
  local given=$WORK/given
  if [ -f "$SETTINGS" ] && { [ -L "$CURRENT" ] || [ -z "$ANSWERS" ]; }; then
    if [ -n "$ANSWERS" ]; then say "$SETTINGS is there and holds; $ANSWERS was not looked at."; fi
    return
  fi
  if [ -n "$ANSWERS" ]; then
    cat "$ANSWERS" >"$given"
  elif [ -n "$DRY_RUN" ]; then
    say '- Asking for the public name and the contacts'
    say 'BASE_URL=https://czujka.example' >"$given"
  elif [ -t 0 ]; then
    ask_questions >"$given"
  else
    die 'there is no terminal to ask at: give the settings with --answers FILE'
  fi
  {
    cat "$given"
    grep -q '^DATABASE_PATH=' "$given" || say "DATABASE_PATH=$DATABASE"
    grep -q '^BACKUP_FOLDER=' "$given" || say "BACKUP_FOLDER=$BACKUPS"
    grep -q -e '^TRUST_PROXY=' -e '^PROXY=none' "$given" || say 'TRUST_PROXY=loopback'
  } >"$given.whole"
  mv "$given.whole" "$WORK/answers"
}

write_settings() {
  if [ ! -f "$WORK/answers" ]; then return; fi
  step "Writing the settings, $SETTINGS"
  put "$SETTINGS" 0600 czujka <"$WORK/answers"
  # Not taken back when something fails: nobody wants to answer twice.
  UNDO=()
}

check_settings() {
  if [ -n "$DRY_RUN" ]; then return; fi
  [ "$(setting DATABASE_PATH)" = "$DATABASE" ] || die "settings: DATABASE_PATH must be $DATABASE, where the unit lets the service write; another disk can be mounted at $DATA"
  [ "$(setting BACKUP_FOLDER)" = "$BACKUPS" ] || die "settings: BACKUP_FOLDER must be $BACKUPS, where the unit lets the service write; another disk can be mounted there"
  [ -n "$(setting BASE_URL)" ] || die "settings: BASE_URL is missing, for example BASE_URL=https://czujka.example"
  case $(proxy) in
    none) return ;;
    caddy | nginx) ;;
    both) die "Caddy and nginx are both here: write PROXY=caddy or PROXY=nginx into the settings" ;;
    *) die "settings: PROXY must be caddy, nginx or none" ;;
  esac
  [[ $(setting BASE_URL) =~ ^https://[A-Za-z0-9.-]+/?$ ]] || die "settings: BASE_URL must be https:// and a name, for which the proxy speaks TLS; else set PROXY=none"
  if [ "$(proxy)" = nginx ] && ! { [ -r "$(tls_certificate)" ] && [ -r "$(tls_key)" ]; }; then
    die "nginx needs a certificate, and $(tls_certificate) or $(tls_key) is not there. Get one (apt-get install python3-certbot-nginx; certbot certonly --nginx -d $(site_name)), or set TLS_CERTIFICATE and TLS_KEY"
  fi
}

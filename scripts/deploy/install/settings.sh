# shellcheck shell=bash
# The settings of the service: questions, answers, and what this way of installing needs of them.

# Reads a file of settings once: what is checked is what is used, also when the file changes meanwhile.
read_settings() { IFS= read -r -d '' SETTINGS_TEXT <"$1" || true; }

# parse_settings: puts the lines of SETTINGS_TEXT into GIVEN, without white space and quotes around the values.
parse_settings() {
  local LC_ALL=C line name value pattern='^([A-Z][A-Z0-9_]*)=[[:space:]]*(.*)$' quoted="^(\"(.*)\"|'(.*)')\$"
  while IFS= read -r line || [ -n "$line" ]; do
    if ! [[ $line =~ $pattern ]]; then continue; fi
    name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
    value=${value%"${value##*[![:space:]]}"}
    if [[ $value =~ $quoted ]]; then value=${BASH_REMATCH[2]}${BASH_REMATCH[3]}; fi
    GIVEN[$name]=$value
  done < <(printf '%s' "$SETTINGS_TEXT")
}

# setting NAME [DEFAULT]
setting() { say "${GIVEN[$1]:-${2-}}"; }

site_name() {
  local name
  name=$(setting BASE_URL)
  name=${name#http*://}
  say "${name%/}"
}
tls_certificate() { setting TLS_CERTIFICATE "/etc/letsencrypt/live/$(site_name)/fullchain.pem"; }
tls_key() { setting TLS_KEY "/etc/letsencrypt/live/$(site_name)/privkey.pem"; }

# Where the service listens, as systemd and addresses of the web have it.
listen_address() {
  local host
  host=$(setting HOST 127.0.0.1)
  case $host in localhost) host=127.0.0.1 ;; *:*) host="[$host]" ;; esac
  say "$host:$(setting PORT 4321)"
}

has_docker_bot() {
  local name
  for name in "${!GIVEN[@]}"; do
    if [[ $name == BOT_* && ${GIVEN[$name]} == docker:* ]]; then return; fi
  done
  return 1
}

# add NAME VALUE: a line for the settings.
add() { SETTINGS_TEXT+="$1=$2"$'\n'; }

# ask NAME QUESTION
ask() {
  local answer
  read -r -p "$2: " answer
  if [ -n "$answer" ]; then add "$1" "$answer"; fi
}

ask_questions() {
  local name label='[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?'
  until
    read -r -p 'Public name of the site, such as czujka.example: ' name
    [[ $name =~ ^$label(\.$label)+$ ]]
  do
    say 'That is no name of a site: letters, digits, - and at least one dot.'
  done
  add BASE_URL "https://$name"
  ask OPERATOR_NAME 'Who runs it (visitors read this and what follows; Enter leaves it out)'
  ask PLATFORM_NAME 'What people call the chat platform'
  ask OPERATOR_CONTACT 'E-mail or https address for general questions'
  ask APPEALS_CONTACT 'E-mail or https address for appeals'
  ask APPEALS_ANSWER_DAYS 'Within how many days an appeal is answered'
  ask REPORTS_CONTACT 'E-mail or https address for new reports'
  ask REPORTS_ANSWER_DAYS 'Within how many days a report is answered'
  ask SECURITY_CONTACT 'E-mail or https address for whoever finds a hole'
}

# Until something is installed, answers win over the settings that an earlier attempt has left.
take_settings() {
  if [ -r "$SETTINGS" ] && { [ -L "$CURRENT" ] || [ -z "$ANSWERS" ]; }; then
    if [ -n "$ANSWERS" ]; then say "$SETTINGS is there and holds; $ANSWERS was not looked at."; fi
    read_settings "$SETTINGS"
    parse_settings
    return
  fi
  ANSWERED=yes
  if [ -n "$ANSWERS" ]; then
    read_settings "$ANSWERS"
    if [[ $SETTINGS_TEXT != *$'\n' ]]; then SETTINGS_TEXT+=$'\n'; fi
  elif [ -n "$DRY_RUN" ]; then
    say '- Asking for the public name and the contacts'
    add BASE_URL https://czujka.example
  elif [ -t 0 ]; then
    ask_questions
  else
    die 'there is no terminal to ask at: give the settings with --answers FILE'
  fi
  parse_settings
  [ -n "${GIVEN[DATABASE_PATH]+given}" ] || add DATABASE_PATH "$DATABASE"
  [ -n "${GIVEN[BACKUP_FOLDER]+given}" ] || add BACKUP_FOLDER "$BACKUPS"
  [ -n "${GIVEN[TRUST_PROXY]+given}" ] || [ "$(setting PROXY)" = none ] || add TRUST_PROXY loopback
  parse_settings
}

# The service may only read them, because root acts on them. Where the file was given to the user of the service, that user
# may still have it open for writing: a new file takes its place. A later failure does not take it back, so that nobody has
# to answer twice.
write_settings() {
  if [ -z "$ANSWERED" ] && [ "$(stat -c '%U:%G %a' "$SETTINGS")" = 'root:czujka 640' ]; then return; fi
  step "Writing the settings, $SETTINGS"
  CHANGES=$((CHANGES + 1))
  if [ -n "$DRY_RUN" ]; then
    say "    write $SETTINGS"
    return
  fi
  printf '%s' "$SETTINGS_TEXT" | install -m 0640 -o root -g czujka /dev/stdin "$SETTINGS.new"
  mv -T "$SETTINGS.new" "$SETTINGS"
}

# check_settings: refuses wrong values of the settings that root uses. The service checks all settings when it starts.
check_settings() {
  # The ranges in the patterns are ASCII.
  local LC_ALL=C port label='[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?' path='^/[A-Za-z0-9/._@+=-]+$' proxy
  local name="$label(\.$label)*"
  [ "$(setting DATABASE_PATH)" = "$DATABASE" ] || die "settings: DATABASE_PATH must be $DATABASE, where the unit lets the service write; another disk can be mounted at $DATA"
  [ "$(setting BACKUP_FOLDER)" = "$BACKUPS" ] || die "settings: BACKUP_FOLDER must be $BACKUPS, where the unit lets the service write; another disk can be mounted there"
  port=$(setting PORT 4321)
  [[ $port =~ ^0*[1-9][0-9]{0,4}$ && ${#port} -le 5 && 10#$port -le 65535 ]] || die 'settings: PORT must be a whole number from 1 to 65535'
  [[ $(setting HOST 127.0.0.1) =~ ^(localhost|[0-9.]+|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)$ ]] || die 'settings: HOST must be an IP address or localhost'
  [ -n "$(setting BASE_URL)" ] || die "settings: BASE_URL is missing, for example BASE_URL=https://czujka.example"
  proxy=$(proxy)
  case $proxy in
    none)
      [[ $(setting BASE_URL) =~ ^https?://($name|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/?$ ]] || die 'settings: BASE_URL must be http:// or https://, and a name'
      return
      ;;
    caddy | nginx) ;;
    both) die "Caddy and nginx are both here: write PROXY=caddy or PROXY=nginx into the settings" ;;
    *) die "settings: PROXY must be caddy, nginx or none" ;;
  esac
  [[ $(setting BASE_URL) =~ ^https://$name/?$ ]] || die "settings: BASE_URL must be https:// and a name, for which the proxy speaks TLS; else set PROXY=none"
  if [ "$proxy" != nginx ]; then return; fi
  [[ $(tls_certificate) =~ $path ]] || die 'settings: TLS_CERTIFICATE must be an absolute path of letters, digits and / . _ @ + = -'
  [[ $(tls_key) =~ $path ]] || die 'settings: TLS_KEY must be an absolute path of letters, digits and / . _ @ + = -'
  # Others than root may not see into their folders.
  if [ "$(id -u)" -eq 0 ] && ! { [ -r "$(tls_certificate)" ] && [ -r "$(tls_key)" ]; }; then
    die "nginx needs a certificate, and $(tls_certificate) or $(tls_key) is not there. Get one (apt-get install python3-certbot-nginx; certbot certonly --nginx -d $(site_name)), or set TLS_CERTIFICATE and TLS_KEY"
  fi
}

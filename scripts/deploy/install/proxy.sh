# shellcheck shell=bash
# The reverse proxy that speaks TLS.

# As the settings say, else what is here, else Caddy, which gets certificates by itself.
proxy() {
  local found=caddy
  if [ -x /usr/sbin/nginx ]; then
    found=nginx
    if [ -x /usr/bin/caddy ]; then found=both; fi
  fi
  setting PROXY "$found"
}

set_up_proxy() {
  case $(proxy) in
    none) ;;
    nginx) set_up_nginx ;;
    *) set_up_caddy ;;
  esac
}

# fill OLD NEW …: standard input, in which each OLD is replaced. Both are texts, and no program is made of them.
fill() {
  local text
  IFS= read -r -d '' text || true
  while [ $# -gt 0 ]; do
    [[ $text == *"$1"* ]] || die "the template lacks: $1"
    text=${text//"$1"/"$2"}
    shift 2
  done
  printf '%s' "$text"
}

nginx_site() {
  fill 'server 127.0.0.1:4321;' "server 127.0.0.1:$(setting PORT 4321);" \
    'server_name _;' "server_name $(site_name);" \
    '# listen 443 ' 'listen 443 ' '# if (' 'if (' \
    '# ssl_certificate     /etc/ssl/czujka.pem;' "ssl_certificate     $(tls_certificate);" \
    '# ssl_certificate_key /etc/ssl/czujka.key;' "ssl_certificate_key $(tls_key);" <"$CLONE/scripts/deploy/nginx.conf"
}

caddy_site() {
  # shellcheck disable=SC2016 # Caddy reads them.
  fill '{$CZUJKA_NAME:czujka.example}' "$(site_name)" \
    '{$CZUJKA_ADDRESS:127.0.0.1:4321}' "127.0.0.1:$(setting PORT 4321)" <"$CLONE/scripts/deploy/Caddyfile"
}

set_up_nginx() {
  local before=$CHANGES site
  step 'Setting up nginx with TLS'
  undo_with 'systemd reload-or-restart nginx'
  site=$(nginx_site)
  put "$NGINX_SITE" 0644 < <(say "$site")
  if [ "$CHANGES" -eq "$before" ]; then return; fi
  quietly nginx -t || die "nginx does not accept $NGINX_SITE: it has said why"
  systemd reload-or-restart nginx
  # Version 1.0.0 kept answers there.
  run rm -rf /var/cache/czujka
}

# Beside what the file of Caddy holds already.
set_up_caddy() {
  local before=$CHANGES site
  step 'Setting up Caddy with TLS'
  undo_with 'systemd reload-or-restart caddy'
  site=$(caddy_site)
  put "$CADDY_SITE" 0644 < <(say "$site")
  put "$CADDYFILE" 0644 < <(without_import && say 'import czujka.caddy')
  if [ "$CHANGES" -eq "$before" ]; then return; fi
  quietly env "HOME=$WORK" caddy validate --adapter caddyfile --config "$CADDYFILE" || die "Caddy does not accept $CADDYFILE: it has said why"
  systemd reload-or-restart caddy
}

without_import() { grep -vx 'import czujka.caddy' "$CADDYFILE" 2>/dev/null || true; }

remove_proxy() {
  if [ -e "$NGINX_SITE" ]; then
    run rm -f "$NGINX_SITE"
    systemd reload-or-restart nginx
  fi
  if [ -e "$CADDY_SITE" ]; then
    put "$CADDYFILE" 0644 < <(without_import)
    run rm -f "$CADDY_SITE"
    systemd reload-or-restart caddy
  fi
}

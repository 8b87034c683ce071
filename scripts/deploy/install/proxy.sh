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

set_up_nginx() {
  local before=$CHANGES
  step 'Setting up nginx with TLS'
  undo_with 'systemd reload-or-restart nginx'
  sed "s|server 127.0.0.1:4321;|server 127.0.0.1:$(setting PORT 4321);|
    s|server_name _;|server_name $(site_name);|
    s|# \(listen 443 .*\)|\1|; s|# \(if (.scheme .*\)|\1|
    s|# ssl_certificate  .*|ssl_certificate     $(tls_certificate);|
    s|# ssl_certificate_key .*|ssl_certificate_key $(tls_key);|" "$CLONE/scripts/deploy/nginx.conf" >"$WORK/site"
  put "$NGINX_SITE" 0644 <"$WORK/site"
  if [ "$CHANGES" -eq "$before" ]; then return; fi
  quietly nginx -t || die "nginx does not accept $NGINX_SITE: it has said why"
  systemd reload-or-restart nginx
}

# Beside what the file of Caddy holds already.
set_up_caddy() {
  local before=$CHANGES
  step 'Setting up Caddy with TLS'
  undo_with 'systemd reload-or-restart caddy'
  sed "s|^czujka.example {|$(site_name) {|
    s|reverse_proxy 127.0.0.1:4321|reverse_proxy 127.0.0.1:$(setting PORT 4321)|" "$CLONE/scripts/deploy/Caddyfile" >"$WORK/site"
  put "$CADDY_SITE" 0644 <"$WORK/site"
  { without_import && say 'import czujka.caddy'; } >"$WORK/caddyfile"
  put "$CADDYFILE" 0644 <"$WORK/caddyfile"
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
    without_import >"$WORK/caddyfile"
    put "$CADDYFILE" 0644 <"$WORK/caddyfile"
    run rm -f "$CADDY_SITE"
    systemd reload-or-restart caddy
  fi
}

# Varnish in front of Czujka, as shared cache: varnishd -f /etc/varnish/czujka.vcl
#
# To be set here: the service's address where that is not 127.0.0.1:4321.
# To be set there: TRUST_PROXY=loopback (or the address that Varnish connects from), BASE_URL=https://the.name
# Whoever ends TLS before Varnish speaks the PROXY protocol to it (varnishd -a …,PROXY): client.ip is the client then.
#
# What Varnish answers out of its cache does not reach the service: it counts neither against a limit nor as a view.
vcl 4.1;

backend czujka {
  .host = "127.0.0.1";
  .port = "4321";
}

sub vcl_recv {
  # Varnish has appended to what the client wrote: here only the address counts that it connects from.
  set req.http.X-Forwarded-For = client.ip;
  # The service reads neither, and Varnish would keep no answer for their sake.
  unset req.http.Cookie;
  unset req.http.Authorization;
  # Never piped: of a pipe, only the first request would get its X-Forwarded-For.
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Events do not wait for each other.
  if (req.url ~ "^/(?:donate/[^/?]+|api/changes)/events") {
    return (pass);
  }
}

sub vcl_hash {
  # Under any other name the site is the same.
  hash_data(req.url);
  return (lookup);
}

sub vcl_backend_response {
  # One client's refusal, and what went wrong once, is nobody else's answer.
  if (beresp.status == 429 || beresp.status >= 500) {
    if (bereq.is_bgfetch) {
      # Whoever made this fetch got the stale answer; it stays until its time is over.
      return (abandon);
    }
    # For so long, those who ask the same do not wait for each other. Nothing is stored but this.
    set beresp.uncacheable = true;
    set beresp.ttl = 10s;
    return (deliver);
  }
  # How long an answer is kept is what its Cache-Control says; without a word, Varnish's own default would be.
  if (beresp.http.Cache-Control !~ "(max-age|s-maxage)=") {
    set beresp.uncacheable = true;
  }
  # Without it, Varnish would send what is stale for ten seconds more: what is made private has to be gone.
  if (beresp.http.Cache-Control !~ "stale-while-revalidate=") {
    set beresp.grace = 0s;
  }
  # Numbers of the rate limit are the business of the client whose request reached the service.
  if (!bereq.uncacheable) {
    unset beresp.http.RateLimit-Limit;
    unset beresp.http.RateLimit-Remaining;
    unset beresp.http.RateLimit-Reset;
    unset beresp.http.Retry-After;
  }
}

# What Varnish says itself while the service does not run: JSON where programs ask, a sentence where people do.
sub vcl_backend_error {
  set beresp.http.Cache-Control = "no-store";
  if (bereq.url ~ "^/api(/|\?|$)") {
    set beresp.http.Content-Type = "application/json; charset=utf-8";
    set beresp.http.Access-Control-Allow-Origin = "*";
    set beresp.body = """{"error":"Błąd podczas pobierania danych."}""";
  } else {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = """<!doctype html><html lang="pl"><title>Czujka nie odpowiada</title><p>Czujka teraz nie odpowiada. Spróbuj ponownie za chwilę.</p></html>""";
  }
  return (deliver);
}

try {
  var d = document.documentElement;
  d.dataset.js = '';
  var t = localStorage.getItem('theme');
  if (t) d.dataset.theme = t;
} catch {}

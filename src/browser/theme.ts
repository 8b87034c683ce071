/** The menu of colour themes. theme-boot.js applies what it stores before the page is drawn. */

const root = document.documentElement;
const menu = document.querySelector<HTMLSelectElement>('.theme select');

if (menu) {
  menu.value = root.dataset.theme ?? 'system';
  menu.addEventListener('change', () => choose(menu.value));
}

function choose(theme: string): void {
  try {
    if (theme === 'system') {
      delete root.dataset.theme;
      localStorage.removeItem('theme');
    } else {
      root.dataset.theme = theme;
      localStorage.setItem('theme', theme);
    }
  } catch {
    // Storage may be switched off; the choice then lasts for this page.
  }
}

/** The switch of the colour theme. theme-boot.js applies what it stores before the page is drawn. */

const root = document.documentElement;

for (const input of document.querySelectorAll<HTMLInputElement>('.theme input')) {
  input.checked = input.value === (root.dataset.theme ?? 'system');
  input.addEventListener('change', () => choose(input.value));
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

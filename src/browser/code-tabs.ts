/** Remembers the language that somebody reads examples in. */
const KEY = 'jezyk';
const choices = document.querySelectorAll<HTMLInputElement>('.code-tabs input');

/** Storage may be forbidden; then the choice lasts as long as the page. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const language = remembered();
for (const choice of choices) {
  if (choice.value === language) choice.checked = true;
  choice.addEventListener('change', () => {
    try {
      localStorage.setItem(KEY, choice.value);
    } catch {
      return;
    }
  });
}

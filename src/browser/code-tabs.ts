/** Remembers the language that a reader chose for the examples. */
const KEY = 'jezyk';
const choices = document.querySelectorAll<HTMLInputElement>('.code-tabs input');

try {
  chooseLanguage(localStorage.getItem(KEY));
} catch {
  // Storage may be forbidden; then the choice lasts as long as the page.
}
for (const choice of choices)
  choice.addEventListener('change', () => {
    chooseLanguage(choice.value);
    localStorage.setItem(KEY, choice.value);
  });

/** Every example of the page that has this language shows it. */
function chooseLanguage(value: string | null): void {
  for (const choice of choices) if (choice.value === value) choice.checked = true;
}

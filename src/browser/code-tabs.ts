/** Remembers the language that a reader chose for the examples. */
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
if (language !== null) chooseLanguage(language);
for (const choice of choices) choice.addEventListener('change', () => rememberLanguage(choice.value));

/** Every example of the page that has this language shows it. */
function chooseLanguage(value: string): void {
  for (const choice of choices) if (choice.value === value) choice.checked = true;
}

function rememberLanguage(value: string): void {
  chooseLanguage(value);
  try {
    localStorage.setItem(KEY, value);
  } catch {
    return;
  }
}

/**
 * Opens the pictures of proofs in the page's one dialog, as wide as the window or as large as they are, to be scrolled
 * and pinched. It works by keyboard: arrows step, Escape closes, and the focus goes back to the link that opened
 * it.
 */
const PHONE = matchMedia('(width < 48rem)');

const dialog = document.querySelector<HTMLDialogElement>('dialog.viewer');
const proofs = [...document.querySelectorAll<HTMLElement>('.proof:has(picture)')];

if (dialog && proofs.length > 0) {
  const title = find(dialog, '.viewer-title');
  const place = find(dialog, '.viewer-picture');
  const caption = find(dialog, '.viewer-caption');
  const zoom = find(dialog, '[data-zoom]');
  const steps = [...dialog.querySelectorAll<HTMLButtonElement>('[data-step]')];
  let opener: HTMLElement | undefined;
  let shown = 0;

  const show = (index: number): void => {
    const proof = proofs[index];
    const picture = proof?.querySelector('picture')?.cloneNode(true) as HTMLElement | undefined;
    if (!proof || !picture) return;
    shown = index;
    picture.querySelector('img')?.setAttribute('loading', 'eager');
    title.textContent = proof.dataset.title ?? '';
    caption.textContent = proof.querySelector('header p')?.textContent ?? '';
    place.replaceChildren(picture);
    resize(PHONE.matches && picture.matches('.wide'));
    for (const button of steps) button.disabled = !proofs[index + Number(button.dataset.step)];
  };

  /** As large as it is, or on a phone wide enough to be read; otherwise it fits the window. */
  const resize = (isLarge: boolean): void => {
    const image = place.querySelector('img');
    const [width, height] = ['width', 'height'].map((name) => Number(image?.getAttribute(name)));
    for (const source of place.querySelectorAll('source, img'))
      source.setAttribute('sizes', isLarge ? `${width}px` : `min(100vw, ${width}px)`);
    place.toggleAttribute('data-large', isLarge);
    zoom.textContent = (isLarge ? zoom.dataset.out : zoom.dataset.in) ?? '';
    zoom.hidden = Number(width) <= place.clientWidth && Number(height) <= place.clientHeight;
  };

  const step = (by: number): void => {
    if (!proofs[shown + by]) return;
    show(shown + by);
    // A button that was pressed last and is off now would keep the keyboard.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled'))
      find(dialog, '[data-close]').focus();
  };

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('a[data-enlarge]');
    const proof = link?.closest<HTMLElement>('.proof');
    // With a modifier the visitor asks for a new tab.
    if (!link || !proof || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    opener = link;
    dialog.showModal();
    show(proofs.indexOf(proof));
  });
  dialog.addEventListener('click', (event) => {
    const target = event.target as HTMLElement;
    // The dialog itself is hit only beside its content: on the backdrop.
    if (target === dialog || target.closest('[data-close]')) dialog.close();
    if (target.closest('[data-zoom], .viewer-picture img') && !zoom.hidden)
      resize(!place.hasAttribute('data-large'));
    const by = Number(target.closest<HTMLElement>('[data-step]')?.dataset.step ?? 0);
    if (by !== 0) step(by);
  });
  dialog.addEventListener('keydown', (event) => {
    // There they scroll.
    if (document.activeElement === place && place.hasAttribute('data-large')) return;
    if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
  });
  dialog.addEventListener('close', () => {
    place.replaceChildren();
    opener?.focus();
  });
}

function find(root: HTMLElement, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`${selector} is missing`);
  return found;
}

/**
 * Opens the pictures of proofs in the page's one dialog, as wide as the window or as large as they are, to be scrolled
 * and pinched. It works by keyboard: arrows step, Escape closes, and the focus goes back to the link that opened
 * it.
 */
const dialog = document.querySelector<HTMLDialogElement>('dialog.viewer');
/** In the order of the page. */
const [zoom, place, caption] =
  dialog?.querySelectorAll<HTMLElement>('[data-zoom], .viewer-picture, .viewer-caption') ?? [];
const proofs = [...document.querySelectorAll<HTMLElement>('.proof:has(picture)')];

if (dialog && zoom && place && caption && proofs.length > 0) {
  let shown = 0;
  for (const button of dialog.querySelectorAll<HTMLElement>('[data-step]'))
    button.hidden = proofs.length === 1;

  const show = (index: number): void => {
    const proof = proofs[index];
    const picture = proof?.querySelector('picture')?.cloneNode(true) as HTMLElement | undefined;
    if (!proof || !picture) return;
    shown = index;
    picture.querySelector('img')?.setAttribute('loading', 'eager');
    const text = proof.querySelector('header p')?.textContent;
    caption.textContent = `${caption.dataset.word} ${index + 1} z ${proofs.length}${text ? `: ${text}` : ''}`;
    place.replaceChildren(picture);
    resize(false);
  };

  /** As large as it is, or on a phone wide enough to be read; otherwise it fits the window. */
  const resize = (isLarge: boolean): void => {
    const image = place.querySelector('img');
    const [width, height] = ['width', 'height'].map((name) => Number(image?.getAttribute(name)));
    for (const source of place.querySelectorAll('source, img'))
      source.setAttribute('sizes', isLarge ? `${width}px` : `(width < ${width}px) 100vw, ${width}px`);
    place.toggleAttribute('data-large', isLarge);
    zoom.textContent = (isLarge ? zoom.dataset.out : zoom.dataset.in) ?? '';
    zoom.hidden = Number(width) <= place.clientWidth && Number(height) <= place.clientHeight;
  };

  /** After the last comes the first. */
  const step = (by: number): void => show((shown + by + proofs.length) % proofs.length);

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('a[data-enlarge]');
    const proof = link?.closest<HTMLElement>('.proof');
    // With a modifier the visitor asks for a new tab.
    if (!link || !proof || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
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
  dialog.addEventListener('close', () => place.replaceChildren());
}
